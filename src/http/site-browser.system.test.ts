/** The pages outside the console as people have them: found, read, searched, paid on. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { generateCatalogue } from '../goods/generate.ts'
import { startTestMalls } from '../testing/malls.ts'
import {
  describePage, findings, openPage, type PageSettings, type Stage,
} from '../testing/page.ts'
import { RECEIVER } from '../testing/products.ts'

const CATALOGUE = { seed: 'test', items: 2400 }
const PHONE = { width: 390, height: 844 }

async function withMalls(): Promise<PageSettings> {
  const malls = await startTestMalls(CATALOGUE)
  return { overrides: { catalogSeed: CATALOGUE.seed }, malls, stop: () => malls.close() }
}

/** An order nobody has paid: its page's path, and how to pay it elsewhere. */
async function unpaidOrder({ node }: Stage) {
  const { envelope: found } = await node.send('GET', '/v1/goods?q=保温杯&page_size=50')
  const item = found.data.items.find(
    ({ available_qty }: { available_qty: number }) => available_qty > 2)
  const { envelope } = await node.send('POST', '/v1/orders', {
    key: await node.newKey('t1'), headers: { 'Idempotency-Key': randomUUID() },
    body: {
      product_id: item.product_id, merchant_id: item.merchant_id, qty: 1, receiver: RECEIVER,
    },
  })
  const { order_no, pay_url } = envelope.data
  const { pathname, search } = new URL(pay_url)
  return {
    orderNo: order_no as string, path: `${pathname}${search}`,
    async pay() {
      const { status } = await fetch(`${node.url}${pathname}`, {
        method: 'POST', body: new URLSearchParams(search.slice(1)),
      })
      expect(status).toBe(200)
    },
  }
}

async function mallItem({ node }: Stage): Promise<string> {
  const listed = [...generateCatalogue(CATALOGUE)].find(({ supply }) => supply !== 'own')
  const { envelope } = await node.send('POST', '/v1/cps/local/goods',
    { body: { q: listed?.title, supply: listed?.supply, page_size: 1 } })
  const { item_id } = envelope.data.items[0]
  const { envelope: detail } = await node.send('GET', `/v1/cps/local/goods/${item_id}`)
  return new URL(detail.data.purchase_url).pathname
}

/** What an expression is worth there: this file knows no browser's types. */
const inPage = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression)

