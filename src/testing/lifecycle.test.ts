/** An order's whole way, as an agent goes it: over REST, and on another node of the same ledger. */
import { afterAll, expect, test } from 'vitest'
import { orderInput } from './live.ts'
import { startTestNode } from './node.ts'

const node = await startTestNode()
const other = await startTestNode()
afterAll(async () => {
  await node.stop()
  await other.stop()
})

/** The most that a test orders at once. */
const PIECES = 3

async function itemInStock() {
  const { envelope } = await node.send('GET', '/v1/goods?page_size=50&sort=price_desc')
  const items = envelope.data.items as {
    available_qty: number, qty_cap: number, product_id: number, merchant_id: number, sku_id: number
  }[]
  // Of one good in twenty an order may have a few pieces only.
  const [item] = items
    .filter(({ available_qty, qty_cap }) => available_qty > 50 && qty_cap >= PIECES)
    .toSorted(() => Math.random() - 0.5)
  if (!item) throw new Error('the test catalogue has nothing in stock')
  return item
}

test('search, detail, order, replay, pay, shipped, delivered, completed', async () => {
  const key = await node.newKey()
  const item = await itemInStock()
  const detail = await node.send('GET', `/v1/goods/${item.sku_id}`)
  expect(detail.envelope.data).toMatchObject({
    product_id: item.product_id,
    agent_desc: expect.any(String),
    aftersale_rules: expect.any(String),
  })

  const { idempotency_key, ...body } = orderInput(item)
  const headers = { 'Idempotency-Key': `"${idempotency_key.toUpperCase()}"` }
  const first = await node.send('POST', '/v1/orders', { key, body, headers })
  expect(first).toMatchObject({ status: 200, envelope: { code: 0, data: {
    status: 'pending_payment', duplicate: false, render_hint: 'qrcode', expire_in_minutes: 30,
  } } })
  const { order_no, amount, pay_url } = first.envelope.data

  const replay = await other.send('POST', '/v1/orders', {
    key, body, headers: { 'Idempotency-Key': `urn:uuid:${idempotency_key}` },
  })
  expect(replay.status).toBe(200)
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
  expect(replay.envelope.data).toMatchObject({ order_no, amount, duplicate: true })

  const changed = await other.send('POST', '/v1/orders', {
    key, body: { ...body, qty: 2 }, headers,
  })
  expect(changed).toMatchObject({ status: 422, envelope: { code: 42200 } })
  expect(changed.text).not.toContain(order_no)

  const early = await node.send('GET', `/v1/orders/${order_no}/logistics`, { key })
  expect(early).toMatchObject({ status: 400, envelope: { code: 40002 } })

  await pay(pay_url)
  await expect.poll(async () =>
    (await other.send('GET', `/v1/orders/${order_no}`, { key })).envelope.data.status)
    .toBe('completed')

  const { envelope } = await node.send('GET', `/v1/orders/${order_no}`, { key })
  expect(envelope.data.events.map(({ event }: { event: string }) => event)).toEqual([
    'created', 'paid', 'merchant_accepted', 'shipped', 'delivered', 'completed',
  ])
  const logistics = await other.send('GET', `/v1/orders/${order_no}/logistics`, { key })
  expect(logistics.envelope.data).toMatchObject({
    waybill_no: expect.any(String), express_co: expect.any(String),
  })
  expect(logistics.envelope.data.traces.length).toBeGreaterThan(1)
})

test('another key sees of an order exactly what it sees of none', async () => {
  const [owner, stranger] = [await node.newKey(), await node.newKey()]
  const { idempotency_key, ...body } = orderInput(await itemInStock())
  const made = await node.send('POST', '/v1/orders', {
    key: owner, body, headers: { 'Idempotency-Key': idempotency_key },
  })
  const { order_no } = made.envelope.data
  const none = `${order_no.slice(0, -4)}0000`
  for (const path of ['', '/logistics', '/aftersales']) {
    const headers = { 'X-Request-Id': 'same' }
    const theirs = await node.send('GET', `/v1/orders/${order_no}${path}`,
      { key: stranger, headers })
    const nothing = await node.send('GET', `/v1/orders/${none}${path}`, { key: stranger, headers })
    expect(theirs.text).toBe(nothing.text)
    expect(theirs.status).toBe(nothing.status)
  }
  const list = await node.send('GET', '/v1/orders', { key: stranger })
  expect(list.envelope.data.items).toEqual([])
})

test('the receiver is masked in every answer', async () => {
  const key = await node.newKey()
  const { idempotency_key, ...body } = orderInput(await itemInStock())
  const made = await node.send('POST', '/v1/orders', {
    key, body, headers: { 'Idempotency-Key': idempotency_key },
  })
  const read = await node.send('GET', `/v1/orders/${made.envelope.data.order_no}`, { key })
  for (const { text } of [made, read]) {
    for (const secret of [body.receiver.name, body.receiver.phone, body.receiver.address]) {
      expect(text).not.toContain(secret)
    }
  }
  expect(read.envelope.data.receiver_masked).toMatchObject({ province: '浙江省' })
})

test('stock on every node follows an order within five seconds', async () => {
  const key = await node.newKey()
  const item = await itemInStock()
  const quantity = async (on: typeof node): Promise<number> =>
    (await on.send('GET', `/v1/goods/${item.sku_id}`)).envelope.data.available_qty
  const before = await quantity(other)
  const { idempotency_key, ...body } = orderInput(item)
  const { envelope } = await node.send('POST', '/v1/orders', {
    key, body: { ...body, qty: PIECES }, headers: { 'Idempotency-Key': idempotency_key },
  })
  expect(envelope).toMatchObject({ code: 0 })
  await expect.poll(() => quantity(node)).toBeLessThanOrEqual(before - PIECES)
  await expect.poll(() => quantity(other)).toBeLessThanOrEqual(before - PIECES)
})

test('a key revoked on one node is refused by the other within a second', async () => {
  const key = await node.newKey()
  expect((await other.send('GET', '/v1/orders', { key })).status).toBe(200)
  await node.services.apiKeys.revoke(key)
  expect((await node.send('GET', '/v1/orders', { key })).status).toBe(401)
  await expect.poll(async () => (await other.send('GET', '/v1/orders', { key })).status).toBe(401)
})

test('images, item page and open documents load', async () => {
  const { sku_id } = await itemInStock()
  const detail = await node.send('GET', `/v1/goods/${sku_id}`)
  for (const image of detail.envelope.data.images as string[]) {
    const { status, headers, text } = await node.send('GET', new URL(image).pathname)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^image\/svg/)
    expect(text).toMatch(/^<svg/)
  }
  expect((await node.send('GET', `/item/${sku_id}`)).text).toContain('<h1>')
  expect((await node.send('GET', '/openapi.json')).status).toBe(200)
  expect((await node.send('GET', '/readyz')).status).toBe(200)
})

async function pay(payUrl: string): Promise<void> {
  const { pathname, searchParams, search } = new URL(payUrl)
  const shown = await node.send('GET', `${pathname}${search}`)
  expect(shown.text).toContain('<svg')
  const t = searchParams.get('t') ?? ''
  const paid = await node.send('POST', pathname, {
    body: `t=${encodeURIComponent(t)}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  expect(paid.status).toBe(200)
}
