import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { OrderArchive } from '../orders/archive/archive.ts'
import { FolderStore } from '../orders/archive/store.ts'
import { buildStatusIndex } from '../orders/by-status.ts'
import { claimKey } from '../orders/place-order.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { everyPath, orderAlong } from '../testing/every-state.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, SHOP_SECRET, stockOf, supplyProduct } from '../testing/products.ts'
import { ConsumerWorker } from '../workers/consumer.ts'
import { orderEffects } from '../workers/order-effects.ts'
import { ELSEWHERE_INVARIANTS, ORDER_INVARIANTS, PARTITION_INVARIANTS } from './order-invariants.ts'
import { LEDGER_INVARIANTS } from './owner-invariants.ts'
import { verifyLedger, type VerifyOptions } from './verify.ts'

const log = createLogger('silent')
const secrets = createSecrets(SHOP_SECRET)
const shop = await openOwnShop()
const { brief } = shop
await buildStatusIndex(shop.ledger)

const folder = await mkdtemp(join(tmpdir(), 'agentmall-archive-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const archive = new OrderArchive(new FolderStore(folder))

const verify = (options?: VerifyOptions) =>
  verifyLedger({ ledger: shop.ledger, archive, secrets, log }, options)

/** Has the workers do all that is to be done. */
async function settle(): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), shop)
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

describe('a healthy ledger', () => {
  test('has no violation, with an order in every standing of the table', async () => {
    const paths = everyPath()
    await Promise.all(paths.map(({ path }) => orderAlong(shop, brief, path)))
    const product = await supplyProduct(shop.ledger)
    await Promise.all(paths.map(({ path }) => orderAlong(shop, brief, path, product))
      .map((placing) => placing.catch((error: { error?: string }) => {
        if (error.error !== 'out_of_stock') throw error
      })))
    expect((await verify()).violations, 'before the workers').toEqual([])
    await settle()
    const { checked, violations, warnings } = await verify()
    expect(violations).toEqual([])
    expect(warnings).toEqual([])
    expect(checked['orders']).toBeGreaterThan(paths.length)
    expect(checked['partitions']).toBe(256)
    expect(checked['lists']).toBeGreaterThanOrEqual(checked['orders'] ?? 0)
  })

  test('gives no false alarm while orders are placed, paid and expire', async () => {
    const products = await Promise.all(Array.from({ length: 4 }, () =>
      supplyProduct(shop.ledger, { stock: 1000 })))
    const state = { isOver: false }
    const buying = Promise.all(products.flatMap((product, index) => [shop, brief]
      .map(async (one) => {
        for (let turn = index; turn < 100; turn += 1) {
          const { order_no } = await one.orders.place(attemptAt(product), newBuyer())
          const move = one === brief ? 'expire' : turn % 3 === 0 ? 'cancel' : 'pay'
          await one.orders.move(move, order_no)
          if (move === 'pay' && turn % 2) await one.orders.move('cancel_paid', order_no)
          if (turn % 30 === 0) await settle()
        }
      }))).then(() => { state.isOver = true })
    const partitions = [...new Set(products.map(({ partition }) => partition))]
    let looked = 0
    while (!state.isOver) {
      const { checked, violations } = await verify({ partitions })
      expect(violations).toEqual([])
      looked = Math.max(looked, (checked['orders'] ?? 0) - (checked['moving'] ?? 0))
    }
    await buying
    expect(looked, 'most orders are looked at, however busy it is').toBeGreaterThan(200)
    expect((await verify()).violations).toEqual([])
  })
})

interface Broken {
  readonly ledger: RedisClient
  readonly orderNo: string
  readonly order: string
  readonly events: string
  readonly agent: string
  readonly attempt: string
  readonly partition: number
  readonly productId: string
}

const PAID = everyPath().find(({ status }) => status === 'paid')?.path ?? []
const OPEN = everyPath().find(({ after }) => after === 'pickup_booked')?.path ?? []

/** Has a payment of that much recorded, as after a notice of a provider. */
const take = ({ orderNo }: Pick<Broken, 'orderNo'>, paymentId: string, amount: number) =>
  shop.orders.payments.record({ paymentId, orderNo, amount, currency: 'CNY', paidAt: 1 },
    'sandbox', 'sandbox')

async function noteRefund({ orderNo }: Pick<Broken, 'orderNo'>, amount: number): Promise<void> {
  const [payment] = await shop.orders.payments.of(orderNo)
  if (payment) await shop.orders.payments.noteReturn(orderNo, payment, amount, 'RF1', 0)
}

