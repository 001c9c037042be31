import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownLine } from '../testing/goods.ts'
import type { TestNode } from '../testing/node.ts'
import { type TestPlatform, UCP_FULFILLMENT, type UcpCall } from '../testing/ucp.ts'
import { openUcpShop, type UcpShop } from '../testing/ucp-shop.ts'
import { CHECKOUT } from './capabilities.ts'

let shop: UcpShop
let node: TestNode
let platform: TestPlatform
let key: string
const lines = [0, 1, 2].map((at) => ownLine(950_000 + at, {
  title: `云砾 毛巾 ${at}`, retail_price: 3000, stock: at === 2 ? 0 : 50, qty_cap: 5,
}))
const item = (at: number, quantity = 1) => ({ item: { id: `95000${at}01` }, quantity })

beforeAll(async () => {
  shop = await openUcpShop(lines)
  ;({ node, platform, key } = shop)
})
afterAll(() => shop.close())

const rest = (name: string, call: UcpCall = {}) => platform.rest(node, name, { key, ...call })
const mcp = (name: string, call: UcpCall = {}) => platform.mcp(node, name, { key, ...call })
const linesOf = ({ line_items }: { line_items: { item: { id: string }, quantity: number }[] }) =>
  line_items.map((line) => [line.item.id, line.quantity])
const codeOf = ({ body }: { body: { messages: { code: string }[] } }) => body.messages[0]?.code
const newCart = async (...items: object[]): Promise<string> =>
  (await rest('create_cart', { payload: { line_items: items } })).body.id

test('a cart is opened, read, replaced and dropped, over both transports', async () => {
  const opened = await mcp('create_cart', { payload: {
    line_items: [item(0, 2), item(2)], buyer: { first_name: '三' },
  } })
  const { id } = opened.body
  expect(opened.body).toMatchObject({
    currency: 'CNY', buyer: { first_name: '三' },
    line_items: [{ quantity: 2, item: { price: 3000 } }, { item: { id: '95000201' } }],
    messages: [{ code: 'out_of_stock', path: '$.line_items[1]' }],
  })
  expect((await rest('get_cart', { id })).body).toEqual(opened.body)
  const updated = await rest('update_cart', { id, payload: { line_items: [item(1)] } })
  expect(linesOf(updated.body)).toEqual([['95000101', 1]])
  expect(updated.body).not.toHaveProperty('buyer')
  expect(linesOf((await mcp('cancel_cart', { id })).body)).toEqual([['95000101', 1]])
  expect(codeOf(await rest('get_cart', { id }))).toBe('not_found')
  expect(codeOf(await rest('update_cart', { id, payload: { line_items: [item(1)] } })))
    .toBe('not_found')
})

test('a cart is its agent\'s alone, made once for a key, of something in stock', async () => {
  const idempotencyKey = randomUUID()
  const payload = { line_items: [item(0)] }
  const [one, two] = [await rest('create_cart', { payload, idempotencyKey }),
    await mcp('create_cart', { payload, idempotencyKey })]
  expect([one.status, two.body]).toEqual([201, one.body])
  expect(codeOf(await rest('get_cart', { id: one.body.id, key: await node.newKey() })))
    .toBe('not_found')
  expect(codeOf(await rest('create_cart', { payload: { line_items: [item(2)] } })))
    .toBe('out_of_stock')
  expect((await rest('create_cart', { payload: { line_items: [] } })).status).toBe(400)
})

test('a cart becomes one checkout, whatever else is sent, and both hold the same', async () => {
  const cartId = await newCart(item(0, 2), item(1))
  const convert = (call: UcpCall = {}) => rest('create_checkout', { ...call, payload: {
    cart_id: cartId, line_items: [item(1, 5)], fulfillment: UCP_FULFILLMENT,
  } })
  const idempotencyKey = randomUUID()
  const opened = await convert({ idempotencyKey })
  expect([opened.status, opened.body.status]).toEqual([201, 'ready_for_complete'])
  expect(linesOf(opened.body)).toEqual([['95000001', 2], ['95000101', 1]])
  const { id } = opened.body
  const again = await Promise.all([convert(), convert({ idempotencyKey: randomUUID() })])
  expect(again.map(({ body }) => body.id)).toEqual([id, id])
  expect(await convert({ idempotencyKey })).toEqual(opened)
  const other = await rest('create_checkout',
    { idempotencyKey, payload: { cart_id: cartId, line_items: [] } })
  expect([other.status, other.body.code]).toEqual([409, 'idempotency_mismatch'])
  await rest('update_checkout', { id, payload: {
    line_items: [item(1, 3)], fulfillment: UCP_FULFILLMENT, buyer: { last_name: '张' },
  } })
  const { body } = await rest('get_cart', { id: cartId })
  expect([linesOf(body), body.buyer]).toEqual([[['95000101', 3]], { last_name: '张' }])
  await rest('cancel_checkout', { id })
  const next = await convert()
  expect(next.body.id).not.toBe(id)
  expect(linesOf(next.body)).toEqual([['95000101', 3]])
  const completed = await rest('complete_checkout', { id: next.body.id, payload: {} })
  expect(completed.body.status).toBe('requires_escalation')
  expect(codeOf(await rest('get_cart', { id: cartId }))).toBe('not_found')
  expect(codeOf(await convert())).toBe('not_found')
})

test('conversions at once, and one that was cut, end in one checkout', async () => {
  const cartId = await newCart(item(0))
  const payload = { cart_id: cartId, line_items: [] }
  const made = await Promise.all(Array.from({ length: 4 }, () =>
    rest('create_checkout', { payload })))
  const [id] = new Set(made.map(({ body }) => body.id))
  expect(made.map(({ body }) => body.id)).toEqual([id, id, id, id])
  // As it is when a node ends after it opened the checkout and before it noted that.
  const { carts } = node.services
  const cutId = await newCart(item(1))
  const agent = (await node.services.checkouts.find(id))!.agent
  const cut = (await node.services.checkouts.open(agent, { lines: [], details: {} },
    { key: undefined, request: null }, {
      id: `CK${node.services.secrets.id('cart', agent, cutId, '0')}`, cart: cutId,
    })).id
  expect((await carts.read(agent, cutId)).checkout).toBeUndefined()
  expect((await rest('create_checkout', { payload: { cart_id: cutId, line_items: [] } })).body.id)
    .toBe(cut)
})

test('a platform without the capability converts none: it has to send lines', async () => {
  const cartId = await newCart(item(0))
  const { status } = await rest('create_checkout',
    { payload: { cart_id: cartId, line_items: [] }, profile: `/${CHECKOUT}` })
  expect(status).toBe(400)
  expect(codeOf(await rest('get_cart', { id: cartId, profile: `/${CHECKOUT}` })))
    .toBe('capabilities_incompatible')
})
