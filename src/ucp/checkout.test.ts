import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importCatalogue } from '../goods/import.ts'
import { ownLine, type OwnStores } from '../testing/goods.ts'
import type { TestNode } from '../testing/node.ts'
import {
  type TestPlatform, UCP_DESTINATION, UCP_FULFILLMENT, type UcpCall,
} from '../testing/ucp.ts'
import { openUcpShop, type UcpShop } from '../testing/ucp-shop.ts'
import { payAt } from '../testing/ucp-purchase.ts'
import { CHECKOUT } from './capabilities.ts'
import { deliveryOf, receiverOf } from './checkout/delivery.ts'

const [destination, fulfillment] = [UCP_DESTINATION, UCP_FULFILLMENT]

let shop: UcpShop
let node: TestNode
let stores: OwnStores
let platform: TestPlatform
let key: string

/** Free from 99.00, else 8.00. */
const lines = [0, 1, 2, 3, 4].map((at) => ownLine(920_000 + at, {
  title: `云砾 水壶 ${at}`, retail_price: 3000 + at * 1000, stock: at === 2 ? 1 : 50, qty_cap: 5,
}))
const item = (at: number, quantity = 1) => ({ item: { id: `92000${at}01` }, quantity })

beforeAll(async () => {
  shop = await openUcpShop(lines)
  ;({ node, stores, platform, key } = shop)
})
afterAll(() => shop.close())

const rest = (name: string, call: UcpCall = {}) => platform.rest(node, name, { key, ...call })
const mcp = (name: string, call: UcpCall = {}) => platform.mcp(node, name, { key, ...call })
const create = (payload: object, call: UcpCall = {}) =>
  rest('create_checkout', { payload, ...call })
const totalsOf = (body: { totals: { type: string, amount: number }[] }) =>
  Object.fromEntries(body.totals.map(({ type, amount }) => [type, amount]))

test('a checkout needs a key, and a platform that has the capability', async () => {
  const payload = { line_items: [item(0)] }
  expect((await platform.rest(node, 'create_checkout', { payload })).status).toBe(401)
  const { status, body } = await create(payload, { profile: '/x.y' })
  expect([status, body.messages[0].code]).toEqual([200, 'capabilities_incompatible'])
})

test('a new checkout has lines, totals with freight by the line, and what is missing', async () => {
  const { status, body } = await create({ line_items: [item(0, 2), item(1, 3)] })
  expect([status, body.status]).toEqual([201, 'incomplete'])
  expect(totalsOf(body)).toEqual({ subtotal: 18_000, fulfillment: 800, total: 18_800 })
  expect(body.line_items.map((line: { quantity: number, item: object }) =>
    [line.quantity, line.item])).toMatchObject([
    [2, { id: '92000001', price: 3000, title: '云砾 水壶 0' }], [3, { price: 4000 }]])
  expect(body.messages).toMatchObject([{
    code: 'field_required', severity: 'recoverable',
    path: '$.fulfillment.methods[0].selected_destination_id',
  }])
  expect(body.ucp).toMatchObject({ status: 'success', payment_handlers: {} })
  expect(Object.keys(body.ucp.capabilities)).toHaveLength(2)
})

test('each missing part of an address is named where it belongs', async () => {
  const { street_address: _, phone_number: __, ...partial } = destination
  const { body } = await create({ line_items: [item(0)], fulfillment: { methods: [{
    destinations: [{ ...partial, id: 'home' }], selected_destination_id: 'home',
  }] } })
  expect(body.messages.map(({ path }: { path: string }) => path.split('.').at(-1)))
    .toEqual(['phone_number', 'street_address'])
  const abroad = await create({ line_items: [item(0)], fulfillment: { methods: [{
    destinations: [{ ...destination, address_country: 'US' }] }] } })
  expect(abroad.body.messages[0].code).toBe('address_undeliverable')
})

test.each([
  ['杭州市西湖区', '文三路 1 号', '杭州市', '西湖区'],
  ['延边朝鲜族自治州延吉市', '光明街 1 号', '延边朝鲜族自治州', '延吉市'],
  ['杭州市', '西湖区文三路 1 号', '杭州市', '西湖区'],
  ['东莞市', '鸿福路 1 号', '东莞市', '东莞市'],
])('in %s, %s the city and the district are told apart', (locality, street, city, district) => {
  const found = receiverOf({
    ...deliveryOf({}), selected: 'a', destinations: [{
      ...destination, id: 'a', address_locality: locality, street_address: street,
    }],
  })
  expect(found).toMatchObject({ receiver: { city, district } })
})

