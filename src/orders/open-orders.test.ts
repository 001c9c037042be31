/** How many orders a caller may have unpaid, and try in a day. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLogger } from '../log.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { counters as keys } from '../redis/keys.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import {
  attemptAt, newBuyer, openShop, refusalOf, supplyProduct, type Product, type Shop,
} from '../testing/products.ts'
import { ConsumerWorker } from '../workers/consumer.ts'
import { orderEffects } from '../workers/order-effects.ts'
import type { OrderCaps } from '../limits/tiers.ts'
import { CappedOrders } from './open-orders.ts'

const log = createLogger('silent')
const own = await openOwnShop()
const cap = (open: number, units = 1000, per_day = 1000) => ({ open, units, per_day })
const shops: Shop[] = []
afterAll(() => shops.forEach((shop) => shop.close()))

async function shopWith(caps: OrderCaps, paymentWindowMs = 1_800_000): Promise<Shop> {
  const shop = await openShop({ paymentWindowMs }, { url: own.url, caps })
  shops.push(shop)
  return shop
}

const caller = (given: object = {}) => ({
  ...newBuyer(), tier: 'trial', client: { address: randomUUID() }, ...given,
})
let product: Product
beforeAll(async () => { product = await supplyProduct(own.ledger, { stock: 100_000 }) })
const attempt = (qty = 1) => attemptAt(product, { qty })

async function settle(shop: Shop): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), { ...shop, sweepMs: 0 })
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

describe('unpaid orders', () => {
  test('are refused beyond the cap, also when all come at once, with what to do', async () => {
    const shop = await shopWith({ agent: cap(3) })
    const buyer = caller()
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () =>
      shop.orders.place(attempt(), buyer)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await refusalOf(shop.orders.place(attempt(), buyer))).toMatchObject({
      error: 'order_limit', of: 'agent', limit: 'open', left: 0, policy: 'orders',
      retry_after_s: expect.toSatisfy((s: number) => s > 1700 && s <= 1800),
      hint: expect.stringContaining('GET /v1/orders'),
    })
    await shop.orders.place(attempt(), caller())
  })

  test('are counted once for an attempt that is repeated, and answered beyond the cap',
    async () => {
      const shop = await shopWith({ agent: cap(2) })
      const buyer = caller()
      const first = attempt()
      await Promise.all([1, 2, 3, 4].map(() => shop.orders.place(first, buyer)))
      await shop.orders.place(attempt(), buyer)
      expect(await shop.orders.place(first, buyer)).toMatchObject({ duplicate: true })
      expect(await refusalOf(shop.orders.place(attempt(), buyer)))
        .toMatchObject({ error: 'order_limit' })
    })

  test('make room when one is cancelled, at once, and when one is paid or closed', async () => {
    const shop = await shopWith({ agent: cap(1), account: cap(1), address: cap(1) })
    const buyer = caller()
    const one = await shop.orders.place(attempt(), buyer)
    await shop.orders.cancel(buyer.agent, one.order_no)
    const two = await shop.orders.place(attempt(), buyer)
    await shop.orders.move('pay', two.order_no)
    await settle(shop)
    const three = await shop.orders.place(attempt(), buyer)
    await shop.orders.move('cancel', three.order_no)
    await settle(shop)
    await shop.orders.place(attempt(), buyer)
    expect(await refusalOf(shop.orders.place(attempt(), buyer)))
      .toMatchObject({ error: 'order_limit' })
  })

  test('that were paid or closed take no room when they are asked for again', async () => {
    const shop = await shopWith({ agent: cap(1, 1000, 4) })
    const buyer = caller()
    const first = attempt()
    const { order_no } = await shop.orders.place(first, buyer)
    await shop.orders.cancel(buyer.agent, order_no)
    for (let times = 0; times < 10; times += 1) await shop.orders.place(first, buyer)
    await shop.orders.place(attempt(), buyer)
    expect(await shop.orders.place(first, buyer)).toMatchObject({ status: 'closed' })
    expect(await refusalOf(shop.orders.place(attempt(), buyer)))
      .toMatchObject({ error: 'order_limit', limit: 'open' })
  })

  test('end with their window without an event of their end', async () => {
    const shop = await shopWith({ agent: cap(1), account: cap(1) }, 200)
    const buyer = caller()
    await shop.orders.place(attempt(), buyer)
    expect(await refusalOf(shop.orders.place(attempt(), buyer)))
      .toMatchObject({ error: 'order_limit' })
    await expect.poll(() => shop.orders.place(attempt(), buyer).then(() => true, () => false))
      .toBe(true)
  })

  test('take no room when nothing was placed, and the room of none that was', async () => {
    const shop = await shopWith({ agent: cap(1) })
    const buyer = caller()
    const scarce = await supplyProduct(own.ledger, { stock: 0 })
    for (let times = 0; times < 3; times += 1) {
      expect(await refusalOf(shop.orders.place(attemptAt(scarce), buyer)))
        .toMatchObject({ error: 'out_of_stock' })
    }
    const placed = attempt()
    const stale = { ...placed, receiver: { ...placed.receiver, name: '别人' } }
    await shop.orders.place(placed, buyer)
    // Another body under the same key is refused, and lets go of its own hold alone.
    await refusalOf(shop.orders.place(stale, buyer))
    expect(await refusalOf(shop.orders.place(attempt(), buyer)))
      .toMatchObject({ error: 'order_limit' })
  })

  test('are counted by account over its agents, and by address over accounts', async () => {
    const shop = await shopWith({ agent: cap(2), account: cap(3), address: cap(4) })
    const [account, client] = [newBuyer().account, { address: randomUUID() }]
    const buyers = [caller({ account, client }), caller({ account, client }), caller({ client })]
    const [one, two, other] = buyers as [typeof buyers[0], typeof buyers[0], typeof buyers[0]]
    for (const buyer of [one, one, two]) await shop.orders.place(attempt(), buyer)
    expect(await refusalOf(shop.orders.place(attempt(), one))).toMatchObject({ of: 'agent' })
    expect(await refusalOf(shop.orders.place(attempt(), two))).toMatchObject({ of: 'account' })
    await shop.orders.place(attempt(), other)
    expect(await refusalOf(shop.orders.place(attempt(), other))).toMatchObject({ of: 'address' })
    // What one cap refused is not counted by the others.
    await shop.orders.cancel(other.agent, (await shop.orders.list(other.agent, undefined, 1))
      .items[0]?.order_no ?? await orderOf(other, shop))
    await shop.orders.place(attempt(), other)
  })

  test('hold so many pieces together', async () => {
    const shop = await shopWith({ agent: cap(10, 50) })
    const buyer = caller()
    await shop.orders.place(attempt(40), buyer)
    expect(await refusalOf(shop.orders.place(attempt(11), buyer)))
      .toMatchObject({ error: 'order_limit', limit: 'units', left: 10 })
    await shop.orders.place(attempt(10), buyer)
  })
})

const orderOf = async ({ agent }: { agent: string }, shop: Shop): Promise<string> => {
  await settle(shop)
  return (await shop.orders.list(agent, undefined, 1)).items[0]?.order_no ?? ''
}

describe('attempts of a day', () => {
  test('are limited, whether they placed anything or not; repeating one is none', async () => {
    const shop = await shopWith({ agent: cap(10, 1000, 3) })
    const buyer = caller()
    const scarce = await supplyProduct(own.ledger, { stock: 0 })
    const first = attempt()
    await shop.orders.place(first, buyer)
    await shop.orders.place(first, buyer)
    for (let times = 0; times < 2; times += 1) {
      await refusalOf(shop.orders.place(attemptAt(scarce), buyer))
    }
    const refused = await refusalOf(shop.orders.place(attempt(), buyer))
    expect(refused).toMatchObject({ error: 'order_limit', limit: 'per_day' })
    expect(refused['retry_after_s']).toBeLessThanOrEqual(86_400)
    const before = await own.ledger.dbsize()
    for (let times = 0; times < 20; times += 1) await refusalOf(shop.orders.place(attempt(), buyer))
    expect(await own.ledger.dbsize(), 'a refused attempt writes nothing').toBe(before)
  })
})

describe('what is counted', () => {
  test('has an end', async () => {
    const shop = await shopWith({ agent: cap(10) })
    const buyer = caller()
    await shop.orders.place(attempt(), buyer)
    for (const name of [keys.open('agent', buyer.agent), keys.openTally('agent', buyer.agent)]) {
      expect(await own.ledger.pttl(name)).toBeGreaterThan(0)
    }
  })

  test('is counted by the node alone while counters are down: as many in a window', async () => {
    const counters: RedisClient = openRedis(inject('redis').countersUrl, log)
    await untilReady(counters, 'counters')
    counters.disconnect()
    const openOrders = new CappedOrders({
      counters, capsOf: () => ({ agent: cap(3) }), groupOf: (address) => address, log,
      windowMs: 60_000,
    })
    const buyer = caller()
    const reserve = async () => await openOrders.reserve({ orderNo: randomUUID(), units: 1 }, buyer)
    for (let times = 0; times < 3; times += 1) await reserve()
    expect(await refusalOf(reserve())).toMatchObject({ error: 'order_limit', of: 'agent' })
    await openOrders.end(buyer.agent, ['AM0000000000000000000'])
  })

  test('is not counted for callers without caps', async () => {
    const shop = await shopWith({ account: cap(1) })
    const buyer = newBuyer()
    for (let times = 0; times < 3; times += 1) {
      expect(await shop.orders.place(attempt(), buyer)).toHaveProperty('order_no')
    }
  })
})
