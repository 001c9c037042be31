/** Orders, the live feed and the session, as the page follows them. */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePage, openPage, signInAsNew, visit } from '../../testing/page.ts'
import { keepOrder } from '../../affiliate/mall-orders.ts'
import { nowMs } from '../../contract/time.ts'
import { ledger as keys } from '../../redis/keys.ts'
import { attemptAt, supplyProduct } from '../../testing/products.ts'

/** With a ledger of its own: nothing moves but what the owner moves. */
const STILL = { sandboxStepMs: 600_000, sandboxCompleteMs: 600_000 }

describePage('orders as they move', STILL, (stage) => {
  async function openWithOrder() {
    const opened = await openPage(stage)
    const { page } = opened
    await signInAsNew(opened)
    await visit(page, '')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const key = await page.getByTestId('new-key').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    return { ...opened, key, ...await place(key) }
  }

  async function place(key: string): Promise<{ orderNo: string, agent: string }> {
    const { idempotency_key, ...body } = attemptAt(await supplyProduct(stage.node.services.ledger))
    const { envelope } = await stage.node.send('POST', '/v1/orders', {
      key, body, headers: { 'Idempotency-Key': idempotency_key },
    })
    return { orderNo: envelope.data.order_no as string, agent: envelope.agent_ref ?? '' }
  }

  /** Somebody with so many orders, the first of which is paid. */
  async function openWithOrders(count: number) {
    const opened = await openWithOrder()
    await stage.node.services.orders.move('pay', opened.orderNo)
    for (let placed = 1; placed < count; placed += 1) await place(opened.key)
    return opened
  }
  const rows = (page: Page) => page.locator('tbody tr')
  const move = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('an owner pays, ships, delivers and refunds by hand', async () => {
    const { page, orderNo, complaints } = await openWithOrder()
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByRole('link', { name: orderNo }).click()
    const steps = [
      ['Pay', 'paid'], ['Accept', 'accepted'], ['Ship', 'shipped'], ['Deliver', 'delivered'],
    ] as const
    for (const [name, status] of steps) {
      await move(page, name).click()
      await page.locator('.facts').getByText(status, { exact: true }).waitFor()
      expect(await move(page, name).isDisabled()).toBe(true)
    }
    await move(page, 'Delay by 1 h').click()
    await page.getByText('Done: Delay by 1 h.').waitFor()
    await page.getByText(/By itself next: completed, .*:\d\d:\d\d\./).waitFor()
    await page.getByText('快件已签收').waitFor()
    await page.locator('.facts').getByText('my first agent').waitFor()
    await page.locator('.facts').getByText(/^¥1\.29 · 5 % · pending$/).waitFor()
    await move(page, 'Refund').click()
    await page.getByText('Done: Refund.').waitFor()
    await expect.poll(() => page.locator('.facts .status').innerText()).toBe('refunded')
    expect(await page.locator('.timeline .ahead').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('the steps of an open return are shown as the next ones', async () => {
    const { page, orderNo, key } = await openWithOrder()
    await visit(page, `/orders/${orderNo}`)
    for (const name of ['Pay', 'Accept', 'Ship', 'Deliver']) await move(page, name).click()
    await page.locator('.facts').getByText('delivered', { exact: true }).waitFor()
    await expect.poll(() => move(page, 'Complete').isEnabled()).toBe(true)
    await stage.node.send('POST', `/v1/orders/${orderNo}/aftersales`,
      { key, body: { type: 'return_refund', reason_class: 'quality' } })
    await page.locator('.timeline .done').getByText('After-sale requested').waitFor()
    const ahead = await page.locator('.timeline .ahead p:first-child').allInnerTexts()
    expect(ahead.map((text) => text.replace(/\s*\(still to come\)/, '').trim())).toEqual(
      ['approved', 'pickup booked', 'on the way back', 'goods received', 'refunded']
        .map((step) => `After-sale ${step}`))
    expect(await move(page, 'Complete').isDisabled()).toBe(true)
    expect(await move(page, 'Refund').isDisabled()).toBe(true)
    await move(page, 'Restore quota').click()
    await page.getByText('Done: Restore quota.').waitFor()
  })

  test('the list\'s address has its filters: reload and return show the same', async () => {
    const { page, orderNo, complaints } = await openWithOrders(25)
    await visit(page, '/orders')
    await page.getByText('25 found').waitFor()
    await page.getByLabel('Page', { exact: true }).fill('2')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toMatch(/\/orders\?page=2$/)
    await expect.poll(() => rows(page).count()).toBe(5)
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(5)
    await page.goBack()
    await expect.poll(() => rows(page).count()).toBe(20)
    await page.evaluate(() => scrollTo(0, 500))
    await rows(page).nth(12).getByRole('link').click()
    await page.getByRole('heading', { name: 'Order', exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(500)
    await page.getByLabel('Status').selectOption('paid')
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByLabel('Search').fill(orderNo.slice(0, 10).toLowerCase())
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('q'))
      .toBe(orderNo.slice(0, 10).toLowerCase())
    const copied = page.url()
    await page.goto(copied)
    await page.getByText('1 found').waitFor()
    expect(await page.getByLabel('Status').inputValue()).toBe('paid')
    await page.getByRole('link', { name: orderNo }).click()
    await page.getByRole('link', { name: 'All orders' }).click()
    await expect.poll(() => page.url()).toBe(copied)
    await page.getByLabel('Status').selectOption('refunded')
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('25 found').waitFor()
    expect(complaints).toEqual([])
  })

  test('a list that looks through a part of many orders says so', async () => {
    const { page } = await openWithOrder()
    await page.route('**/console/api/orders?*', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json() as { data: object }
      await route.fulfill({ response, json: {
        ...rest, data: { ...data, total: 2000, looked_through: 2000, in_range: 12_345 },
      } })
    })
    await visit(page, '/orders')
    await page.getByText('Only the newest 2,000 of 12,345 are looked through.').waitFor()
    await page.getByText('of 100', { exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(async () => (await page.locator('.paging').boundingBox())?.height)
      .toBeLessThan(60)
  })

  test('the list is downloaded as shown', async () => {
    const { page, orderNo } = await openWithOrders(3)
    await visit(page, '/orders?status=paid')
    const [file] = await Promise.all([
      page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('agentmall-sandbox-orders.csv')
    const pieces: Buffer[] = []
    for await (const piece of await file.createReadStream()) pieces.push(piece as Buffer)
    const lines = Buffer.concat(pieces).toString().trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`${orderNo},`)
  })

  test('a phone shows an order in two lines, and any place of them opens it', async () => {
    const { page, orderNo } = await openWithOrder()
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, '/orders')
    const box = await rows(page).first().boundingBox()
    expect(box?.height).toBeLessThan(76)
    await rows(page).first().click({ position: { x: 20, y: 12 } })
    await page.getByRole('heading', { name: 'Order', exact: true }).waitFor()
    expect(page.url()).toContain(orderNo)
  })

  test('a purchase at a platform is listed and opens', async () => {
    const { page, agent } = await openWithOrder()
    const { ledger } = stage.node.services
    const [mark, line] = [randomUUID(), `77${nowMs()}`]
    await ledger.hset(keys.subId('mall_b', mark), 'agent', agent)
    await keepOrder(ledger, {
      source: 'mall_b', line_id: line, order_no: line, item_id: 'i1', title: '保温杯', qty: 2,
      amount: 12_345, commission: { bps: 300, fen: 370 }, status: 'paid', mall_status: '16',
      sub_id: mark, ordered_at: nowMs(), paid_at: nowMs(), updated_at: nowMs(),
    }, 'sandbox')
    await visit(page, '/orders')
    await page.getByRole('tab', { name: 'At platforms' }).click()
    await page.getByRole('link', { name: line }).click()
    await page.getByRole('heading', { name: 'Purchase at a platform' }).waitFor()
    await page.locator('.facts').getByText('my first agent').waitFor()
    await page.getByRole('link', { name: 'All purchases' }).click()
    await expect.poll(() => page.url()).toMatch(/kind=malls$/)
    await page.getByLabel('Status').selectOption('invalid')
    await page.getByText('Nothing matches').waitFor()
  })

  test('events of one kind are shown alone, and a turned phone fits its page', async () => {
    const { page, orderNo, key } = await openWithOrder()
    const { orders } = stage.node.services
    for (const name of ['pay', 'accept', 'ship', 'deliver'] as const) {
      await orders.move(name, orderNo, { ...(name === 'ship' && {
        detail: orders.driver.detail('ship', orderNo) ?? {},
      }) })
    }
    await page.setViewportSize({ width: 844, height: 390 })
    await visit(page, '/live')
    await page.locator('[data-event=commission]').waitFor()
    await page.getByRole('button', { name: 'Orders', exact: true }).last().click()
    await page.locator('[data-event=commission]').waitFor({ state: 'detached' })
    expect(await page.locator('[data-event=order]').count()).toBe(5)
    await page.getByRole('button', { name: 'After-sale', exact: true }).click()
    await page.getByText('Nothing of this kind yet.').waitFor()
    await stage.node.send('POST', `/v1/orders/${orderNo}/aftersales`,
      { key, body: { type: 'return_refund', reason_class: 'quality' } })
    await page.locator('[data-event=aftersale]').getByText('After-sale requested').waitFor()
    expect(await page.locator('[data-event]').count()).toBe(1)
    expect(page.url()).toMatch(/\/live\?kind=aftersale$/)
    expect(await page.locator('.legend strong').evaluate((amount) =>
      getComputedStyle(amount).whiteSpace)).toBe('nowrap')
    await page.locator('.u-wrap').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expect.poll(async () => (await page.locator('.u-wrap').boundingBox())?.width)
      .toBeLessThan(390)
  })

  test('statements are offered from the month on in which the account was made', async () => {
    const { page } = await openWithOrder()
    await visit(page, '/earnings')
    await expect.poll(() => page.locator('.statements li').count()).toBe(1)
  })

  test('the page of an order follows its changes', async () => {
    const { page, orderNo } = await openWithOrder()
    await visit(page, `/orders/${orderNo}`)
    await page.locator('.facts').getByText('waiting for payment').waitFor()
    await stage.node.services.orders.move('pay', orderNo)
    await expect(page.locator('.facts').getByText('paid', { exact: true }).waitFor())
      .resolves.toBeUndefined()
  })

  /** The feed says only this, to every connection, until it is changed. */
  async function feedOf(page: Page) {
    const feed = { says: 'ready' }
    await page.route('**/console/api/live', (route) => route.fulfill({
      contentType: 'text/event-stream', body: `retry: 50\nevent: ${feed.says}\ndata: {}\n\n`,
    }))
    return feed
  }

  test.for(['order', 'list'] as const)('%s: a reset loads the missed changes', async (what) => {
    const { page, orderNo } = await openWithOrder()
    const feed = await feedOf(page)
    await visit(page, what === 'order' ? `/orders/${orderNo}` : '/orders')
    const status = page.locator('main .status').first()
    await status.getByText('waiting for payment').waitFor()
    await stage.node.services.orders.move('pay', orderNo)
    feed.says = 'reset'
    await expect(status.getByText('paid', { exact: true }).waitFor()).resolves.toBeUndefined()
  })

  test('the page says that its feed is cut off, and reconnects', async () => {
    const { page } = await openWithOrder()
    await page.route('**/console/api/live', (route) => route.abort())
    await visit(page, '/live')
    await page.getByText('Reconnecting …').waitFor()
    await page.unroute('**/console/api/live')
    await page.locator('.connection.live').waitFor()
    await expect(page.locator('[data-event=order]').first().waitFor()).resolves.toBeUndefined()
  })

  test('another account\'s order is not found', async () => {
    const { orderNo } = await openWithOrder()
    const other = await openPage(stage)
    await signInAsNew(other)
    await other.page.goto(`/console/orders/${orderNo}`)
    await expect(other.page.getByRole('alert').getByText('There is nothing here').waitFor())
      .resolves.toBeUndefined()
  })

  test('a session that ended elsewhere leads to signing in, and forgets the key', async () => {
    const { page } = await openWithOrder()
    const { data } = await (await page.request.get('/console/api/session')).json() as
      { data: { csrf_token: string } }
    await page.request.delete('/console/api/sessions',
      { headers: { 'X-CSRF-Token': data.csrf_token } })
    await page.getByRole('link', { name: 'Earnings', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    // Not the prefix alone: the hashed names of the page's files may have it.
    expect(await page.content()).not.toMatch(/ak_(trial_)?[0-9A-Za-z]{32}/)
  })
})
