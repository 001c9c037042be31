/** Orders, the live feed and the session, as the page follows them. */
import type { Page } from 'playwright-core'
import { afterAll, expect, inject, test } from 'vitest'
import { startLedger } from '../../testing/ledger.ts'
import { describePage, openPage, signInAsNew, visit } from '../../testing/page.ts'
import { attemptAt, supplyProduct } from '../../testing/products.ts'

/** Of its own, so that no other node's driver moves what only the owner is to move. */
const ledger = await startLedger()
afterAll(() => ledger.stop())
const STILL = {
  redis: { shelf: inject('redis').shelfUrl, ledger: ledger.url, counters: ledger.url },
  sandboxStepMs: 600_000, sandboxCompleteMs: 600_000,
}

describePage('orders as they move', STILL, (stage) => {
  async function openWithOrder() {
    const opened = await openPage(stage)
    const { page } = opened
    await signInAsNew(opened)
    await visit(page, '')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const key = await page.getByTestId('new-key').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    const { idempotency_key, ...body } = attemptAt(await supplyProduct(stage.node.services.ledger))
    const { envelope } = await stage.node.send('POST', '/v1/orders', {
      key, body, headers: { 'Idempotency-Key': idempotency_key },
    })
    return { ...opened, orderNo: envelope.data.order_no as string }
  }
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
    await move(page, 'Refund').click()
    await page.getByText('Done: Refund.').waitFor()
    await expect.poll(() => page.locator('.facts .status').innerText()).toBe('refunded')
    expect(await page.locator('.timeline .ahead').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('the page of an order follows what others do with it', async () => {
    const { page, orderNo } = await openWithOrder()
    await visit(page, `/orders/${orderNo}`)
    await page.locator('.facts').getByText('waiting for payment').waitFor()
    await stage.node.services.orders.move('pay', orderNo)
    await page.locator('.facts').getByText('paid', { exact: true }).waitFor()
  })

  /** The feed says only this, to every connection, until it is changed. */
  async function feedOf(page: Page) {
    const feed = { says: 'ready' }
    await page.route('**/console/api/live', (route) => route.fulfill({
      contentType: 'text/event-stream', body: `retry: 50\nevent: ${feed.says}\ndata: {}\n\n`,
    }))
    return feed
  }

  test.for(['order', 'list'] as const)('%s: what was missed is read at a reset', async (what) => {
    const { page, orderNo } = await openWithOrder()
    const feed = await feedOf(page)
    await visit(page, what === 'order' ? `/orders/${orderNo}` : '/orders')
    const status = page.locator('main .status').first()
    await status.getByText('waiting for payment').waitFor()
    await stage.node.services.orders.move('pay', orderNo)
    feed.says = 'reset'
    await status.getByText('paid', { exact: true }).waitFor()
  })

  test('a feed that is cut off says so, and comes back by itself', async () => {
    const { page } = await openWithOrder()
    await page.route('**/console/api/live', (route) => route.abort())
    await visit(page, '/live')
    await page.getByText('Reconnecting …').waitFor()
    await page.unroute('**/console/api/live')
    await page.locator('.connection.live').waitFor()
    await page.locator('[data-event=order]').first().waitFor()
  })

  test('somebody else\'s order is not there', async () => {
    const { orderNo } = await openWithOrder()
    const other = await openPage(stage)
    await signInAsNew(other)
    await other.page.goto(`/console/orders/${orderNo}`)
    await other.page.getByRole('alert').getByText('There is nothing here').waitFor()
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