test('money that paid, came twice, went back or is to go back is no violation', async () => {
  for (const moves of [[], ['cancel_paid'], ['accept', 'refund_unshipped']] as const) {
    for (const isBack of [true, false]) {
      const order = await orderAlong(shop, brief, [])
      const facts = keys.order(order.product.partition, order.orderNo)
      const amount = Number(await shop.ledger.hget(facts, 'amount'))
      expect(await take(order, 'P1', amount)).toEqual({ outcome: 'paid' })
      expect(await take(order, 'P2', amount)).toMatchObject({ outcome: 'stray' })
      for (const name of moves) await shop.orders.move(name, order.orderNo)
      if (isBack) {
        for (const [payment, owed] of await shop.orders.payments.owed(order.orderNo)) {
          await shop.orders.payments.noteReturn(order.orderNo, payment, owed, 'RF1', 0)
        }
        await shop.orders.payments.endReturns(order.orderNo)
      }
      const { violations } = await verify({ partitions: [order.product.partition] })
      expect(violations.filter(({ subject }) => subject === order.orderNo)).toEqual([])
    }
  }
})

/** The invariant, what breaks it, and how many paid or what other orders it takes. */
const BREAKS: [string, string, (broken: Broken) => Promise<unknown>, (typeof PAID)?][] = [
  ['stock', 'stock below zero', ({ ledger, partition, productId }) =>
    ledger.hset(keys.stock(partition), productId, -1)],
  ['supplied', 'a unit that vanished', ({ ledger, partition, productId }) =>
    ledger.hincrby(keys.stock(partition), productId, -1)],
  ['supplied', 'a unit given back twice', ({ ledger, partition, productId }) =>
    ledger.hincrby(keys.stock(partition), productId, 2)],
  ['supplied', 'an order that was lost', ({ ledger, order }) => ledger.del(order)],
  ['archived', 'an amount that the archive has otherwise', async ({ ledger, order, orderNo }) => {
    const { places: [place = ''] } = await archive.write([{
      order_no: orderNo, order: await ledger.hgetall(order), events: [], after: {},
    }], 0)
    await ledger.hset(order, 'archived', place, 'amount', 1)
  }],
  ['unpaid', 'a pending order that nobody will close', ({ ledger, partition, orderNo }) =>
    ledger.zrem(keys.unpaid(partition), orderNo), []],
  ['unpaid', 'a paid order that waits to be closed', ({ ledger, partition, orderNo }) =>
    ledger.zadd(keys.unpaid(partition), 9e12, orderNo)],
  ['overdue', 'an order that was not closed in time', async (broken) => {
    const { ledger, order, partition, orderNo } = broken
    await ledger.hset(order, 'expires_at', 1000)
    await ledger.zadd(keys.unpaid(partition), 1000, orderNo)
  }, []],
  ['due', 'a plan for nothing', async ({ ledger, order, partition, orderNo }) => {
    await ledger.zadd(keys.due(partition), 1, orderNo)
    await ledger.del(order)
  }],
  ['due', 'a plan for an after-sale that is none', ({ ledger, partition, orderNo }) =>
    ledger.zadd(keys.afterDue(partition), 1, orderNo)],
  ['fading', 'a paid order that will be dropped', ({ ledger, order }) =>
    ledger.expire(order, 1000)],
  ['fading', 'an order on the list that is kept', ({ ledger, partition, orderNo, agent }) =>
    ledger.zadd(keys.fading(partition), 9e12, `${orderNo} ${agent}`)],
  ['by_status', 'a paid order that no list shows', ({ ledger, partition, orderNo }) =>
    ledger.zrem(keys.byStatus(partition), orderNo)],
  ['by_status', 'a paid order in another list', ({ ledger, partition, orderNo }) =>
    ledger.zincrby(keys.byStatus(partition), 1e13, orderNo)],
  ['by_status', 'a pending order in a list of paid ones', ({ ledger, partition, orderNo }) =>
    ledger.zadd(keys.byStatus(partition), 1e13, orderNo), []],
  ['trial_held', 'units of trial keys that nobody holds', ({ ledger, partition, productId }) =>
    ledger.hincrby(keys.trialHeld(partition), productId, 1)],
  ['progress', 'a consumer ahead of the outbox', ({ ledger, partition }) => {
    // Another case's order may be in the same partition.
    onTestFinished(async () => { await ledger.hdel(keys.progress(partition), 'elsewhere') })
    return ledger.hset(keys.progress(partition), 'elsewhere', '9999999999999-0')
  }],
  ['record', 'an order without a field', ({ ledger, order }) => ledger.hdel(order, 'held')],
  ['sealed', 'a receiver under a secret that is not known here', async ({ ledger, order }) => {
    await ledger.hset(order, 'receiver', 'r2.unknown0.AAAA')
  }],
  ['order_no', 'an order of another attempt', async ({ ledger, order }) => {
    const given = JSON.parse(await ledger.hget(order, 'given') ?? '{}') as object
    await ledger.hset(order, 'given', JSON.stringify({ ...given, attempt: 'another' }))
  }],
  ['partition', 'an order of another product', ({ ledger, order, productId }) =>
    ledger.hset(order, 'product_id', Number(productId) + 1)],
  ['amount', 'an amount that does not add up', ({ ledger, order }) =>
    ledger.hincrby(order, 'amount', 1)],
  ['timeline', 'an event that cannot follow', ({ ledger, events }) =>
    ledger.rpush(events, '{"event":"delivered","at":9000000000000}')],
  ['timeline', 'the same event twice', async ({ ledger, events }) =>
    ledger.rpush(events, await ledger.lindex(events, -1) ?? '')],
  ['timeline', 'times that go back', ({ ledger, events }) =>
    ledger.lset(events, 1, '{"event":"paid","at":1}')],
  ['timeline', 'a payment after the window', ({ ledger, order }) =>
    ledger.hset(order, 'expires_at', 1)],
  ['status', 'a status without its event', ({ ledger, order }) =>
    ledger.hset(order, 'status', 'shipped')],
  ['status', 'a status that there is not', ({ ledger, order }) =>
    ledger.hset(order, 'status', 'lost')],
  ['held', 'an order that holds what it gave back', ({ ledger, order }) =>
    ledger.hset(order, 'held', 1)],
  ['payment', 'an order that names a payment which nobody recorded', ({ ledger, order }) =>
    ledger.hset(order, 'payment', 'sandbox:none')],
  ['payment', 'a payment of another amount', async (broken) => {
    const { ledger, order, events, partition, orderNo } = broken
    const amount = Number(await ledger.hget(order, 'amount'))
    await take(broken, 'P1', amount)
    expect(await ledger.llen(events)).toBeGreaterThan(1)
    await ledger.hset(keys.payments(partition, orderNo), 'sandbox:P1.given', JSON.stringify({
      via: 'sandbox', paymentId: 'P1', amount: amount + 1, currency: 'CNY', paidAt: 1 }))
  }, []],
  ['payment', 'money of a closed order that nobody gives back', async (broken) => {
    const { ledger, order, partition, orderNo } = broken
    await take(broken, 'P1', Number(await ledger.hget(order, 'amount')))
    await shop.orders.move('cancel_paid', orderNo)
    await ledger.zrem(keys.refunds(partition), orderNo)
  }, []],
  ['payment', 'money that paid nothing and that nobody gives back', async (broken) => {
    await take(broken, 'S1', 1)
    await broken.ledger.zrem(keys.refunds(broken.partition), broken.orderNo)
  }],
  ['payment', 'less given back than was taken', async (broken) => {
    await take(broken, 'S1', 2)
    await noteRefund(broken, 1)
  }],
  ['payment', 'the same money given back twice', async (broken) => {
    await take(broken, 'S1', 1)
    await noteRefund(broken, 1)
    await broken.ledger.hincrby(broken.order, 'given_back', 1)
  }],
  ['payment', 'an order paid twice', async (broken) => {
    const payments = keys.payments(broken.partition, broken.orderNo)
    for (const id of ['S1', 'S2']) {
      await take(broken, id, 1)
      await broken.ledger.hset(payments, `sandbox:${id}.status`, 'applied')
      await broken.ledger.hdel(payments, `sandbox:${id}.why`)
    }
  }],
  ['aftersale', 'an after-sale without a record', ({ ledger, partition, orderNo }) =>
    ledger.del(keys.after(partition, orderNo)), OPEN],
  ['aftersale', 'order and record that do not agree', ({ ledger, order }) =>
    ledger.hset(order, 'after_status', 'received'), OPEN],
  ['aftersale', 'an after-sale that the status forbids', async (broken) => {
    const after = keys.after(broken.partition, broken.orderNo)
    const id = await broken.ledger.hget(broken.order, 'after_id') ?? ''
    await broken.ledger.hset(after, `${id}.status`, 'received', `${id}.at.received`, 9e12)
    await broken.ledger.hset(broken.order, 'after_status', 'received')
  }, OPEN],
  ['claim', 'a claim that is gone', ({ ledger, agent, attempt }) =>
    ledger.del(claimKey(agent, attempt))],
  ['claim', 'a claim for another order', ({ ledger, agent, attempt }) =>
    ledger.set(claimKey(agent, attempt), 'fingerprint AM0000000000000000000')],
  ['claim_kept', 'a claim that will end', ({ ledger, agent, attempt }) =>
    ledger.expire(claimKey(agent, attempt), 1000)],
  ['listed', 'an order missing from its list', ({ ledger, agent, orderNo }) =>
    ledger.zrem(keys.agentOrders(agent), orderNo)],
  ['listed', 'an order listed at another time', ({ ledger, agent, orderNo }) =>
    ledger.zadd(keys.agentOrders(agent), 5, orderNo)],
]

