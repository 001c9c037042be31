import { randomUUID } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importCatalogue } from '../goods/import.ts'
import { ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { servePlatform, type TestPlatform, type UcpCall } from '../testing/ucp.ts'
import { completeAt, purchaseAt } from '../testing/ucp-purchase.ts'
import { ORDER, RETURNS, RETURNS_SCHEMA_PATH, RETURNS_SPEC_PATH } from './capabilities.ts'

let node: TestNode
let stores: OwnStores
let platform: TestPlatform
let key: string
const variants = ['93000001', '93000101']

/** Orders that are delivered stay so. */
const startShop = (sandboxStepMs: number): Promise<TestNode> => startTestNode({
  redis: { ...stores.urls, counters: stores.urls.ledger }, sandboxStepMs,
  sandboxCompleteMs: 3_600_000,
})

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, [0, 1].map((at) => ownLine(930_000 + at, {
    title: `云砾 雨伞 ${at}`, retail_price: 3000 + at * 1000, stock: 50,
  })))
  platform = await servePlatform()
  node = await startShop(30)
  key = await node.newKey()
})
afterAll(async () => {
  await node.stop()
  stores.close()
  platform.close()
})

const rest = (name: string, call: UcpCall = {}) => platform.rest(node, name, { key, ...call })
const mcp = (name: string, call: UcpCall = {}) => platform.mcp(node, name, { key, ...call })

async function deliveredOrder(): Promise<string> {
  const { orderId: id } = await purchaseAt(platform, node, { variants, key })
  await expect.poll(async () => (await rest('get_order', { id })).body.fulfillment.events
    .filter(({ type }: { type: string }) => type === 'delivered').length).toBe(2)
  return id
}

test('a line is returned as a preview said, once for its key, and each step is told', async () => {
  const id = await deliveredOrder()
  const payload = { line_item_id: 'li_2', type: 'return', reason_code: 'quality', reason: '漏水' }
  const preview = await mcp('preview_return', { id, payload })
  expect(preview.body).toMatchObject({
    order_id: id, line_item_id: 'li_2', eligible: true, refund: { amount: 4800, currency: 'CNY' },
    return_shipping: { paid_by: 'business' }, requests_left: 5,
  })
  expect((await rest('list_returns', { id })).body.returns).toEqual([])
  const idempotencyKey = randomUUID()
  const made = await rest('request_return', { id, payload, idempotencyKey })
  expect(made.status).toBe(201)
  expect(made.body.return).toMatchObject({
    line_item_id: 'li_2', quantity: 1, type: 'return', reason: '漏水', reason_code: 'quality',
    refund: { amount: 4800 },
  })
  const again = await mcp('request_return', { id, payload, idempotencyKey })
  expect(again.body.return.id).toBe(made.body.return.id)
  const other = await rest('request_return',
    { id, payload: { ...payload, reason: '坏了' }, idempotencyKey })
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch'])
  await expect.poll(async () => (await mcp('list_returns', { id })).body.returns
    .map(({ status }: { status: string }) => status)).toEqual(['refunded'])
  const { body } = await rest('list_returns', { id })
  expect(body.returns[0].events.map(({ status }: { status: string }) => status))
    .toEqual(['requested', 'approved', 'pickup_booked', 'returning', 'received', 'refunded'])
  const order = await rest('get_order', { id })
  expect(order.body.adjustments).toMatchObject([{
    id: made.body.return.id, type: 'return', status: 'completed',
    line_items: [{ id: 'li_2', quantity: -1 }], totals: [{ amount: -4800 }],
  }])
  // Over REST of our own it is the after-sale of that line's order.
  const { envelope: { data } } = await node.send('GET', '/v1/orders', { key })
  const { order_no } = data.items.find(({ items }: { items: { title: string }[] }) =>
    items[0]?.title === '云砾 雨伞 1')
  const listed = await node.send('GET', `/v1/orders/${order_no}/aftersales`, { key })
  expect(listed.envelope.data.items.map((one: { aftersale_id: string }) => one.aftersale_id))
    .toEqual([made.body.return.id])
})