describePage('pages outside the console', withMalls, (stage) => {
  async function pathsOfAll(): Promise<string[]> {
    const { node } = stage
    const { envelope } = await node.send('GET', '/v1/goods?q=保温杯&page_size=1')
    const { path } = await unpaidOrder(stage)
    const paid = await unpaidOrder(stage)
    await paid.pay()
    return ['/', '/docs', '/plugin', '/nowhere', '/mcp', path, paid.path, '/pay/AM1?t=x',
      `/item/${envelope.data.items[0].sku_id}`, '/item/1', '/go/nowhere00', await mallItem(stage)]
  }

  test.for([
    ['light', 'en-GB', undefined], ['dark', 'zh-CN', undefined], ['light', 'zh-CN', PHONE],
    ['dark', 'en-GB', PHONE],
  ] as const)('axe-core finds nothing at all and nothing scrolls sideways, %s %s', async (
    [colorScheme, locale, viewport],
  ) => {
    const { page, complaints } = await openPage(stage,
      { colorScheme, locale, ...(viewport && { viewport }) })
    const found: string[] = []
    for (const path of await pathsOfAll()) {
      await page.goto(path)
      found.push(...(await findings(page)).map((one) => `${path} ${one}`))
      expect([path, await inPage(page, 'document.documentElement.scrollWidth - innerWidth')])
        .toEqual([path, 0])
      expect(await page.locator('html').getAttribute('lang'))
        .toBe(locale === 'zh-CN' ? locale : 'en')
    }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })

  test('the theme chosen in the console is that of every page', async () => {
    const { page } = await openPage(stage, { colorScheme: 'light' })
    await page.goto('/nowhere')
    await inPage(page, 'localStorage.setItem("agentmall.theme", "dark")')
    const { path } = await unpaidOrder(stage)
    for (const address of ['/', '/docs', '/plugin', path, '/go/nowhere00']) {
      await page.goto(address)
      const red = async (name: string): Promise<number> => Number(/\d+/.exec(
        String(await inPage(page, `getComputedStyle(document.body).${name}`)))?.[0])
      const [ink, ground] = [await red('color'), await red('backgroundColor')]
      expect([address, Number(ink) > 200, Number(ground) < 40]).toEqual([address, true, true])
    }
  })

  const shown = async (page: Page, selector: string): Promise<string[]> =>
    (await page.locator(`${selector}:visible`).allTextContents()).map((text) => text.trim())

  test('a search leaves what fits, with its headings, and shows the first of it', async () => {
    const { page } = await openPage(stage)
    await page.goto('/docs#errors')
    await page.keyboard.press('/')
    await page.keyboard.type('refund')
    expect(await shown(page, 'main h3')).toEqual(['Request a refund or return#'])
    expect(await shown(page, 'main h2')).toEqual(['Orders#'])
    expect(await shown(page, '.side a')).toEqual(['Request a refund or return'])
    expect(await shown(page, '.side p')).toEqual(['Orders'])
    expect(await inPage(page, 'scrollY')).toBe(0)
    await page.keyboard.press('Enter')
    expect(await inPage(page, 'document.activeElement.closest("h3").id'))
      .toBe('request_aftersale')
    await page.getByRole('searchbox').fill('idempotent-replayed')
    expect(await shown(page, 'main h2')).toEqual(['Idempotency#'])
    await page.getByRole('searchbox').fill('no such word')
    expect(await shown(page, '.none')).toEqual(['Nothing matches.'])
    expect(await shown(page, 'main :is(h2, h3)')).toEqual([])
    await page.keyboard.press('Escape')
    expect((await shown(page, 'main h3')).length).toBeGreaterThan(30)
  })

  test('samples are chosen once for all, kept, and copied as shown', async () => {
    const { page } = await openPage(stage, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/docs')
    const order = page.locator('section:has(> #create_order) figure.samples')
    expect(await order.locator('pre:visible').textContent()).toMatch(/^curl /)
    const python = order.getByRole('button', { name: 'Python' })
    await python.scrollIntoViewIfNeeded()
    const before = await python.boundingBox()
    await python.click()
    expect(await python.getAttribute('aria-pressed')).toBe('true')
    expect((await python.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
    await order.getByRole('button', { name: 'Copy' }).click()
    await order.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await inPage(page, 'navigator.clipboard.readText()')).toMatch(/^import json/)
    await page.reload()
    const visible = await shown(page, 'figure.samples pre')
    expect(new Set(visible.map((text) => text.split(' ')[0]))).toEqual(new Set(['import']))
  })

  test('without scripts everything can be read, and an order paid', async () => {
    const { page } = await openPage(stage, { javaScriptEnabled: false })
    await page.goto('/docs')
    const order = page.locator('section:has(> #create_order) figure.samples pre')
    await expect.poll(() => order.count()).toBe(3)
    for (const sample of await order.all()) expect(await sample.isVisible()).toBe(true)
    expect(await page.getByRole('searchbox').isVisible()).toBe(false)
    const { path } = await unpaidOrder(stage)
    await page.goto(path)
    await page.getByText(/left when this page was opened/).waitFor()
    await page.getByRole('button', { name: 'Pay (sandbox)' }).click()
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
  })

  test('the cashier counts down, and turns when the order is paid elsewhere', async () => {
    const { page, complaints } = await openPage(stage)
    const { path, pay, orderNo } = await unpaidOrder(stage)
    await page.goto(path)
    await page.getByText(/^29:\d\d left to pay$/).waitFor()
    const first = await page.locator('.left').textContent()
    await expect.poll(() => page.locator('.left').textContent()).not.toBe(first)
    await pay()
    await page.getByRole('heading', { name: 'This order is paid' }).waitFor()
    expect(await page.getByText(orderNo).isVisible()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('the code to scan is for another device: a phone does not show it', async () => {
    const { path } = await unpaidOrder(stage)
    for (const [viewport, isShown] of [
      [{ width: 1280, height: 800 }, true], [PHONE, false],
    ] as const) {
      const { page } = await openPage(stage, { viewport })
      await page.goto(path)
      expect(await page.locator('.qr').isVisible()).toBe(isShown)
      const picture = page.locator('.item img')
      expect(await picture.evaluate((image) => (image as unknown as { naturalWidth: number })
        .naturalWidth)).toBeGreaterThan(0)
    }
  })

  test('a person finds the console, and everything in the other language', async () => {
    const { page } = await openPage(stage, { viewport: PHONE })
    await page.goto('/')
    await page.getByRole('navigation').getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor()
    await page.getByRole('link', { name: '中文' }).click()
    await page.getByRole('heading', { name: 'API 文档', level: 1 }).waitFor()
    await page.getByRole('link', { name: '插件' }).click()
    await page.getByRole('heading', { name: 'agentmall 智能体插件' }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: '控制台' }).first().click()
    await page.waitForURL('**/console**')
    await expect(page.locator('h1').waitFor()).resolves.toBeUndefined()
  })
})