test('lines beyond stock or cap are said, and an unknown item opens nothing', async () => {
  const { body } = await create({ line_items: [item(2, 2), item(0, 6)], fulfillment })
  expect(body.messages.map(({ code, path }: { code: string, path: string }) => [code, path]))
    .toEqual([['out_of_stock', '$.line_items[0]'], ['quantity_exceeded', '$.line_items[1]']])
  await importCatalogue(stores, [ownLine(920_005, { title: '云砾 水壶 5', stock: 0 })])
  expect((await create({ line_items: [item(5)] })).body).toMatchObject({
    ucp: { status: 'error' }, messages: [{ code: 'out_of_stock' }],
  })
  const unknown = await create({ line_items: [{ item: { id: '123' }, quantity: 1 }] })
  expect(unknown).toMatchObject({ status: 200, body: {
    ucp: { status: 'error' }, messages: [{ code: 'item_unavailable', severity: 'unrecoverable' }],
  } })
})

test('a checkout is updated, completed, paid in one act, and is an order', async () => {
  const opened = await mcp('create_checkout', { payload: { line_items: [item(0)] } })
  const { id } = opened.body
  const updated = await rest('update_checkout', { id, payload: {
    line_items: [{ ...item(0, 2), id: 'a' }, { ...item(1, 3), id: 'b' }], fulfillment,
    buyer: { first_name: '三', last_name: '张' },
  } })
  expect(updated.body).toMatchObject({
    id, status: 'ready_for_complete', buyer: { last_name: '张' },
    fulfillment: { methods: [{ type: 'shipping', line_item_ids: ['a', 'b'], groups: [{
      selected_option_id: 'standard', options: [{ id: 'standard', totals: [{ amount: 800 }] }],
    }] }] },
  })
  const completed = await rest('complete_checkout',
    { id, payload: {}, idempotencyKey: randomUUID() })
  expect(completed.body).toMatchObject({
    status: 'requires_escalation',
    messages: [{ code: 'payment_required', severity: 'requires_buyer_input' }],
  })
  expect(completed.body.fulfillment.methods[0]).toMatchObject({
    selected_destination_id: 'address', destinations: [{ address_region: '浙江省' }],
  })
  expect((await mcp('get_checkout', { id })).body).toEqual(completed.body)
  expect((await rest('get_order', { id: id.replace('CK', 'CO') })).body.messages[0].code)
    .toBe('not_found')
  expect((await rest('get_order', { id: 'xx' })).body.messages[0])
    .toMatchObject({ code: 'not_found', content: expect.stringContaining('id from order') })
  const { pathname, search } = new URL(completed.body.continue_url)
  expect((await node.send('GET', pathname + search)).text).toContain('云砾 水壶 1')
  expect(await payAt(node, completed.body.continue_url)).toContain('This order is paid')
  const done = await rest('get_checkout', { id })
  expect(done.body).toMatchObject({ status: 'completed', order: { id: id.replace('CK', 'CO') } })
  expect(done.body).not.toHaveProperty('continue_url')
  const order = await mcp('get_order', { id: done.body.order.id })
  expect(order.body).toMatchObject({
    checkout_id: id, currency: 'CNY',
    line_items: [
      { id: 'a', quantity: { original: 2, total: 2 } }, { id: 'b', quantity: { original: 3 } }],
    fulfillment: {
      expectations: [{ method_type: 'shipping', description: 'Standard delivery' }, {}],
    },
  })
  expect(totalsOf(order.body)).toEqual({ subtotal: 18_000, fulfillment: 800, total: 18_800 })
  const late = await rest('update_checkout', { id, payload: { line_items: [item(0)] } })
  expect(late.body.messages[0].code).toBe('order_state')
  await expect.poll(async () => (await rest('get_order', { id: done.body.order.id })).body
    .line_items.map(({ status }: { status: string }) => status))
    .toEqual(['fulfilled', 'fulfilled'])
  const events = (await rest('get_order', { id: done.body.order.id })).body.fulfillment.events
  expect(events.map(({ type }: { type: string }) => type)).toContain('shipped')
  const [{ tracking_number: number, tracking_url: url, carrier }] = events
  expect(number).toMatch(/\w/)
  const page = await node.send('GET', `${new URL(url).pathname}${new URL(url).search}`)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(`${carrier} ${number}`)])
})