test('what cannot be returned says why', async () => {
  const id = await deliveredOrder()
  const keep = { line_item_id: 'li_1', type: 'refund' }
  expect((await rest('preview_return', { id, payload: keep })).body)
    .toMatchObject({ eligible: false, why: expect.stringContaining('reason_class') })
  const refused = await rest('request_return', { id, payload: keep })
  expect(refused.body).toMatchObject({
    ucp: { status: 'error' }, messages: [{ code: 'aftersale_refused' }],
  })
  expect(refused.body.messages[0].content).toContain('keep the goods')
  const unknown = await rest('request_return', { id, payload: { ...keep, line_item_id: 'x' } })
  expect(unknown.body.messages[0].code).toBe('line_item_not_found')
})

test('an unpaid order, and one of another agent, has no returns', async () => {
  const { orderId: id } = await completeAt(platform, node, { variants, key })
  expect((await rest('list_returns', { id })).body.messages[0].code).toBe('not_found')
  const paid = await deliveredOrder()
  const stranger = await node.newKey()
  expect((await mcp('list_returns', { id: paid, key: stranger })).body.messages[0].code)
    .toBe('not_found')
  expect((await rest('list_returns', { id: paid, profile: `/${ORDER}` })).body.messages[0].code)
    .toBe('capabilities_incompatible')
  expect((await rest('list_returns', { id: paid, profile: `/${RETURNS}` })).body.ucp.capabilities)
    .toEqual({ [RETURNS]: [{ version: '2026-11-26' }] })
})

test('the published schema is that of the answers, where the profile names it', async () => {
  const { ucp } = JSON.parse((await node.send('GET', '/.well-known/ucp')).text)
  const [{ schema, spec }] = ucp.capabilities[RETURNS]
  expect([new URL(schema).pathname, new URL(spec).pathname])
    .toEqual([RETURNS_SCHEMA_PATH, RETURNS_SPEC_PATH])
  const { headers, text } = await node.send('GET', RETURNS_SCHEMA_PATH)
  expect(headers.get('content-type')).toBe('application/schema+json')
  const published = JSON.parse(text)
  expect([published.$id, published.name]).toEqual([schema, RETURNS])
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const id = await deliveredOrder()
  const payload = { line_item_id: 'li_1', type: 'return' }
  const isValid = ajv.compile(published)
  const fits = (definition: string, value: object): boolean =>
    ajv.validate({ $ref: `${schema}#/$defs/${definition}` }, value)
  expect(fits('request', payload)).toBe(true)
  expect(fits('request', { type: 'return' })).toBe(false)
  expect(fits('preview', (await rest('preview_return', { id, payload })).body)).toBe(true)
  expect(fits('requested', (await rest('request_return', { id, payload })).body)).toBe(true)
  const { body } = await rest('list_returns', { id })
  expect(isValid(body)).toBe(true)
  expect(isValid({ ...body, returns: [{ ...body.returns[0], status: 'odd' }] })).toBe(false)
  const page = await node.send('GET', RETURNS_SPEC_PATH)
  expect(page.text).toContain('`POST /orders/{id}/returns/preview`')
})

test('an open return is taken back, and another one may follow it', async () => {
  const id = await deliveredOrder()
  await node.stop()
  node = await startShop(3_600_000)
  const payload = { line_item_id: 'li_1', type: 'return', pickup: false }
  const none = await rest('cancel_return', { id, payload: { line_item_id: 'li_1' } })
  expect(none.body.ucp.status).toBe('error')
  await rest('request_return', { id, payload })
  const open = await rest('request_return', { id, payload: { ...payload, reason: '太大' } })
  expect(open.body.messages[0].content).toContain('open after-sale already')
  const { body } = await mcp('cancel_return', { id, payload: { line_item_id: 'li_1' } })
  expect(body.return).toMatchObject({ line_item_id: 'li_1', status: 'canceled' })
  expect((await rest('get_order', { id })).body.adjustments).toMatchObject([{ status: 'failed' }])
  expect((await rest('request_return', { id, payload: { ...payload, reason: '太大' } })).status)
    .toBe(201)
})
