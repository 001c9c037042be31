import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { OrderLine } from '../../adapters/index.ts'
import { keepOrder } from '../affiliate/mall-orders.ts'
import { nowMs } from '../contract/time.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openOwner } from '../testing/console.ts'
import { startTestNode } from '../testing/node.ts'
import { attemptAt, supplyProduct } from '../testing/products.ts'

/** Nothing moves by itself here: what happens is what the owner does. */
const node = await startTestNode({ sandboxStepMs: 3_600_000, sandboxCompleteMs: 3_600_000 })
afterAll(() => node.stop())

type Owner = Awaited<ReturnType<typeof openOwner>>

async function order(apiKey: string, at = node): Promise<string> {
  const product = await supplyProduct(at.services.ledger)
  const { idempotency_key, ...body } = attemptAt(product)
  const placed = await at.send('POST', '/v1/orders', {
    key: apiKey, body, headers: { 'Idempotency-Key': idempotency_key },
  })
  return placed.envelope.data.order_no
}

const listed = async ({ browser }: Owner, query = '') =>
  (await browser.call('GET', `/orders${query}`)).envelope.data

const move = async ({ browser }: Owner, orderNo: string, name: string) =>
  await browser.call('POST', `/orders/${orderNo}/moves`, { move: name })

type Row = Record<string, any> // oxlint-disable-line typescript/no-explicit-any

const numbersOf = ({ items }: { items: Row[] }): string[] => items.map((row) => row['order_no'])

/** An owner with two agents, whose orders are given the newest first. */
async function openWithOrders(count: number) {
  const owner = await openOwner(node)
  const second = (await owner.browser.call('POST', '/agents', { label: 'second' }))
    .envelope.data as { agent: string, api_key: string }
  const orderNos: string[] = []
  for (let index = 0; index < count; index += 1) {
    orderNos.unshift(await order(index % 2 ? second.api_key : owner.apiKey))
  }
  await expect.poll(async () => (await listed(owner)).total).toBe(count)
  return { ...owner, second, orderNos }
}

test('orders of all agents are one list in pages, or one agent\'s', async () => {
  const owner = await openWithOrders(6)
  const { orderNos, second } = owner
  const pages = [await listed(owner, '?limit=4'), await listed(owner, '?limit=4&page=2')]
  expect(pages.flatMap(numbersOf)).toEqual(orderNos)
  expect(pages[1]).toMatchObject({ page: 2, total: 6, looked_through: 6, in_range: 6 })
  expect(await listed(owner, '?limit=4&page=9')).toMatchObject({ page: 2 })
  expect(numbersOf(await listed(owner, '?sort=oldest'))).toEqual(orderNos.toReversed())
  const one = await listed(owner, `?agent=${second.agent}`)
  expect(one.items).toMatchObject([1, 2, 3].map(() =>
    ({ agent: second.agent, agent_label: 'second' })))
  const broken = await owner.browser.call('GET', '/orders?page=0')
  expect(broken.envelope.data.fields).toMatchObject([{ path: 'page' }])
})

test('orders are found by status, number, user_ref and day, and sorted by amount', async () => {
  const owner = await openWithOrders(4)
  const { orderNos: [newest = '', , third = ''], browser } = owner
  const dear = await supplyProduct(node.services.ledger, { price: 90_000 })
  const { idempotency_key, ...body } = attemptAt(dear, { user_ref: 'User-77' })
  const { order_no: large } = (await node.send('POST', '/v1/orders', {
    key: owner.apiKey, body, headers: { 'Idempotency-Key': idempotency_key },
  })).envelope.data
  await expect.poll(async () => (await listed(owner)).total).toBe(5)
  await move(owner, newest, 'pay')
  expect(await listed(owner, '?status=paid')).toMatchObject(
    { items: [{ order_no: newest }], total: 1, looked_through: 5 })
  expect(numbersOf(await listed(owner, `?q=${third.toLowerCase()}`))).toEqual([third])
  expect(numbersOf(await listed(owner, `?q=${third.slice(3)}`))).toEqual([third])
  expect((await listed(owner, '?q=user-7')).items).toMatchObject([{ user_ref: 'User-77' }])
  expect(numbersOf(await listed(owner, '?sort=amount_desc'))[0]).toBe(large)
  expect(numbersOf(await listed(owner, '?sort=amount_asc')).at(-1)).toBe(large)
  expect(await listed(owner, '?to=2026-01-01')).toMatchObject({ items: [], in_range: 0 })
  expect(await listed(owner, '?from=2026-01-01&status=')).toMatchObject({ in_range: 5 })
  expect((await browser.call('GET', '/orders?from=2026-02-31')).status).toBe(400)
  const stranger = await openOwner(node)
  expect(await listed(stranger, `?q=${third}`)).toMatchObject({ items: [], total: 0 })
  expect(await listed(owner, `?q=${third}&status=paid`)).toMatchObject({ items: [] })
})