test('a line that is sold meanwhile is named, and nothing is ordered', async () => {
  const { body: { id } } = await create({ line_items: [item(3), item(2)], fulfillment })
  const other = await create({ line_items: [item(2)], fulfillment })
  const taken = await rest('complete_checkout', { id: other.body.id, payload: {} })
  expect(taken.body.status).toBe('requires_escalation')
  const refused = await rest('complete_checkout', { id, payload: {} })
  expect(refused.body).toMatchObject({
    status: 'incomplete', messages: [{ code: 'out_of_stock', path: '$.line_items[1]' }],
  })
  const mine = await node.send('GET', '/v1/orders', { key })
  expect(JSON.stringify(mine.envelope.data)).not.toContain('云砾 水壶 3')
  await rest('cancel_checkout', { id: other.body.id })
  expect((await rest('get_checkout', { id: other.body.id })).body.status).toBe('canceled')
  expect((await rest('complete_checkout', { id, payload: {} })).body.status)
    .toBe('requires_escalation')
})

test('the same key repeats an answer, and with another request it is a conflict', async () => {
  const idempotencyKey = randomUUID()
  const payload = { line_items: [item(0)], fulfillment }
  const [one, two] = [await create(payload, { idempotencyKey }), await create(payload,
    { idempotencyKey: idempotencyKey.toUpperCase() })]
  expect(two.body).toEqual(one.body)
  const other = await create({ line_items: [item(1)] }, { idempotencyKey })
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch'])
  const overMcp = await mcp('create_checkout',
    { payload: { line_items: [item(1)] }, idempotencyKey })
  expect([overMcp.status, overMcp.body.error.code]).toEqual([409, -32_000])
  expect((await create(payload, { idempotencyKey: '{x}' })).status).toBe(400)
})

test('a key completes with one request, whatever became of the checkout', async () => {
  const { body: { id } } = await create({ line_items: [item(0)], fulfillment })
  const idempotencyKey = randomUUID()
  const complete = (payload: object) => rest('complete_checkout', { id, payload, idempotencyKey })
  const one = await complete({ note: 'a' })
  expect(one.body.status).toBe('requires_escalation')
  expect((await complete({ note: 'a' })).body).toEqual(one.body)
  const other = await complete({ note: 'b' })
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch'])
  await rest('cancel_checkout', { id, idempotencyKey })
  const { body: { id: second } } = await create({ line_items: [item(0)], fulfillment })
  expect((await rest('cancel_checkout', { id: second, idempotencyKey })).status).toBe(409)
})

test('a changed price is shown before it is paid', async () => {
  const { body: { id } } = await create({ line_items: [item(4)], fulfillment })
  await importCatalogue(stores, [{ ...lines[4]!, retail_price: 7500 }])
  const { body } = await rest('complete_checkout', { id, payload: {} })
  expect(body).toMatchObject({ status: 'incomplete', messages: [{ code: 'price_changed' }] })
  expect(totalsOf(body)).toMatchObject({ subtotal: 7500 })
  expect((await rest('complete_checkout', { id, payload: {} })).body.status)
    .toBe('requires_escalation')
})

test('a cancelled checkout is over, and another agent sees none', async () => {
  const { body: { id } } = await create({ line_items: [item(0)], fulfillment })
  const stranger = await node.newKey()
  expect((await rest('get_checkout', { id, key: stranger })).body.messages[0].code)
    .toBe('not_found')
  expect((await rest('cancel_checkout', { id })).body.status).toBe('canceled')
  expect((await rest('complete_checkout', { id, payload: {} })).body.messages[0].code)
    .toBe('order_state')
  expect((await rest('cancel_checkout', { id })).body.ucp.status).toBe('error')
})

test('without the extension of fulfillment a checkout says that it needs one', async () => {
  const { body } = await create({ line_items: [item(0)], fulfillment }, { profile: `/${CHECKOUT}` })
  expect(body).not.toHaveProperty('fulfillment')
  expect(body.messages.map(({ code }: { code: string }) => code)).toEqual(['fulfillment_required'])
})
