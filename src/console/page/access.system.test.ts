/** Everybody can use the page: by keyboard, on a phone, with what reads it aloud. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { openRedis, untilReady } from '../../redis/connect.ts'
import { createDurable } from '../../redis/durable.ts'
import { counters as keys } from '../../redis/keys.ts'
import { ask } from '../../dev/redis/server.ts'
import { startLedger } from '../../testing/ledger.ts'
import {
  describePage, openPage, seriousFindings, settle, signInAsNew, visit,
} from '../../testing/page.ts'
import { makeSample, OWNER, PASSWORD } from '../../dev/screenshots/sample.ts'

const PHONE = { width: 360, height: 740 }
const { shelfUrl: shelf, ledgerUrl } = inject('redis')
/**
 * Nothing moves while it is looked at. The goods are the run's, and so is the ledger: this node's
 * slow driver must not move other tests' orders, so its lease is another's for ever.
 */
async function still() {
  const counters = await startLedger()
  await ask(counters.server, (redis) =>
    redis.set(keys.lease('driver'), 'nobody', 'PX', 3_600_000))
  return {
    overrides: {
      sandboxStepMs: 600_000, sandboxCompleteMs: 600_000,
      redis: { shelf, ledger: ledgerUrl, counters: counters.url },
    },
    stop: () => counters.stop(),
  }
}
const PAGES = ['', '/agents', '/live', '/webhooks', '/orders', '/earnings', '/account']

