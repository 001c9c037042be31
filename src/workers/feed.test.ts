import { afterAll, beforeAll, expect, test } from 'vitest'
import { FEED_MAX, readFeed } from '../orders/feed.ts'
import { ledger as keys } from '../redis/keys.ts'
import { readOutboxes, STREAM_START, type OutboxEvent } from '../redis/streams.ts'
import { orderEffects } from './order-effects.ts'
import { attemptAt, newBuyer, openShop, supplyProduct, type Shop } from '../testing/products.ts'

let shop: Shop
beforeAll(async () => { shop = await openShop() })
afterAll(() => shop.close())

/** What the outbox says of a new order that was moved along. */
async function eventsOfAnOrder() {
  const product = await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
  for (const name of ['pay', 'accept', 'ship'] as const) await shop.orders.move(name, orderNo)
  await shop.orders.requestAftersale({ order_no: orderNo, type: 'return_refund' }, buyer)
  await shop.orders.cancelAftersale(buyer.agent, orderNo)
  const [all = []] = await readOutboxes(
    shop.ledger, [product.partition], () => STREAM_START, 100_000)
  return { agent: buyer.agent, orderNo, events: all.filter((one) => one.orderNo === orderNo) }
}

test('a feed tells each step of an order and its after-sale, in order', async () => {
  const { agent, orderNo, events } = await eventsOfAnOrder()
  await orderEffects(shop).handle(events)
  const feed = await readFeed(shop.ledger, agent, undefined, 100)
  expect(feed.map(({ event, aftersale_status }) => aftersale_status ?? event)).toEqual([
    'created', 'paid', 'merchant_accepted', 'shipped', 'aftersale_requested', 'requested',
    'cancelled',
  ])
  expect(new Set(feed.map(({ order_no }) => order_no))).toEqual(new Set([orderNo]))
})

test('it goes on after any place, and what is handled again comes once', async () => {
  const { agent, events } = await eventsOfAnOrder()
  const consumer = orderEffects(shop)
  await consumer.handle(events.slice(0, 3))
  const before = await readFeed(shop.ledger, agent, undefined, 100)
  await Promise.all([1, 2, 3].map(() => consumer.handle(events)))
  const after = await readFeed(shop.ledger, agent, before.at(-1)?.id, 100)
  expect(before.length + after.length).toBe(events.length)
})

test('what could not be added is added when it is tried again', async () => {
  const { agent, events } = await eventsOfAnOrder()
  const consumer = orderEffects(shop)
  await shop.ledger.set(keys.feed(agent), 'of another kind')
  await expect(consumer.handle(events)).rejects.toThrow('WRONGTYPE')
  await shop.ledger.del(keys.feed(agent))
  await consumer.handle(events)
  expect(await readFeed(shop.ledger, agent, undefined, 100)).toHaveLength(events.length)
})

test('it is bounded and does not outlive its use', async () => {
  const { agent, events } = await eventsOfAnOrder()
  const [event] = events as [OutboxEvent]
  const many = Array.from({ length: FEED_MAX + 50 }, (_, index) =>
    ({ ...event, id: `${index + 1}-0` }))
  await orderEffects(shop).handle(many)
  expect(await shop.ledger.xlen(keys.feed(agent))).toBe(FEED_MAX)
  expect(await shop.ledger.pttl(keys.feed(agent))).toBeGreaterThan(0)
  expect(await shop.ledger.pttl(keys.feedKnown(agent))).toBeGreaterThan(0)
})
