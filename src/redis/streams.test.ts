import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createLogger } from '../log.ts'
import { eventually } from '../testing/eventually.ts'
import {
  attemptAt, newBuyer, openShop, stockOf, supplyProduct, type Shop,
} from '../testing/products.ts'
import { emptyLedger } from '../testing/spare.ts'
import { ConsumerWorker } from '../workers/consumer.ts'
import { trimWorker } from '../workers/outboxes.ts'
import { everyPartition, openDoorbell, type Doorbell } from './doorbell.ts'
import { ledger as keys, PARTITIONS } from './keys.ts'
import { followOutbox, lastIds, type Follower, type OutboxEvent } from './streams.ts'

const log = createLogger('silent')
const NEVER_MS = 3_600_000
let shop: Shop
let doorbell: Doorbell
const stopping: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  shop = await openShop({}, { url: await emptyLedger() })
  doorbell = openDoorbell(shop.ledger, log)
})
afterEach(async () => {
  await Promise.all(stopping.splice(0).map((one) => one.stop()))
})
afterAll(async () => {
  await doorbell.close()
  shop.close()
})

/** A stock board as a node has it. */
function board() {
  const stock = new Map<number, number>()
  const reloads: number[] = []
  const seen: OutboxEvent[] = []
  let currentAt = 0
  const follower: Follower = {
    apply(events) {
      seen.push(...events)
      for (const event of events) {
        if (event.stock !== undefined) stock.set(event.productId, event.stock)
      }
    },
    async reload(partition) {
      reloads.push(partition)
      const units = await shop.ledger.hgetall(keys.stock(partition))
      for (const [id, left] of Object.entries(units)) stock.set(Number(id), Number(left))
    },
    current(atMs) { currentAt = atMs },
  }
  return { stock, reloads, seen, follower, currentAt: () => currentAt }
}

async function follow(follower: Follower, sweepMs: number, bell: Doorbell = doorbell) {
  const following = await followOutbox({
    ledger: shop.ledger, doorbell: bell, follower, log, sweepMs,
  })
  stopping.push(following)
}

const silent: Doorbell = { onRing: () => () => {}, close: async () => {} }
const order = (product: Awaited<ReturnType<typeof supplyProduct>>) =>
  shop.orders.place(attemptAt(product), newBuyer())

describe('a follower', () => {
  test('loads every partition first, then follows each sale by the doorbell alone', async () => {
    const product = await supplyProduct(shop.ledger)
    await order(product)
    const view = board()
    await follow(view.follower, NEVER_MS)
    expect(new Set(view.reloads).size).toBe(PARTITIONS)
    expect(view.stock.get(product.productId)).toBe(9)
    const { order_no } = await order(product)
    await eventually(() => expect(view.stock.get(product.productId)).toBe(8))
    expect(view.seen.find((event) => event.orderNo === order_no)).toMatchObject({
      type: 'created', partition: product.partition, productId: product.productId, stock: 8,
      at: expect.any(Number), agent: expect.any(String),
    })
  })

  test('without a bell the sweep brings it', async () => {
    const product = await supplyProduct(shop.ledger)
    await order(product)
    const view = board()
    await follow(view.follower, 50, silent)
    await order(product)
    await eventually(() => expect(view.stock.get(product.productId)).toBe(8))
  })

  test('confirms again and again that it is current', async () => {
    const view = board()
    await follow(view.follower, 30, silent)
    const first = view.currentAt()
    expect(first).toBeGreaterThan(0)
    await eventually(() => expect(view.currentAt()).toBeGreaterThan(first))
  })

  test('that lost its place to trimming reloads the partition, and only that', async () => {
    const product = await supplyProduct(shop.ledger)
    await order(product)
    const view = board()
    let isDeaf = true
    const bell: Doorbell = {
      onRing: (listener) => doorbell.onRing((partition) => { if (!isDeaf) listener(partition) }),
      close: async () => {},
    }
    await follow(view.follower, NEVER_MS, bell)
    view.reloads.length = 0
    const quiet = await supplyProduct(shop.ledger, { productId: product.productId + 256 * 3 })
    await order(quiet)
    await order(product)
    await order(product)
    await shop.ledger.xtrim(keys.outbox(product.partition), 'MAXLEN', 1)
    isDeaf = false
    await order(product)
    await eventually(() => expect(view.stock.get(product.productId)).toBe(6))
    expect(view.stock.get(quiet.productId)).toBe(9)
    expect(view.reloads).toEqual([product.partition])
    await order(quiet)
    await eventually(() => expect(view.stock.get(quiet.productId)).toBe(8))
    expect(view.reloads).toEqual([product.partition])
  })

  test('ends with the true stock of every product after a storm', async () => {
    const view = board()
    await follow(view.follower, 200)
    const products = await Promise.all(Array.from({ length: 8 }, () =>
      supplyProduct(shop.ledger, { stock: 40 })))
    await Promise.all(Array.from({ length: 240 }, async (_, index) => {
      const { order_no } = await order(products[index % 8] ?? products[0]!)
      if (index % 3 === 0) await shop.orders.move('cancel', order_no)
    }))
    for (const product of products) {
      const units = await stockOf(shop.ledger, product)
      expect(units).toBe(20)
      await eventually(() => expect(view.stock.get(product.productId)).toBe(units))
    }
  })
})

