import { expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { FEED_MAX, readOutboxes, STREAM_START, type OutboxEvent } from '../redis/streams.ts'
import { readWith } from '../redis/send.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { eventOf } from './describe.ts'
import { readNext, streamsOf, type Positions } from './read-events.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, supplyProduct } from '../testing/products.ts'

/** Other tests' nodes would put the events into the feed themselves. */
const shop = await openOwnShop()

/** An agent's events behind its positions, which move on. */
async function read(agent: string, positions: Positions = new Map()) {
  const audience = { account: 'ac_nobody', agent, mode: 'sandbox' } as const
  const streams = await streamsOf(shop.ledger, audience)
  const { entries } = await readNext(readWith(shop.ledger), streams, positions)
  for (const { stream, id } of entries) positions.set(stream.name, id)
  return entries.flatMap((entry) => eventOf(entry) ?? [])
}

/** What the outbox says of a new order that was moved along. */
async function eventsOfAnOrder() {
  const product = await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
  for (const name of ['pay', 'accept', 'ship'] as const) await shop.orders.move(name, orderNo)
  await shop.orders.requestAftersale({ order_no: orderNo, type: 'return_refund' }, buyer)
  await shop.orders.cancelAftersale(buyer.agent, orderNo)
  const found = await readOutboxes(
    readWith(shop.ledger), [product.partition], () => STREAM_START, 100_000)
  const all = found.get(product.partition) ?? []
  return { agent: buyer.agent, orderNo, events: all.filter((one) => one.orderNo === orderNo) }
}

test('a feed tells each step of an order and its after-sale, in order', async () => {
  const { agent, orderNo, events } = await eventsOfAnOrder()
  await orderEffects(shop).handle(events)
  const feed = await read(agent)
  expect(feed.map(({ type }) => type)).toEqual([
    'order.created', 'order.paid', 'order.accepted', 'order.shipped', 'aftersale.requested',
    'aftersale.cancelled',
  ])
  expect(new Set(feed.map(({ data }) => data['order_no']))).toEqual(new Set([orderNo]))
})

test('it goes on after any place, and what is handled again comes once', async () => {
  const { agent, events } = await eventsOfAnOrder()
  const consumer = orderEffects(shop)
  await consumer.handle(events.slice(0, 3))
  const positions: Positions = new Map()
  const before = await read(agent, positions)
  await Promise.all([1, 2, 3].map(() => consumer.handle(events)))
  const after = await read(agent, positions)
  expect([...before, ...after].map(({ id }) => id))
    .toEqual((await read(agent)).map(({ id }) => id))
  expect(await shop.ledger.xlen(keys.feed(agent))).toBe(events.length)
})

test('what could not be added is added when it is tried again', async () => {
  const { agent, events } = await eventsOfAnOrder()
  const consumer = orderEffects(shop)
  await shop.ledger.set(keys.feed(agent), 'of another kind')
  await expect(consumer.handle(events)).rejects.toThrow('WRONGTYPE')
  await shop.ledger.del(keys.feed(agent))
  await consumer.handle(events)
  expect(await shop.ledger.xlen(keys.feed(agent))).toBe(events.length)
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