describePage('the page is for everybody', still, (stage) => {
  let orderNo: string
  beforeAll(async () => {
    const { node } = stage
    const writes = openRedis(ledgerUrl, node.services.log)
    await untilReady(writes, 'ledger')
    const durable = createDurable({ client: writes, replicas: 0, log: node.services.log });
    ({ orderNo } = await makeSample(node, durable))
    durable.close()
    writes.disconnect()
  })

  async function openAsOwner(options: Parameters<typeof openPage>[1] = {}) {
    const opened = await openPage(stage, options)
    await opened.page.request.post('/console/api/session',
      { data: { email: OWNER, password: PASSWORD } })
    return opened
  }

  test.for(['light', 'dark'] as const)('axe-core finds nothing serious, %s', async (theme) => {
    const opened = await openAsOwner({ colorScheme: theme })
    const { page, complaints } = opened
    const found: string[] = []
    for (const path of [...PAGES, `/orders/${orderNo}`, '/nowhere']) {
      await visit(page, path)
      found.push(...(await seriousFindings(page)).map((one) => `${path} ${one}`))
    }
    await visit(page, '/agents')
    await page.getByRole('button', { name: /^Limits/ }).first().click()
    found.push(...(await seriousFindings(page)).map((one) => `limits ${one}`))
    await page.context().clearCookies()
    await visit(page, '/register')
    await page.getByRole('button', { name: 'Create account' }).click()
    found.push(...(await seriousFindings(page)).map((one) => `register ${one}`))
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a phone never scrolls sideways, in either language', async () => {
    for (const locale of ['zh-CN', 'en-GB']) {
      const opened = await openAsOwner({ viewport: PHONE, locale })
      const { page } = opened
      for (const path of [...PAGES, `/orders/${orderNo}`]) {
        await visit(page, path)
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        expect([locale, path, width]).toEqual([locale, path, PHONE.width])
      }
      }
  })

  test('tables are tables also where a phone shows them as cards', async () => {
    const { page } = await openAsOwner({ viewport: PHONE })
    await visit(page, '/orders')
    const roles = await page.locator('table, table :is(thead, tbody, tr, th, td)').evaluateAll(
      (elements) => elements.map((one) => `${one.localName} ${one.getAttribute('role')}`))
    expect(new Set(roles)).toEqual(new Set([
      'table table', 'thead rowgroup', 'tbody rowgroup', 'tr row', 'th columnheader', 'td cell',
    ]))
    expect(await page.locator('tbody tr').first().evaluate((row) => getComputedStyle(row).display))
      .toBe('grid')
  })

  test('problems from the API are shown in the page\'s own words and language', async () => {
    const { page } = await openAsOwner({ locale: 'zh-CN' })
    const answer = {
      code: 40000, msg: 'The request is not valid.', data: {
        error: 'invalid_request', hint: 'Correct each field that is named here.',
        fields: [{ path: 'label', problem: 'must be 1 to 60 visible characters' }],
      } as Record<string, unknown>,
    }
    await page.route('**/console/api/agents', (route) => (route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: answer }) : route.continue()))
    await visit(page, '/agents')
    await page.getByRole('button', { name: '新建智能体' }).first().click()
    const create = page.getByRole('button', { name: '创建并显示密钥' })
    await create.click()
    await page.locator('.field-problem').getByText('请输入 1 至 60 个字符的名称。').waitFor()
    const notice = page.getByRole('alert')
    const REFUSALS = [
      [{ fields: [{ path: 'unknown', problem: 'is not known' }] }, '此内容未被接受。'],
      [{ error: 'unavailable' }, '服务暂时无法确认，可以放心重试。'],
      [{ error: 'internal', request_id: 'r-77' }, 'r-77'],
      [{ error: 'rate_limited', policy: 'sign-in-subject', retry_after_s: 300 }, '5 分钟后可再试。'],
      [{ error: 'something_new' }, '服务出现意外错误。'],
    ] as const
    for (const [data, words] of REFUSALS) {
      answer.data = { ...answer.data, fields: [], ...data }
      await create.click()
      await notice.getByText(words).waitFor()
      // Nothing of what is said to programs.
      expect(await notice.innerText()).not.toMatch(/[a-z]{4}/i)
    }
  })

  test('language and theme are changed, and remembered', async () => {
    const opened = await openAsOwner()
    const { page } = opened
    await visit(page, '/orders')
    await page.getByRole('button', { name: '中文' }).click()
    await page.getByRole('heading', { name: '订单', exact: true }).waitFor()
    await page.getByRole('button', { name: /^跟随系统主题/ }).click()
    await page.getByRole('button', { name: /^浅色主题/ }).click()
    await page.reload()
    await settle(page)
    expect(await page.evaluate(() => [document.documentElement.lang,
      document.documentElement.dataset['theme']])).toEqual(['zh-CN', 'dark'])
  })

  const focused = (page: Page): Promise<string> => page.evaluate(() => {
    const element = document.activeElement
    return element?.getAttribute('aria-label') ?? (element?.textContent || element?.id || '')
  })

  /** Presses Tab until something is focused; names what was passed when it never is. */
  async function tabTo(page: Page, name: string): Promise<void> {
    const passed: string[] = []
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      const now = await focused(page)
      if (now === name) return
      passed.push(now)
    }
    throw new Error(`Tab never came to ${name}: ${passed.join(' | ')}`)
  }

  test('by keyboard alone: skip, go to a page, open a dialog, leave it', async () => {
    const opened = await openPage(stage)
    const { page } = opened
    await signInAsNew(opened)
    await visit(page, '')
    await tabTo(page, 'Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    await visit(page, '')
    await tabTo(page, 'Agents')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')

    await tabTo(page, 'Create agent')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    const isInside = (): Promise<boolean> => page.evaluate(() =>
      document.activeElement === document.body
      || document.activeElement?.closest('dialog') !== null)
    for (let presses = 0; presses < 12; presses += 1) {
      expect(await isInside()).toBe(true)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Create agent')

    await page.keyboard.press('Enter')
    await page.keyboard.type('by hand')
    await page.keyboard.press('Enter')
    await page.getByTestId('new-key').waitFor()
    await expect.poll(() => focused(page)).toBe('I have saved it')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^by hand/ }).waitFor()
  })

  test('the focused element is visible', async () => {
    const opened = await openPage(stage)
    const { page } = opened
    await visit(page, '/sign-in')
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement as Element)
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      }), await focused(page)).toBe(true)
    }
  })
})
