/** Money that is taken for orders, however late, often, or wrong it comes, and its way back. */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { outboxEvent } from '../redis/streams.ts'
import { createFakeProvider, FAKE } from '../testing/payments.ts'
import { attemptAt, newBuyer, openShop, stockOf, supplyProduct } from '../testing/products.ts'
import { emptyLedger } from '../testing/spare.ts'
import { refundsWorker } from '../workers/payments.ts'
import { aftersaleSubject } from './aftersale-record.ts'
import { BY_HAND, partitionFor, type Recorded } from './payments.ts'
import { readOrder } from './record.ts'
import type { MoveName } from './states.ts'

// A ledger of its own: on the run's, other nodes would give this money back.
const url = await emptyLedger()
const [shop, other] = await Promise.all([1, 2].map(() =>
  openShop({ sandbox: false }, { url })))
afterAll(() => { for (const one of [shop, other]) one?.close() })
const { ledger, orders, log } = shop!
const { payments } = orders

/** 25.90: one at 19.90, and 6.00 freight. */
const AMOUNT = 2590

async function liveOrder() {
  const product = await supplyProduct(ledger)
  const buyer = newBuyer()
  const { order_no: orderNo, amount } = await orders.place(attemptAt(product), buyer)
  expect(amount).toBe(AMOUNT)
  return { orderNo, product, agent: buyer.agent }
}

const end = (orderNo: string) =>
  ledger.hset(keys.order(partitionFor(orderNo), orderNo), 'expires_at', '1')

/** A tick of the worker with everything due, whenever it was planned for. */
async function tick(...providers: Parameters<typeof refundsWorker>[0]['providers']) {
  for (const partition of Array.from({ length: 256 }, (_, at) => at)) {
    const waiting = await ledger.zrange(keys.refunds(partition), '0', '-1')
    for (const orderNo of waiting) await ledger.zadd(keys.refunds(partition), '1', orderNo)
  }
  await refundsWorker({ ledger, payments, providers, log }).tick()
}

const record = (provider: ReturnType<typeof createFakeProvider>, orderNo: string,
  ...more: [amount?: number, given?: object]): Promise<Recorded> =>
  payments.record(provider.take(orderNo, more[0] ?? AMOUNT, more[1]), FAKE, 'live')

const paidEvents = async (orderNo: string) =>
  (await ledger.xrange(keys.outbox(partitionFor(orderNo)), '-', '+'))
    .map((entry) => outboxEvent(partitionFor(orderNo), entry))
    .filter((event) => event.orderNo === orderNo && event.type === 'paid')

test('a payment pays its order as the table\'s row does', async () => {
  const [one, two] = [await liveOrder(), await liveOrder()]
  expect(await record(createFakeProvider(), one.orderNo)).toEqual({ outcome: 'paid' })
  await orders.move('pay', two.orderNo)
  const [paid, moved] = [await readOrder(ledger, one.orderNo), await readOrder(ledger, two.orderNo)]
  expect(paid?.status).toBe('paid')
  expect(paid?.events.map(({ event }) => event)).toEqual(moved?.events.map(({ event }) => event))
  for (const list of [keys.unpaid, keys.due]) {
    expect(await ledger.zscore(list(one.product.partition), one.orderNo)).toBeNull()
  }
  expect(await paidEvents(one.orderNo)).toMatchObject([{ agent: one.agent }])
  // What pays by itself afterwards finds it done.
  expect(await orders.move('pay', one.orderNo)).toMatchObject({ code: 'done' })
  expect(await orders.move('expire', one.orderNo)).toMatchObject({ code: 'state' })
})

test('one notice twenty times at once on two nodes is one payment and one paid event', async () => {
  const { orderNo } = await liveOrder()
  const payment = createFakeProvider().take(orderNo, AMOUNT)
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, at) =>
    (at % 2 ? other! : shop!).orders.payments.record(payment, FAKE, 'live')))
  expect(outcomes.filter(({ outcome }) => outcome === 'paid')).toHaveLength(1)
  expect(outcomes.filter(({ outcome }) => outcome === 'known')).toHaveLength(19)
  expect(await paidEvents(orderNo)).toHaveLength(1)
  expect(await payments.of(orderNo)).toMatchObject([{ status: 'applied', amount: AMOUNT }])
  expect(await payments.owed(orderNo)).toEqual([])
})