/** A download: its lines, without the byte order mark at its beginning. */
async function fileOf({ browser }: Pick<Owner, 'browser'>, path: string): Promise<string[]> {
  const answer = await fetch(`${node.url}/console/api/files/${path}`,
    { headers: { Cookie: browser.cookie } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([answer.status, bytes.subarray(0, 3).toString('hex')]).toEqual([200, 'efbbbf'])
  return bytes.subarray(3).toString().trim().split('\n')
}

test('a list is downloaded as a file, in yuan and without formulas in names',
  async () => {
    const owner = await openWithOrders(3)
    await owner.browser.call('PATCH', `/agents/${owner.agent}`, { label: '=1+1 helper' })
    const [head = '', ...lines] = await fileOf(owner, 'orders')
    expect(head).toMatch(/^order_no,created_at,status,agent,agent_name,user_ref,/)
    expect(lines.map((line) => line.split(',')[0])).toEqual(owner.orderNos)
    expect(lines.filter((line) => line.includes(`,${owner.agent},'=1+1 helper,`))).toHaveLength(2)
    expect(lines[0]).toMatch(/,25\.90,,$/)
    expect(await fileOf(owner, `orders?agent=${owner.second.agent}&sort=oldest`)).toHaveLength(2)
    expect(await fileOf(owner, 'orders?status=paid')).toHaveLength(1)
    const stranger = await openOwner(node)
    const refused = [`orders?agent=${owner.agent}`, 'orders?status=lost', 'nothing']
      .map((path) => node.send('GET', `/console/api/files/${path}`,
        { headers: { Cookie: stranger.browser.cookie } }))
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([404, 400, 404])
  })

/** As a platform reports it, by a link of the agent's. */
async function purchase(agent: string, more: Partial<OrderLine> = {}): Promise<string> {
  const { ledger } = node.services
  const mark = randomUUID()
  const at = nowMs()
  const line: OrderLine = {
    source: 'mall_b', line_id: randomUUID(), order_no: '2817', item_id: 'i1', title: '保温杯',
    qty: 1, amount: 12_345, commission: { bps: 300, fen: 370 }, status: 'paid', mall_status: '16',
    sub_id: mark, ordered_at: at, paid_at: at, updated_at: at, ...more,
  }
  await ledger.hset(keys.subId(line.source, mark), 'agent', agent)
  await keepOrder(ledger, line, 'sandbox')
  return `${line.source}:${line.line_id}`
}

const bought = async ({ browser }: Owner, query = '') =>
  (await browser.call('GET', `/purchases${query}`)).envelope.data

test('purchases at platforms are a list of their own, each with its commission', async () => {
  const owner = await openOwner(node)
  const first = await purchase(owner.agent, { updated_at: 1_790_000_000_000 })
  const second = await purchase(owner.agent,
    { source: 'food', status: 'invalid', title: '外卖红包', order_no: '77', amount: 500 })
  const all = await bought(owner)
  expect(all.items.map(({ purchase: id }: Row) => id)).toEqual([second, first])
  expect(all).toMatchObject({ total: 2, in_range: 2 })
  const names = async (query: string) =>
    (await bought(owner, query)).items.map(({ purchase: id }: Row) => id)
  expect(await names('?source=food')).toEqual([second])
  expect(await names('?status=paid')).toEqual([first])
  expect(await names('?q=红包')).toEqual([second])
  expect(await names('?q=2817')).toEqual([first])
  expect(await names('?sort=amount_asc')).toEqual([second, first])
  await node.services.ledger.hset(keys.records(owner.account, 'sandbox'), first,
    JSON.stringify({ state: 'pending', amount: 12_345, bps: 500, commission: 617 }))
  expect((await owner.browser.call('GET', `/purchases/${first}`)).envelope.data).toMatchObject({
    purchase: first, source: 'mall_b', mall_order_no: '2817', item_id: 'mall_b:i1',
    agent: owner.agent, agent_label: 'first', amount: 12_345,
    commission: { state: 'pending', amount: 617, bps: 500 },
  })
  const lines = await fileOf(owner, 'purchases?source=mall_b')
  expect(lines[1]).toMatch(/^mall_b,2817,.*,first,mall_b:i1,保温杯,1,123\.45,6\.17,pending$/)
})

test('another account\'s purchases do not exist', async () => {
  const [owner, stranger] = [await openOwner(node), await openOwner(node)]
  const id = await purchase(owner.agent)
  expect(await bought(stranger)).toMatchObject({ items: [], in_range: 0 })
  const answers = [
    await stranger.browser.call('GET', `/purchases/${id}`),
    await stranger.browser.call('GET', `/purchases?agent=${owner.agent}`),
    await owner.browser.call('GET', '/purchases/mall_b:none'),
    await owner.browser.call('GET', '/purchases/own:1'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 400])
})

test('another account\'s orders and agents do not exist', async () => {
  const [owner, stranger] = [await openOwner(node), await openOwner(node)]
  const orderNo = await order(owner.apiKey)
  const answers = [
    await stranger.browser.call('GET', `/orders/${orderNo}`),
    await stranger.browser.call('GET', `/orders?agent=${owner.agent}`),
    await move(stranger, orderNo, 'pay'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  expect((await owner.browser.call('GET', `/orders/${orderNo}`)).envelope.data)
    .toMatchObject({ status: 'pending_payment', agent: owner.agent })
})

test('an owner pays, ships, delivers and refunds an order of the sandbox', async () => {
  const owner = await openOwner(node)
  const orderNo = await order(owner.apiKey)
  const early = await move(owner, orderNo, 'deliver')
  expect([early.status, early.envelope.data]).toEqual([409,
    expect.objectContaining({ error: 'order_state', status: 'pending_payment' })])
  const statuses = []
  for (const name of ['pay', 'accept', 'ship', 'deliver']) {
    statuses.push((await move(owner, orderNo, name)).envelope.data.status)
  }
  expect(statuses).toEqual(['paid', 'merchant_accepted', 'shipped', 'delivered'])
  const { events } = (await owner.browser.call('GET', `/orders/${orderNo}`)).envelope.data
  expect(events.map(({ event }: { event: string }) => event))
    .toEqual(['created', 'paid', 'merchant_accepted', 'shipped', 'delivered'])
  expect(events[3].detail).toMatchObject({ waybill_no: expect.stringMatching(/^SX\d{12}$/) })
  expect((await move(owner, orderNo, 'refund')).envelope.data.status).toBe('refunded')
})

test('an owner restores the after-sale quota of a person', async () => {
  const owner = await openOwner(node)
  const placed: string[] = []
  for (let at = 0; at < 6; at += 1) {
    const orderNo = await order(owner.apiKey)
    for (const name of ['pay', 'accept', 'ship', 'deliver']) await move(owner, orderNo, name)
    placed.push(orderNo)
  }
  const ask = (orderNo: string) => node.send('POST', `/v1/orders/${orderNo}/aftersales`, {
    key: owner.apiKey, body: { type: 'return_refund', reason_class: 'quality' },
  })
  for (const orderNo of placed.slice(0, 5)) expect((await ask(orderNo)).status).toBe(200)
  const last = placed[5] ?? ''
  const refused = await ask(last)
  expect(refused.envelope.data).toMatchObject({
    error: 'aftersale_quota', hint: expect.stringMatching(/user_ref.*restore_quota/),
  })
  expect((await move(owner, last, 'restore_quota')).envelope.data.status).toBe('delivered')
  expect((await ask(last)).envelope.data).toMatchObject({ quota_left: 4 })
})

test('an owner completes a delivered order', async () => {
  const owner = await openOwner(node)
  const orderNo = await order(owner.apiKey)
  expect((await move(owner, orderNo, 'complete')).status).toBe(409)
  for (const name of ['pay', 'accept', 'ship', 'deliver']) await move(owner, orderNo, name)
  expect((await move(owner, orderNo, 'complete')).envelope.data.status).toBe('completed')
})

test('a delayed order says when its next step is due, and so does a return', async () => {
  const owner = await openOwner(node)
  const orderNo = await order(owner.apiKey)
  expect((await move(owner, orderNo, 'delay')).status).toBe(409)
  const HOUR_MS = 3_600_000
  const soon = (at: string): boolean => Math.abs(Date.parse(at) - nowMs() - HOUR_MS) < 600_000
  await move(owner, orderNo, 'pay')
  const { data } = (await move(owner, orderNo, 'delay')).envelope
  expect(data).toMatchObject({ status: 'paid', agent_label: 'first', upcoming: [
    { event: 'merchant_accepted', at: expect.toSatisfy(soon) }, { event: 'shipped' },
    { event: 'delivered' }, { event: 'completed' },
  ] })
  expect(data).not.toHaveProperty('logistics')
  for (const name of ['accept', 'ship', 'deliver']) await move(owner, orderNo, name)
  await node.send('POST', `/v1/orders/${orderNo}/aftersales`, {
    key: owner.apiKey, body: { type: 'return_refund', reason_class: 'quality' },
  })
  const dueOf = async () => Number(await node.services.ledger.zscore(
    keys.afterDue(partitionOfOrder(orderNo) ?? 0), orderNo))
  const before = await dueOf()
  const returned = (await move(owner, orderNo, 'delay')).envelope.data
  expect(await dueOf()).toBeGreaterThan(before)
  expect(returned.upcoming.map((step: Row) => step['aftersale_status'])).toEqual(
    ['approved', 'pickup_booked', 'returning', 'received', 'refunded'])
  expect(returned).toMatchObject({
    logistics: { waybill_no: expect.stringMatching(/^SX/) },
    aftersales: [{ status: 'requested', type: 'return_refund', events: [{ status: 'requested' }] }],
  })
  expect(returned.logistics.traces.at(-1)).toMatchObject({ context: '快件已签收' })
})

test('an order has its commission', async () => {
  const owner = await openOwner(node)
  const orderNo = await order(owner.apiKey)
  await move(owner, orderNo, 'pay')
  const read = async () => (await owner.browser.call('GET', `/orders/${orderNo}`)).envelope.data
  await expect.poll(async () => (await read()).commission)
    .toEqual({ state: 'pending', amount: 129, bps: 500 })
  expect((await listed(owner)).items[0].commission).toMatchObject({ amount: 129 })
  await move(owner, orderNo, 'refund')
  await expect.poll(async () => (await read()).commission).toMatchObject({ state: 'reversed' })
})

test('outside of the sandbox an owner makes no move of the merchant', async () => {
  const real = await startTestNode({ sandbox: false })
  try {
    const owner = await openOwner(real)
    const answer = await owner.browser.call('POST', `/orders/AM000000000000000000/moves`,
      { move: 'pay' })
    expect([400, 503]).toContain(answer.status)
    const { envelope } = await owner.browser.call('POST',
      `/orders/${await order(owner.apiKey, real)}/moves`, { move: 'pay' })
    expect(envelope.data.error).toBe('not_configured')
  } finally {
    await real.stop()
  }
})