const consume = (name: string, handle: (events: readonly OutboxEvent[]) => Promise<void>) =>
  new ConsumerWorker({ name, handle }, shop)

async function drain(worker: ReturnType<typeof consume>): Promise<void> {
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

describe('a durable consumer', () => {
  test('handles every entry, goes on where a node stopped, repeats after a failure', async () => {
    const name = `test-${Math.random()}`
    const product = await supplyProduct(shop.ledger)
    await drain(consume(name, async () => {}))
    const placed = [await order(product), await order(product)].map(({ order_no }) => order_no)
    const mine = (events: readonly OutboxEvent[]) => events
      .filter(({ productId }) => productId === product.productId)
      .map(({ orderNo }) => orderNo)
    const tried: unknown[] = []
    await expect(drain(consume(name, async (events) => {
      tried.push(...mine(events))
      if (mine(events).length > 0) throw new Refusal('unavailable')
    }))).rejects.toMatchObject({ error: 'unavailable' })
    expect(tried).toEqual(placed)
    const done: unknown[] = []
    const collect = async (events: readonly OutboxEvent[]) => { done.push(...mine(events)) }
    await drain(consume(name, collect))
    await drain(consume(name, collect))
    expect(done).toEqual(placed)
  })
})

describe('trimming', () => {
  test('keeps what a consumer has not done, and always the last entry', async () => {
    const product = await supplyProduct(shop.ledger)
    const outbox = keys.outbox(product.partition)
    const name = `test-${Math.random()}`
    for (let i = 0; i < 4; i += 1) await order(product)
    const ids = (await shop.ledger.xrange(outbox, '-', '+')).map(([id]) => id)
    const tick = () => trimWorker({ ledger: shop.ledger, consumers: [name], log, keepMs: -10_000 })
      .tick()
    await tick()
    expect(await shop.ledger.xlen(outbox)).toBe(ids.length)
    const third = ids.at(-2) ?? ''
    await shop.ledger.hset(keys.progress(product.partition), name, third)
    await tick()
    expect((await shop.ledger.xrange(outbox, '-', '+')).map(([id]) => id)).toEqual(ids.slice(-2))
    const last = await lastIds(shop.ledger, everyPartition())
    await Promise.all(last.map((_, partition) =>
      shop.ledger.hset(keys.progress(partition), name, '99999999999999-0')))
    await tick()
    expect(await lastIds(shop.ledger, everyPartition())).toEqual(last)
    expect(await shop.ledger.xlen(outbox)).toBe(1)
  })

  test('cuts a partition that passed the hard limit, and says so', async () => {
    const product = await supplyProduct(shop.ledger)
    for (let i = 0; i < 6; i += 1) await order(product)
    const alarms: unknown[] = []
    const error = (fact: unknown) => { alarms.push(fact) }
    const loud = { ...log, error } as unknown as typeof log
    await trimWorker({ ledger: shop.ledger, consumers: ['nobody'], log: loud, lengthMax: 5 }).tick()
    expect(alarms).toContainEqual(expect.objectContaining({ partition: product.partition }))
    expect(await shop.ledger.xlen(keys.outbox(product.partition))).toBe(5)
  })
})
