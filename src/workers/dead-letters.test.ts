import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { claimKey } from '../orders/place-order.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, inTwoRounds, newBuyer, supplyProduct } from '../testing/products.ts'
import {
  DEAD_LETTERS_MAX, deadLetters, isTransient, retryDeadLetters, type DeadLetter,
} from './dead-letters.ts'
import { ConsumerWorker, type Consumer } from './consumer.ts'
import { ORDER_EFFECTS, orderEffects } from './order-effects.ts'
import { outboxState } from './outboxes.ts'

// Claims are kept by the worker where they are made before their orders.
const shop = await openOwnShop({ wrap: inTwoRounds })

/** A worker that works when the test says, without rests between attempts. */
async function workerOf(consumer: Consumer) {
  const worker = new ConsumerWorker(consumer, { ...shop, restMs: 0, sweepMs: 0 })
  await worker.begin?.()
  return worker
}

async function asideOf(consumer: string): Promise<DeadLetter[]> {
  const all: DeadLetter[] = []
  for await (const found of deadLetters(shop.ledger)) all.push(...found)
  return all.filter((one) => one.consumer === consumer)
}

/** Orders of one product, in one partition. */
async function ordersOf(count: number) {
  const product = await supplyProduct(shop.ledger, { stock: count })
  const buyers = Array.from({ length: count }, newBuyer)
  const orders = []
  for (const buyer of buyers) {
    const input = attemptAt(product)
    const { order_no } = await shop.orders.place(input, buyer)
    orders.push({ orderNo: order_no, agent: buyer.agent, attempt: input.idempotency_key })
  }
  return { product, orders }
}

describe('an event that cannot be handled', () => {
  test('is tried three times, set aside with its reason, and the rest goes on', async () => {
    const { product, orders } = await ordersOf(5)
    const tries = new Map<string, number>()
    const done = new Set<string>()
    const name = `test-${randomUUID()}`
    const poisoned = orders[2]?.orderNo
    const worker = await workerOf({
      name,
      async handle(events) {
        for (const { orderNo = '' } of events) {
          if (events.length === 1) tries.set(orderNo, (tries.get(orderNo) ?? 0) + 1)
          if (orderNo === poisoned) throw new TypeError('no such thing, with a secret in it')
        }
        for (const { orderNo = '' } of events) done.add(orderNo)
      },
    })
    for (let tick = 0; tick < 6; tick += 1) await worker.tick()
    expect(tries.get(poisoned ?? ''), 'not looped on').toBe(3)
    expect([...done]).toEqual(expect.arrayContaining(
      orders.map(({ orderNo }) => orderNo).filter((orderNo) => orderNo !== poisoned)))
    expect(await asideOf(name)).toEqual([{
      consumer: name, reason: 'failed with TypeError', since: expect.stringMatching(/Z$/),
      event: expect.objectContaining({ type: 'created', orderNo: poisoned }),
    }])
    const [last] = await shop.ledger.xrevrange(keys.outbox(product.partition), '+', '-', 'COUNT', 1)
    expect(await shop.ledger.hget(keys.progress(product.partition), name)).toBe(last?.[0])
  })

  test('is done by a retry, once what was wrong is right; no later effect is undone', async () => {
    const { orders } = await ordersOf(2)
    const [order] = orders
    const { agent = '', orderNo = '', attempt = '' } = order ?? {}
    const list = keys.agentOrders(agent)
    await shop.ledger.set(list, 'of another kind')
    await shop.ledger.expire(claimKey(agent, attempt), 500)
    const worker = await workerOf(orderEffects(shop))
    for (let tick = 0; tick < 6; tick += 1) await worker.tick()
    expect(await asideOf(ORDER_EFFECTS)).toMatchObject([{
      reason: 'a key that it writes holds another kind of value', event: { orderNo },
    }])
    await shop.orders.move('pay', orderNo)
    await worker.tick()
    const place = { ...shop, consumer: orderEffects(shop) }
    expect(await retryDeadLetters(place)).toMatchObject({ failed: 1 })
    expect(await asideOf(ORDER_EFFECTS)).toHaveLength(1)
    await shop.ledger.del(list)
    expect(await retryDeadLetters(place)).toEqual({ done: 1, failed: 0 })
    expect(await shop.ledger.zrange(list, '0', '-1')).toEqual([orderNo])
    expect(await shop.ledger.ttl(claimKey(agent, attempt))).toBe(-1)
    expect(await asideOf(ORDER_EFFECTS)).toEqual([])
    expect(await retryDeadLetters(place)).toEqual({ done: 0, failed: 0 })
  })

  test('is handled when what was wrong rights itself in time, and none is set aside', async () => {
    const { product, orders } = await ordersOf(2)
    const name = `test-${randomUUID()}`
    let failures = 2
    const worker = await workerOf({
      name,
      async handle(events) {
        const isOurs = events.some(({ orderNo }) => orderNo === orders[0]?.orderNo)
        if (isOurs && events.length === 1 && (failures -= 1) >= 0) throw new Error('not yet')
        if (isOurs && events.length > 1 && failures > 0) throw new Error('not yet')
      },
    })
    for (let tick = 0; tick < 6; tick += 1) await worker.tick()
    expect(await asideOf(name)).toEqual([])
    const [last] = await shop.ledger.xrevrange(keys.outbox(product.partition), '+', '-', 'COUNT', 1)
    expect(await shop.ledger.hget(keys.progress(product.partition), name)).toBe(last?.[0])
  })

  test('is never an event for which the ledger was down', async () => {
    const { product, orders } = await ordersOf(1)
    const name = `test-${randomUUID()}`
    let isAway = true
    const seen: OutboxEvent[] = []
    const worker = await workerOf({
      name,
      async handle(events) {
        if (isAway) throw new Refusal('unavailable')
        seen.push(...events)
      },
    })
    for (let tick = 0; tick < 5; tick += 1) {
      await expect(worker.tick()).rejects.toMatchObject({ error: 'unavailable' })
      await worker.begin?.()
    }
    expect(await asideOf(name)).toEqual([])
    expect(await shop.ledger.hget(keys.progress(product.partition), name)).toBeNull()
    isAway = false
    await worker.tick()
    expect(seen.map(({ orderNo }) => orderNo)).toContain(orders[0]?.orderNo)
  })

  test('holds its partition up when too many are set aside, so that none is lost', async () => {
    const { product } = await ordersOf(1)
    const name = `test-${randomUUID()}`
    const list = keys.aside(product.partition)
    await shop.ledger.hset(list, Object.fromEntries(
      Array.from({ length: DEAD_LETTERS_MAX }, (_, index) => [`gone ${index}-0`, '{}'])))
    const worker = await workerOf({ name, handle: () => Promise.reject(new Error('always')) })
    for (let tick = 0; tick < 6; tick += 1) await worker.tick()
    expect(await shop.ledger.hlen(list)).toBe(DEAD_LETTERS_MAX)
    expect(await shop.ledger.hget(keys.progress(product.partition), name)).toBeNull()
    await shop.ledger.del(list)
    await worker.tick()
    expect(await shop.ledger.hlen(list)).toBeGreaterThan(0)
    await shop.ledger.del(list)
  })
})