describe('money that pays no order is kept, given back in full, and told', () => {
  test.each<[string, (orderNo: string) => Promise<unknown>, number, object]>([
    ['late', end, AMOUNT, {}],
    ['closed', (orderNo) => orders.move('cancel', orderNo), AMOUNT, {}],
    ['amount', async () => undefined, AMOUNT - 1, {}],
    ['currency', async () => undefined, AMOUNT, { currency: 'USD' }],
    ['second', (orderNo) => payments.record({ paymentId: 'first', orderNo, amount: AMOUNT,
      currency: 'CNY', paidAt: 1 }, BY_HAND, 'live'), AMOUNT, {}],
    ['mode', (orderNo) => ledger.hset(keys.order(partitionFor(orderNo), orderNo), 'mode',
      'sandbox'), AMOUNT, {}],
    ['unknown', (orderNo) => ledger.del(keys.order(partitionFor(orderNo), orderNo)), AMOUNT, {}],
  ])('%s', async (why, prepare, amount, given) => {
    const { orderNo } = await liveOrder()
    const provider = createFakeProvider()
    await prepare(orderNo)
    const before = await readOrder(ledger, orderNo)
    expect(await record(provider, orderNo, amount, given)).toEqual({ outcome: 'stray', why })
    const after = await readOrder(ledger, orderNo)
    expect(after?.status).toBe(before?.status)
    const isTold = why !== 'unknown' && why !== 'currency'
    expect(after?.refund).toEqual(isTold ? { amount } : undefined)
    await tick(provider)
    await tick(provider)
    expect(provider.holds(orderNo)).toBe(0)
    expect(await payments.of(orderNo)).toContainEqual(
      expect.objectContaining({ via: FAKE, status: 'returned', returned: amount, why }))
    const { refund } = await readOrder(ledger, orderNo) ?? {}
    const arrived = { amount, arrivedAt: expect.any(Number) }
    expect(refund).toEqual(isTold ? arrived : undefined)
    expect(await ledger.zscore(keys.refunds(partitionFor(orderNo)), orderNo)).toBeNull()
  })

  test('also for an order number that nobody gave out', async () => {
    const provider = createFakeProvider()
    expect(await record(provider, 'T-1')).toEqual({ outcome: 'stray', why: 'unknown' })
    await tick(provider)
    expect(provider.holds('T-1')).toBe(0)
  })
})

describe('a refund of a paid order', () => {
  test.each<[MoveName[], number]>([
    [['cancel_paid'], 6], [['refund_unshipped'], 6],
    [['accept', 'ship', 'refund_sent', 'finish_refund'], 5],
    [['accept', 'ship', 'deliver', 'complete', 'refund_completed'], 5],
  ])('by %j goes back once, and the order says when it has arrived', async (moves) => {
    const { orderNo, agent } = await liveOrder()
    const provider = createFakeProvider()
    await record(provider, orderNo)
    for (const name of moves) {
      expect(await payments.owed(orderNo)).toEqual([])
      expect((await orders.move(name, orderNo)).code).toBe('moved')
    }
    expect(await orders.read(agent, orderNo)).toMatchObject(
      { refund: { amount: AMOUNT, status: 'on_its_way' }, poll_after_s: expect.any(Number) })
    provider.plan('down', 'pending', 'lost')
    for (let count = 0; count < 5; count += 1) await tick(provider)
    expect(provider.holds(orderNo)).toBe(0)
    expect(new Set(provider.asked.map(({ refundId }) => refundId)).size).toBe(1)
    const view = await orders.read(agent, orderNo)
    expect(view.refund).toEqual(
      { amount: AMOUNT, status: 'arrived', arrived_at: expect.any(String) })
    expect(view).not.toHaveProperty('poll_after_s')
  })

  test('is of what its after-sale promised', async () => {
    const { orderNo, product, agent } = await liveOrder()
    const provider = createFakeProvider()
    await record(provider, orderNo)
    for (const name of ['accept', 'ship', 'deliver'] as const) await orders.move(name, orderNo)
    await orders.requestAftersale({ order_no: orderNo, type: 'return_refund' },
      { agent, account: '' })
    const aftersale = (await readOrder(ledger, orderNo))?.aftersales.at(-1)
    for (const name of ['approve_return', 'collect', 'receive', 'refund_returned'] as const) {
      expect((await orders.move(name, orderNo, { aftersale: aftersaleSubject(aftersale!) })).code)
        .toBe('moved')
    }
    await tick(provider)
    // The goods; the freight of the way there stays.
    expect(provider.asked).toMatchObject([{ amount: 1990 }])
    expect(provider.holds(orderNo)).toBe(product.freight)
    const { aftersale: latest } = await orders.read(agent, orderNo)
    expect(latest?.next_step).toBe('Nothing: ¥19.90 has arrived where it was paid from.')
  })

  test('is of everything where the merchant makes it after a rejected after-sale', async () => {
    const { orderNo, agent } = await liveOrder()
    const provider = createFakeProvider()
    await record(provider, orderNo)
    for (const name of ['accept', 'ship', 'deliver'] as const) await orders.move(name, orderNo)
    await orders.requestAftersale({ order_no: orderNo, type: 'return_refund' },
      { agent, account: '' })
    const aftersale = (await readOrder(ledger, orderNo))?.aftersales.at(-1)
    await orders.move('reject', orderNo, { aftersale: aftersaleSubject(aftersale!) })
    for (const name of ['refund_sent', 'finish_refund'] as const) await orders.move(name, orderNo)
    await tick(provider)
    expect(provider.holds(orderNo)).toBe(0)
  })

  test('that two nodes note as arrived is counted once', async () => {
    const { orderNo } = await liveOrder()
    const provider = createFakeProvider()
    await record(provider, orderNo)
    await orders.move('cancel_paid', orderNo)
    const [[payment, amount] = []] = await payments.owed(orderNo)
    for (const node of [shop!, other!]) {
      await node.orders.payments.noteReturn(orderNo, payment!, amount, 'arrived', 0)
    }
    expect(await payments.of(orderNo)).toMatchObject([{ status: 'returned', returned: AMOUNT }])
    const givenBack = await ledger.hget(keys.order(partitionFor(orderNo), orderNo), 'given_back')
    expect(Number(givenBack)).toBe(AMOUNT)
  })

  test('that was paid by hand waits for a person, and is listed as failed', async () => {
    const { orderNo, product: { partition } } = await liveOrder()
    await payments.record({ paymentId: 'transfer 7', orderNo, amount: AMOUNT, currency: 'CNY',
      paidAt: 1 }, BY_HAND, 'live')
    await orders.move('refund_unshipped', orderNo)
    await tick()
    expect(await payments.of(orderNo)).toMatchObject([{ status: 'applied', note: 'by_hand' }])
    expect(await ledger.zscore(keys.refundsFailed(partition), orderNo)).not.toBeNull()
    const [[payment, amount] = []] = await payments.owed(orderNo)
    await payments.noteReturn(orderNo, payment!, amount, 'transfer 8', 0)
    await tick()
    expect(await payments.of(orderNo)).toMatchObject([{ status: 'returned', returned: AMOUNT }])
    expect(await ledger.zscore(keys.refundsFailed(partition), orderNo)).toBeNull()
  })
})

