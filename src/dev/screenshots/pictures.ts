/** What is photographed, and how one gets there. */
import type { Page } from 'playwright-core'
import type { Sample } from './sample.ts'

export interface Picture {
  readonly name: string
  readonly who: 'nobody' | 'newcomer' | 'owner'
  readonly path: (sample: Sample) => string
  /** Whether the path is not one below the console. */
  readonly isOutside?: true
  /** What is done there first. */
  readonly act?: (page: Page) => Promise<void>
}

const at = (path: string) => (): string => path
/** By its place, since its words differ by language. */
const press = (selector: string) => async (page: Page): Promise<void> => {
  await page.locator(selector).first().click()
}

export const PICTURES: readonly Picture[] = [
  { name: 'sign-in', who: 'nobody', path: at('/sign-in') },
  { name: 'register-refused', who: 'nobody', path: at('/register'), act: press('[type=submit]') },
  { name: 'start', who: 'newcomer', path: at('') },
  {
    name: 'start-tried', who: 'owner', path: at(''),
    async act(page) {
      await page.locator('.try-form [type=submit]').click()
      await page.locator('.exchange .status').nth(1).waitFor()
    },
  },
  {
    name: 'start-order', who: 'owner', path: at(''),
    async act(page) {
      await page.locator('.try-tool select').selectOption('get_order_status')
      await page.locator('.order-bar').waitFor()
      await page.locator('.try-form [type=submit]').click()
      await page.locator('.exchange .status').nth(1).waitFor()
    },
  },
  { name: 'agents-empty', who: 'newcomer', path: at('/agents') },
  { name: 'agents', who: 'owner', path: at('/agents') },
  {
    name: 'agents-key', who: 'owner', path: at('/agents'),
    async act(page) {
      await page.locator('.agent').nth(2).locator('header button').first().click()
      await page.locator('dialog [type=submit]').click()
      await page.locator('.secret').waitFor()
    },
  },
  { name: 'agents-limits', who: 'owner', path: at('/agents'),
    act: press('.agent:nth-of-type(2) header button:nth-child(2)') },
  { name: 'live-empty', who: 'newcomer', path: at('/live') },
  {
    name: 'live', who: 'owner', path: at('/live'),
    act: async (page) => { await page.locator('.events li').first().waitFor() },
  },
  {
    name: 'live-sources', who: 'owner', path: at('/live'),
    async act(page) {
      await page.locator('.events li').first().waitFor()
      await page.locator('.chart-choices .choice:nth-child(2) button').nth(1).click()
    },
  },
  { name: 'webhooks-empty', who: 'newcomer', path: at('/webhooks') },
  { name: 'webhooks', who: 'owner', path: at('/webhooks') },
  {
    name: 'webhooks-create', who: 'owner', path: at('/webhooks'),
    async act(page) {
      await page.locator('.page-head .button.primary').click()
      await page.locator('dialog .choice button').nth(1).click()
      await page.locator('dialog summary').first().click()
    },
  },
  {
    name: 'webhook-secret', who: 'owner', path: ({ webhook }) => `/webhooks/${webhook}`,
    async act(page) {
      await page.locator('.hook header button').nth(2).click()
      await page.locator('dialog [type=submit]').click()
      await page.locator('.secret').waitFor()
    },
  },
  {
    name: 'webhook', who: 'owner', path: ({ webhook }) => `/webhooks/${webhook}`,
    act: async (page) => { await page.locator('.attempts summary').first().click() },
  },
  { name: 'orders-empty', who: 'newcomer', path: at('/orders') },
  { name: 'orders', who: 'owner', path: at('/orders') },
  {
    name: 'orders-filters', who: 'owner', path: at('/orders?status=completed&sort=amount_desc'),
    async act(page) {
      const fold = page.locator('.filters summary')
      if (await fold.isVisible()) await fold.click()
    },
  },
  { name: 'orders-malls', who: 'owner', path: at('/orders?kind=malls') },
  { name: 'orders-unmatched', who: 'owner', path: at('/orders?status=refunding&q=nobody') },
  { name: 'order', who: 'owner', path: ({ orderNo }) => `/orders/${orderNo}` },
  { name: 'order-returned', who: 'owner', path: ({ returnedNo }) => `/orders/${returnedNo}` },
  { name: 'purchase', who: 'owner', path: ({ purchase }) => `/purchases/${purchase}` },
  { name: 'earnings', who: 'owner', path: at('/earnings') },
  { name: 'earnings-withdraw', who: 'owner', path: at('/earnings'),
    act: press('.section header .button.primary') },
  { name: 'account', who: 'owner', path: at('/account') },
  {
    name: 'account-delete', who: 'owner', path: at('/account'),
    async act(page) {
      await page.locator('.button.danger').click()
      await page.locator('dialog .check').waitFor()
    },
  },
  { name: 'nowhere', who: 'owner', path: at('/nowhere') },
  { name: 'home', who: 'nobody', path: at('/'), isOutside: true },
  { name: 'no-address', who: 'nobody', path: at('/no/address'), isOutside: true },
  { name: 'plugin', who: 'nobody', path: at('/plugin'), isOutside: true },
  {
    name: 'docs-search', who: 'nobody', path: at('/docs'), isOutside: true,
    act: async (page) => { await page.getByRole('searchbox').fill('aftersale') },
  },
  { name: 'cashier', who: 'nobody', path: ({ payPath }) => payPath, isOutside: true },
  {
    name: 'cashier-paid', who: 'owner', path: ({ paidPath }) => paidPath, isOutside: true,
  },
  { name: 'link-ended', who: 'nobody', path: at('/go/ended'), isOutside: true },
]

export interface View {
  readonly device: 'desktop' | 'phone' | 'landscape'
  readonly theme: 'light' | 'dark'
  readonly language: 'zh' | 'en'
}

/** Every page in both themes and both languages, on each device; a phone both ways round. */
export const VIEWS: readonly View[] = [
  { device: 'desktop', theme: 'light', language: 'en' },
  { device: 'desktop', theme: 'dark', language: 'zh' },
  { device: 'phone', theme: 'light', language: 'zh' },
  { device: 'phone', theme: 'dark', language: 'en' },
  { device: 'landscape', theme: 'light', language: 'en' },
  { device: 'landscape', theme: 'dark', language: 'zh' },
]

export const SIZES = {
  desktop: { width: 1280, height: 850 },
  phone: { width: 390, height: 844 },
  landscape: { width: 844, height: 390 },
} as const satisfies Record<View['device'], { width: number, height: number }>
