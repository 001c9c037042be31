/** An order over UCP is an order: its money, stock and events are those of one over REST. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrder } from '../operations/create-order.ts'
import { ledger as keys, partitionOf } from '../redis/keys.ts'
import { payOrder } from '../testing/document-client.ts'
import { ownLine, type OwnStores } from '../testing/goods.ts'
import type { TestNode } from '../testing/node.ts'
import { type TestPlatform, UCP_FULFILLMENT } from '../testing/ucp.ts'
import { openUcpShop, type UcpShop } from '../testing/ucp-shop.ts'
import { payAt } from '../testing/ucp-purchase.ts'

let shop: UcpShop
let node: TestNode
let stores: OwnStores
let platform: TestPlatform
/** With freight, and above the threshold without. */
const goods = [960_000, 960_001].map((id, at) => ownLine(id, {
  title: `云砾 砚台 ${at}`, retail_price: at === 0 ? 3000 : 9900, stock: 50,
}))
const RECEIVER = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
}

beforeAll(async () => {
  shop = await openUcpShop(goods)
  ;({ node, stores, platform } = shop)
})
afterAll(() => shop.close())

const stockOf = async (): Promise<number[]> => await Promise.all(goods.map(async ({ product_id }) =>
  Number(await stores.ledger.hget(keys.stock(partitionOf(product_id)), String(product_id)))))

type Buy = (key: string) => Promise<void>

const overRest: Buy = async (key) => {
  for (const { product_id, merchant_id } of goods) {
    const { envelope } = await node.rest(createOrder, {
      product_id, merchant_id, qty: 2, receiver: RECEIVER, idempotency_key: randomUUID(),
    }, key)
    await payOrder(node.url, envelope.data.pay_url)
  }
}

const overUcp: Buy = async (key) => {
  const { body: { id } } = await platform.mcp(node, 'create_checkout', { key, payload: {
    fulfillment: UCP_FULFILLMENT,
    line_items: goods.map(({ product_id }) => ({ item: { id: `${product_id}01` }, quantity: 2 })),
  } })
  const { body } = await platform.rest(node, 'complete_checkout', { key, id, payload: {} })
  await payAt(node, body.continue_url)
}

/** What differs between any two orders. */
const OWN = /"(order_no|agent|id|about|at|created_at|timestamp|waybill_no)":("[^"]*"|\d+)/g
const alike = (value: unknown): unknown => JSON.parse(JSON.stringify(value)
  .replaceAll(/"(AM|SX|ag_)[0-9A-Za-z_]+"/g, '"own"').replaceAll(OWN, '"$1":"own"'))

/** All that an agent sees of two orders that are completed. */
async function boughtBy(buy: Buy) {
  const key = await node.newKey()
  const before = await stockOf()
  await buy(key)
  const list = async () => (await node.send('GET', '/v1/orders', { key })).envelope.data.items
  await expect.poll(async () => (await list()).map(({ status }: { status: string }) => status))
    .toEqual(['completed', 'completed'])
  const events = async () =>
    (await node.send('GET', '/v1/events?limit=100', { key })).envelope.data.events
  await expect.poll(async () => (await events())
    .filter(({ type }: { type: string }) => type === 'commission.confirmed').length).toBe(2)
  const orders = await Promise.all((await list()).map(async ({ order_no }: { order_no: string }) =>
    (await node.send('GET', `/v1/orders/${order_no}`, { key })).envelope.data))
  const after = await stockOf()
  return {
    taken: before.map((count, at) => count - after[at]!),
    orders: alike(orders.toSorted((one, other) => one.amount - other.amount)),
    events: (alike(await events()) as object[]).map((one) => JSON.stringify(one)).toSorted(),
  }
}

test('two orders over UCP have the money, stock and events of the same over REST', async () => {
  const [rest, ucp] = [await boughtBy(overRest), await boughtBy(overUcp)]
  expect(rest.taken).toEqual([2, 2])
  expect(rest.orders)
    .toMatchObject([{ amount: 6800, freight: 800 }, { amount: 19_800, freight: 0 }])
  expect(rest.events.length).toBeGreaterThan(14)
  expect(ucp).toEqual(rest)
})