describe('trouble of the ledger is no fault of ours', () => {
  const named = (name: string, message: string): Error =>
    Object.assign(new Error(message), { name })
  test.each<[string, unknown, boolean]>([
    ['a refusal because it is away', new Refusal('unavailable'), true],
    ['another refusal', new Refusal('not_found'), false],
    ['a closed connection', new Error('Connection is closed.'), true],
    ['a command without an answer', new Error('Command timed out'), true],
    ['a socket that was reset', Object.assign(new Error('read'), { syscall: 'read' }), true],
    ['a cluster without its master', named('ReplyError', 'CLUSTERDOWN Hash slot'), true],
    ['a slot that moves', named('ReplyError', 'MOVED 1 127.0.0.1:1'), true],
    ['a full memory', named('ReplyError', 'OOM command not allowed'), true],
    ['a key of another kind', named('ReplyError', 'WRONGTYPE Operation'), false],
    ['the same through the durable lanes', new Error('zadd: WRONGTYPE Operation'), false],
    ['a wrong command', named('ReplyError', 'ERR value is not a valid float'), false],
    ['a defect', new TypeError('undefined is not a function'), false],
    ['what is no error', 'text', false],
  ])('%s', (_, error, isTrouble_) => {
    expect(isTransient(error)).toBe(isTrouble_)
  })
})

test('the outboxes\' state says how far a consumer is behind, and what it set aside', async () => {
  await shop.ledger.flushall()
  const worker = await workerOf(orderEffects(shop))
  while (await worker.tick()) { /* There is more. */ }
  expect(await outboxState(shop.ledger))
    .toMatchObject({ lagEntries: 0, lagMs: 0 })
  const { orders } = await ordersOf(3)
  const state = await outboxState(shop.ledger)
  expect(state).toMatchObject({ lagEntries: 3, aside: 0 })
  expect(state.lagMs).toBeGreaterThanOrEqual(0)
  expect(state.lagMs).toBeLessThan(20_000)
  await shop.ledger.set(keys.agentOrders(orders[0]?.agent ?? ''), 'x')
  for (let tick = 0; tick < 6; tick += 1) await worker.tick()
  for (let tick = 0; tick < 6; tick += 1) await worker.tick()
  expect(await outboxState(shop.ledger))
    .toMatchObject({ lagEntries: 0, lagMs: 0, aside: 1 })
})
