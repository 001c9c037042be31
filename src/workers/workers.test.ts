import { randomUUID } from 'node:crypto'
import { Events } from '../events/events.ts'
import { createSecrets } from '../secrets/derive.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { claimKey } from '../orders/place-order.ts'
import { EVENTS } from '../orders/states.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { openDoorbell } from '../redis/doorbell.ts'
import { counters as counterKeys, ledger as keys } from '../redis/keys.ts'
import { eventually } from '../testing/eventually.ts'
import {
  attemptAt, inTwoRounds, newBuyer, openShop, SHOP_SECRET, stockOf, supplyProduct, type Product,
  type Shop,
} from '../testing/products.ts'
import { emptyLedger } from '../testing/spare.ts'
import { driverWorker, expiryWorker } from './due-orders.ts'
import { startWorkers } from './index.ts'
import { startWorker, type Worker } from './lease.ts'

const log = createLogger('silent')
/** The workers of other tests' nodes would keep another pace. */
let url: string
let shop: Shop
let counters: RedisClient
beforeAll(async () => {
  url = await emptyLedger()
  shop = await openShop({ paymentWindowMs: 100 }, { url })
  counters = openRedis(url, log)
  await untilReady(counters, 'counters')
})
afterAll(async () => {
  shop.close()
  counters.disconnect()
})

describe('an unpaid order', () => {
  test('is closed after its window, by sweeps on two nodes, its units back once', async () => {
    const product = await supplyProduct(shop.ledger)
    const buyer = newBuyer()
    const { order_no } = await shop.orders.place(attemptAt(product, { qty: 4 }), buyer)
    const node = await openShop({}, { url })
    const sweeps = [shop, node].map(expiryWorker)
    await eventually(async () => {
      await Promise.all([...sweeps, ...sweeps].map((sweep) => sweep.tick()))
      expect((await shop.orders.read(buyer.agent, order_no)).status).toBe('closed')
    })
    expect(await stockOf(shop.ledger, product)).toBe(10)
    const { events } = await shop.orders.read(buyer.agent, order_no)
    expect(events.map(({ event }) => event)).toEqual(['created', 'closed'])
    node.close()
  })

  test('that is paid at the last moment is either paid or closed, never both', async () => {
    const sweep = expiryWorker(shop)
    for (let round = 0; round < 10; round += 1) {
      const product = await supplyProduct(shop.ledger)
      const buyer = newBuyer()
      const { order_no, pay_expires_at } = await shop.orders.place(attemptAt(product), buyer)
      await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(
        Date.parse(pay_expires_at ?? '') - 3 + round % 5), 1)
      const [paid] = await Promise.all([
        shop.orders.move('pay', order_no), sweep.tick(), sweep.tick(),
      ])
      await eventually(async () => {
        await sweep.tick()
        expect((await shop.orders.read(buyer.agent, order_no)).status).not.toBe('pending_payment')
      })
      const { events } = await shop.orders.read(buyer.agent, order_no)
      expect(events.map(({ event }) => event))
        .toEqual(['created', paid.code === 'moved' ? 'paid' : 'closed'])
      expect(await stockOf(shop.ledger, product)).toBe(paid.code === 'moved' ? 9 : 10)
    }
  })
})

const secrets = createSecrets(SHOP_SECRET)

describe('the workers of two nodes', () => {
  test('bring a paid order to its end, list it and keep its claim, each effect once', async () => {
    const calm = await openShop({ sandboxStepMs: 60, sandboxCompleteMs: 60 },
      { url, wrap: inTwoRounds })
    const doorbell = openDoorbell(calm.ledger, log)
    const nodes = [1, 2].map(() => startWorkers({
      ...calm, counters, doorbell, log, config: { archiveAfterDays: 90, sandboxStepMs: 60 },
      affiliate: { sources: new Map(), modeOf: () => 'sandbox' }, earnings: { mode: 'sandbox' },
      events: new Events({
        ...calm, counters, secrets, mode: 'sandbox', config: { sandbox: true, host: '127.0.0.1' },
      }),
      secrets,
    }))
    const product = await supplyProduct(calm.ledger)
    const buyer = newBuyer()
    const input = attemptAt(product)
    const { order_no } = await calm.orders.place(input, buyer)
    await calm.ledger.expire(claimKey(buyer.agent, input.idempotency_key), 60)
    await calm.orders.move('pay', order_no)
    await eventually(async () => {
      expect((await calm.orders.read(buyer.agent, order_no)).status).toBe('completed')
    })
    const { events } = await calm.orders.read(buyer.agent, order_no)
    expect(events.map(({ event }) => event)).toEqual(EVENTS.slice(0, 6))
    expect(await calm.ledger.zscore(keys.due(product.partition), order_no)).toBeNull()
    await eventually(async () => {
      expect((await calm.orders.list(buyer.agent, undefined, 10)).items)
        .toMatchObject([{ order_no, status: 'completed' }])
    })
    await expect.poll(() => calm.ledger.ttl(claimKey(buyer.agent, input.idempotency_key))).toBe(-1)
    await Promise.all(nodes.map((node) => node.stop()))
    await doorbell.close()
    calm.close()
  })
})

