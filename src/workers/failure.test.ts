/** What the workers do when a node sleeps, dies or works beside another. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createLogger, type Logger } from '../log.ts'
import { claimKey } from '../orders/place-order.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import {
  attemptAt, inTwoRounds, newBuyer, stockOf, supplyProduct, type Product,
} from '../testing/products.ts'
import { ConsumerWorker, type Consumer } from './consumer.ts'
import { expiryWorker } from './due-orders.ts'
import { ORDER_EFFECTS, orderEffects } from './order-effects.ts'
import { trimWorker } from './outboxes.ts'

const log = createLogger('silent')
// Claims are kept by the worker where they are made before their orders.
const shop = await openOwnShop({ wrap: inTwoRounds })
const { brief } = shop

async function workerOf(consumer: Consumer, ledger: RedisClient = shop.ledger) {
  const worker = new ConsumerWorker(consumer, { ...shop, ledger, restMs: 0, sweepMs: 0 })
  await worker.begin?.()
  return worker
}

async function order(product: Product) {
  const buyer = newBuyer()
  const input = attemptAt(product)
  const { order_no } = await shop.orders.place(input, buyer)
  return { orderNo: order_no, agent: buyer.agent, attempt: input.idempotency_key }
}

const progressOf = ({ partition }: Product, consumer: string) =>
  shop.ledger.hget(keys.progress(partition), consumer)

async function lastOf({ partition }: Product): Promise<string | undefined> {
  const [last] = await shop.ledger.xrevrange(keys.outbox(partition), '+', '-', 'COUNT', 1)
  return last?.[0]
}

/** The ledger for a node that dies before it notes its progress, as often as the test says. */
function dying(times: number): RedisClient {
  let left = times
  return new Proxy(shop.ledger, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name === 'evalsha' && left > 0) {
        return () => {
          left -= 1
          return Promise.reject(new Error('Connection is closed.'))
        }
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('a node that stops', () => {
  test('after the effects and before its progress: they are done again, to the same end',
    async () => {
      const product = await supplyProduct(shop.ledger)
      const { orderNo, agent, attempt } = await order(product)
      await shop.ledger.expire(claimKey(agent, attempt), 500)
      const before = await progressOf(product, ORDER_EFFECTS)
      const worker = await workerOf(orderEffects(shop), dying(1))
      await expect(worker.tick()).rejects.toThrow('Connection is closed.')
      expect(await progressOf(product, ORDER_EFFECTS)).toBe(before)
      const list = keys.agentOrders(agent)
      const first = await shop.ledger.zrange(list, '0', '-1', 'WITHSCORES')
      expect(first).toContain(orderNo)
      const successor = await workerOf(orderEffects(shop))
      await successor.tick()
      expect(await shop.ledger.zrange(list, '0', '-1', 'WITHSCORES')).toEqual(first)
      expect(await shop.ledger.ttl(claimKey(agent, attempt))).toBe(-1)
      expect(await progressOf(product, ORDER_EFFECTS)).toBe(await lastOf(product))
    })

  test('in its sleep, and wakes beside its successor: progress never goes back', async () => {
    const product = await supplyProduct(shop.ledger)
    const name = `test-${randomUUID()}`
    await order(product)
    const seen: OutboxEvent[] = []
    let wake = (): void => {}
    let fallAsleep = (): void => {}
    const asleep = new Promise<void>((resolve) => { fallAsleep = resolve })
    const sleeper = await workerOf({
      name,
      async handle(events) {
        if (!events.some(({ productId }) => productId === product.productId)) return
        fallAsleep()
        await new Promise<void>((resolve) => { wake = resolve })
      },
    })
    const sleeping = sleeper.tick()
    await asleep
    await order(product)
    const successor = await workerOf({
      name, handle: async (events) => { seen.push(...events) },
    })
    await successor.tick()
    const last = await lastOf(product)
    expect(await progressOf(product, name)).toBe(last)
    wake()
    await sleeping
    expect(await progressOf(product, name)).toBe(last)
    expect(seen.filter(({ productId }) => productId === product.productId)).toHaveLength(2)
  })

  test('or two that work at once: every effect as if done once', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 60 })
    const orders = await Promise.all(Array.from({ length: 60 }, () => order(product)))
    const workers = await Promise.all(Array.from({ length: 3 }, () =>
      workerOf(orderEffects(shop))))
    await Promise.all(workers.map(async (worker) => {
      while (await worker.tick()) { /* There is more. */ }
    }))
    for (const { orderNo, agent } of orders) {
      expect(await shop.ledger.zrange(keys.agentOrders(agent), '0', '-1')).toEqual([orderNo])
    }
    expect(await progressOf(product, ORDER_EFFECTS)).toBe(await lastOf(product))
  })
})

describe('what sold out in one moment', () => {
  test('and is not paid is closed by ticks that follow at once, its units back once', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 150 })
    const placed = await Promise.all(Array.from({ length: 150 }, () =>
      brief.orders.place(attemptAt(product), newBuyer())))
    expect(await stockOf(shop.ledger, product)).toBe(0)
    const nodes = [shop, brief].map(expiryWorker)
    await Promise.all(nodes.map(async (node) => {
      while (await node.tick()) { /* There is more. */ }
    }))
    await nodes[0]?.tick()
    expect(await stockOf(shop.ledger, product)).toBe(150)
    expect(await shop.ledger.zcard(keys.unpaid(product.partition))).toBe(0)
    for (const { order_no } of placed.slice(0, 20)) {
      const events = await shop.ledger.lrange(keys.events(product.partition, order_no), 0, -1)
      expect(events).toHaveLength(2)
    }
  })
})

describe('an outbox over its limit', () => {
  test('is cut, whoever has not read it, and says so', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 50 })
    await Promise.all(Array.from({ length: 30 }, () => order(product)))
    const alarms: object[] = []
    const watched: Pick<Logger, 'error'> = { error: (facts: object) => { alarms.push(facts) } }
    const trim = trimWorker({
      ledger: shop.ledger, consumers: ['slow'], log: watched as Logger, lengthMax: 20,
    })
    await trim.tick()
    expect(await shop.ledger.xlen(keys.outbox(product.partition))).toBe(20)
    expect(alarms).toContainEqual(
      expect.objectContaining({ partition: product.partition, behind: ['slow 0-0'] }))
  })

  test('keeps what one consumer has not done, and no more than that', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 50 })
    const outbox = keys.outbox(product.partition)
    await shop.ledger.del(outbox)
    for (let count = 0; count < 6; count += 1) await order(product)
    const ids = (await shop.ledger.xrange(outbox, '-', '+')).map(([id]) => id)
    await shop.ledger.hset(keys.progress(product.partition),
      { fast: ids[5] ?? '', slow: ids[2] ?? '' })
    const trim = (consumers: string[]) =>
      trimWorker({ ledger: shop.ledger, consumers, log, keepMs: -60_000 }).tick()
    await trim(['fast', 'slow'])
    expect((await shop.ledger.xrange(outbox, '-', '+')).map(([id]) => id)).toEqual(ids.slice(2))
    await trim(['fast'])
    expect((await shop.ledger.xrange(outbox, '-', '+')).map(([id]) => id)).toEqual(ids.slice(5))
  })
})