describe('what is broken by hand is found and named', () => {
  test.each(BREAKS)('%s: %s', async (invariant, _, damage, path = PAID) => {
    const { orderNo, agent, attempt, product } = await orderAlong(shop, brief, path)
    const { partition } = product
    const productId = String(product.productId)
    await settle()
    expect(about(await verify({ partitions: [partition] }))).toEqual([])
    await damage({
      ledger: shop.ledger, orderNo, agent, attempt, partition, productId,
      order: keys.order(partition, orderNo), events: keys.events(partition, orderNo),
    })
    const found = about(await verify({ partitions: [partition] }))
    expect(found.map((one) => one.invariant)).toContain(invariant)

    function about({ violations }: Awaited<ReturnType<typeof verify>>) {
      return violations.filter(({ subject }) =>
        [orderNo, productId, `p${partition}`].includes(subject))
    }
  })

  const GLOBAL: [string, string, (id: string) => Promise<unknown>][] = [
    ['list', 'an entry that points nowhere', (id) =>
      shop.ledger.zadd(keys.agentOrders(id), 1, 'AM0000000000000000000')],
    ['list', 'a list of another kind', (id) => shop.ledger.set(keys.agentOrders(id), 'x')],
    ['feed', 'what happened to no order', (id) => shop.ledger.xadd(keys.feed(id), '*',
      'event', 'paid', 'order_no', 'AM0000000000000000000', 'at', Date.now())],
    ['human', 'six after-sales in one window', (id) => shop.ledger.multi()
      .hset(keys.human(id), { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 })
      .expire(keys.human(id), 1000).exec()],
    ['human', 'a window without an end', (id) => shop.ledger.hset(keys.human(id), { a: 1 })],
    ['quota', 'more than a day has', async (id) => {
      await shop.ledger.hset(keys.agent(id), 'tier', 't1')
      await shop.ledger.set(keys.quota(id, 20_000), '99999999999999', 'EX', 1000)
    }],
  ]
  test.each(GLOBAL)('%s: %s', async (invariant, _, damage) => {
    const id = newBuyer().agent
    await damage(id)
    const { violations } = await verify()
    expect(violations.filter(({ subject }) => subject === id).map((one) => one.invariant))
      .toEqual([invariant])
  })

  test('every invariant of the tables is broken above', () => {
    const named = new Set([...PARTITION_INVARIANTS, ...ORDER_INVARIANTS]
      .map(({ invariant }) => invariant))
    for (const name of Object.keys({ ...ELSEWHERE_INVARIANTS, ...LEDGER_INVARIANTS })) {
      named.add(name)
    }
    const broken = new Set([...BREAKS, ...GLOBAL].map(([invariant]) => invariant))
    expect([...named].filter((name) => !broken.has(name))).toEqual([])
  })

  test('a product nobody ordered, too', async () => {
    const product = await supplyProduct(shop.ledger)
    await shop.ledger.hincrby(keys.supplied(product.partition), String(product.productId), 3)
    expect(await stockOf(shop.ledger, product)).toBe(10)
    expect((await verify({ partitions: [product.partition] })).violations).toContainEqual({
      invariant: 'supplied', subject: String(product.productId),
      detail: 'supplied 13, in stock 10, with orders 0',
    })
  })
})