function counting(name: string) {
  let ticks = 0
  const tick = async () => {
    ticks += 1
    return false
  }
  const worker: Worker = { name, everyMs: 5, tick }
  return { worker, ticks: () => ticks }
}

test('an order that cannot be moved keeps no after-sale from its way', async () => {
  const fast = await openShop({ sandboxStepMs: 1 }, { url })
  const [damaged, sound] = await Promise.all([1, 2].map(() => supplyProduct(fast.ledger)))
  const buyer = newBuyer()
  const bad = await fast.orders.place(attemptAt(damaged as Product), buyer)
  const good = await fast.orders.place(attemptAt(sound as Product), buyer)
  for (const { order_no } of [bad, good]) await fast.orders.move('pay', order_no)
  for (const name of ['accept', 'ship', 'deliver'] as const) {
    await fast.orders.move(name, good.order_no)
  }
  await fast.orders.requestAftersale({ order_no: good.order_no, type: 'return_refund' }, buyer)
  const unpaid = keys.unpaid(damaged?.partition ?? 0)
  await fast.ledger.del(unpaid)
  await fast.ledger.set(unpaid, 'of another kind')
  const driver = driverWorker({ ...fast, stepMs: 1 })
  await expect.poll(async () => {
    await driver.tick()
    return (await fast.orders.read(buyer.agent, good.order_no)).aftersale?.status
  }).toBe('refunded')
  await fast.ledger.del(unpaid)
  fast.close()
})

/** Longer than a machine stands still; another node tries to have it each third of it. */
const LEASE_MS = 9000

describe('a lease', () => {
  test('lets one of two work, and the other when the first stops', async () => {
    const name = randomUUID()
    const [first, second] = [counting(name), counting(name)]
    const one = startWorker(first.worker, { counters, log, ttlMs: LEASE_MS })
    await eventually(() => expect(first.ticks()).toBeGreaterThan(0))
    // More than it asks for, so that the next time it is kept can be seen.
    expect(await counters.pexpire(counterKeys.lease(name), 10 * LEASE_MS)).toBe(1)
    const two = startWorker(second.worker, { counters, log, ttlMs: LEASE_MS })
    await expect.poll(() => counters.pttl(counterKeys.lease(name))).toBeLessThanOrEqual(LEASE_MS)
    expect(second.ticks()).toBe(0)
    await one.stop()
    const done = first.ticks()
    await eventually(() => expect(second.ticks()).toBeGreaterThan(0))
    expect(first.ticks()).toBe(done)
    await two.stop()
    expect(await counters.exists(counterKeys.lease(name))).toBe(0)
  })

  test('of a node that died passes on', async () => {
    const name = randomUUID()
    await counters.set(counterKeys.lease(name), 'a node that is no more', 'PX', 150)
    const { worker, ticks } = counting(name)
    const running = startWorker(worker, { counters, log, ttlMs: 150 })
    await eventually(() => expect(ticks()).toBeGreaterThan(0))
    await running.stop()
  })

  test('is not needed while the counters are down', async () => {
    const away = openRedis('redis://127.0.0.1:1', log)
    const { worker, ticks } = counting(randomUUID())
    const running = startWorker(worker, { counters: away, log, ttlMs: 100 })
    await eventually(() => expect(ticks()).toBeGreaterThan(2))
    await running.stop()
    away.disconnect()
  })

  test('is kept over a failing tick, which begins anew', async () => {
    const calls: string[] = []
    const running = startWorker({
      name: randomUUID(), everyMs: 1,
      begin: async () => { calls.push('begin') },
      tick: async () => {
        calls.push('tick')
        if (calls.length < 3) throw new Error('once')
        return false
      },
    }, { counters, log })
    await eventually(() => expect(calls.length).toBeGreaterThan(5))
    expect(calls.slice(0, 6)).toEqual(['begin', 'tick', 'begin', 'tick', 'tick', 'tick'])
    await running.stop()
  })
})

describe('an agent\'s list', () => {
  test('comes in pages, newest first, each order once, although new ones arrive', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 99 })
    const buyer = newBuyer()
    const add = async () => {
      const { order_no } = await shop.orders.place(attemptAt(product), buyer)
      // Two of a millisecond: their order is by number.
      await shop.ledger.zadd(keys.agentOrders(buyer.agent), Math.floor(made.length / 2), order_no)
      made.push(order_no)
    }
    const made: string[] = []
    for (let i = 0; i < 7; i += 1) await add()
    const before = await shop.ledger.zrevrange(keys.agentOrders(buyer.agent), 0, -1)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await shop.orders.list(buyer.agent, cursor, 3)
      seen.push(...page.items.map(({ order_no }) => order_no))
      cursor = page.next_cursor
      await add()
    } while (cursor)
    expect(seen).toEqual(before)
  })

  test('takes no cursor but its own', async () => {
    const product = await supplyProduct(shop.ledger)
    const { order_no } = await shop.orders.place(attemptAt(product), newBuyer())
    for (const cursor of ['x', Buffer.from(order_no).toString('base64url')]) {
      await expect(shop.orders.list(newBuyer().agent, cursor, 3))
        .rejects.toMatchObject({ error: 'invalid_request' })
    }
    expect(await shop.orders.list(newBuyer().agent, undefined, 3)).toEqual({ items: [] })
  })
})