/** A payment that comes while the worker has just found nothing left. */
test('a look that found nothing does not end one that has something since', async () => {
  const { orderNo, product: { partition } } = await liveOrder()
  const provider = createFakeProvider()
  await record(provider, orderNo, 1)
  await payments.endReturns(orderNo)
  expect(await ledger.zscore(keys.refunds(partition), orderNo)).not.toBeNull()
})

const STEPS = [
  'notice', 'again', 'wrong', 'expire', 'cancel', 'cancel_paid', 'accept', 'ship', 'deliver',
  'complete', 'refund_unshipped', 'refund_sent', 'finish_refund', 'refund_completed', 'tick',
] as const
const HELD = new Set(['paid', 'merchant_accepted', 'shipped', 'delivered', 'completed',
  'refunding'])

test('whatever comes in any order and at once, money taken less money given back is what the '
  + 'order is worth', async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 4 }), {
      minLength: 1, maxLength: 8,
    }),
    fc.array(fc.constantFrom('refunded', 'pending', 'down', 'lost'), { maxLength: 6 }),
    async (plan, behaviour) => {
      const { orderNo, product } = await liveOrder()
      const provider = createFakeProvider()
      provider.plan(...behaviour)
      const steps: Record<string, () => Promise<unknown>> = {
        notice: () => record(provider, orderNo),
        wrong: () => record(provider, orderNo, AMOUNT + 1),
        again: async () => {
          for (const payment of await provider.query(orderNo)) {
            await other!.orders.payments.record(payment, FAKE, 'live')
          }
        },
        expire: async () => {
          await end(orderNo)
          await orders.move('expire', orderNo)
        },
        tick: () => tick(provider),
      }
      for (const together of plan) {
        await Promise.all(together.map((step) =>
          steps[step]?.() ?? orders.move(step as MoveName, orderNo)))
      }
      while (await ledger.zscore(keys.refunds(product.partition), orderNo) !== null) {
        await tick(provider)
      }
      const order = await readOrder(ledger, orderNo)
      const worth = HELD.has(order?.status ?? '') ? AMOUNT : 0
      expect(provider.holds(orderNo)).toBe(worth)
      const records = await payments.of(orderNo)
      expect(records.filter(({ status }) => status === 'stray')).toEqual([])
      expect(await paidEvents(orderNo)).toHaveLength(
        order?.events.some(({ event }) => event === 'paid') ? 1 : 0)
      const held = Number(await ledger.hget(keys.order(product.partition, orderNo), 'held'))
      expect(await stockOf(ledger, product) + held).toBe(product.stock)
    }), { numRuns: 60 })
})
