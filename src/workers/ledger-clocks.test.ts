/** A ledger whose clock jumps closes and completes nothing, until it has run evenly for a while. */
import { expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { measures } from '../measures.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs, timeMsOf } from '../redis/replies.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, supplyProduct } from '../testing/products.ts'
import { createFakeProvider } from '../testing/payments.ts'
import { driverWorker, expiryWorker } from './due-orders.ts'
import { createLedgerClocks } from './ledger-clocks.ts'
import { refundsWorker } from './payments.ts'
import { trimWorker } from './outboxes.ts'

const shop = await openOwnShop()
const { ledger } = shop
const log = createLogger('silent')
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

/** The ledger's clock, as far ahead as a test likes. */
function shiftedClocks(heldMs: number) {
  const shift = { ms: 0 }
  const clocks = createLedgerClocks({
    ledger, log, heldMs,
    readTime: async (master) => timeMsOf(await master.time()) + shift.ms,
  })
  return { shift, clocks }
}

/** The orders that a sweep would close. */
function watchedMoves() {
  const asked: string[] = []
  const move = async (_name: string, orderNo: string) => {
    asked.push(orderNo)
    return { code: 'early' as const }
  }
  return { move, asked }
}

/** An order that waits for its payment. */
async function unpaidOrder() {
  const product = await supplyProduct(ledger)
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), newBuyer())
  return { orderNo, partition: product.partition }
}

test('half an hour ahead: no order is closed, until the clock has run so for a while', async () => {
  const { orderNo } = await unpaidOrder()
  const { move, asked } = watchedMoves()
  const { shift, clocks } = shiftedClocks(300)
  const sweep = expiryWorker({ ledger, log, orders: { move }, clocks })
  const isClosed = () => asked.includes(orderNo)
  await sweep.tick()
  shift.ms = 31 * MINUTE_MS
  await sweep.tick()
  expect(isClosed()).toBe(false)
  expect(measures.clocksHeld).toBe(1)
  // A machine that was suspended: from now on this is the time.
  await expect.poll(async () => {
    await sweep.tick()
    return isClosed()
  }).toBe(true)
  expect(measures.clocksHeld).toBe(0)
})

test('a jump that is put right again leaves no trace', async () => {
  const { orderNo } = await unpaidOrder()
  const { move, asked } = watchedMoves()
  const { shift, clocks } = shiftedClocks(10 * MINUTE_MS)
  const sweep = expiryWorker({ ledger, log, orders: { move }, clocks })
  for (const ms of [0, 31 * MINUTE_MS, 31 * MINUTE_MS, 0, 0]) {
    shift.ms = ms
    await sweep.tick()
  }
  expect(asked).not.toContain(orderNo)
})

test('a week ahead: no delivered order is completed', async () => {
  const { orderNo, partition } = await unpaidOrder()
  for (const name of ['pay', 'accept', 'ship', 'deliver'] as const) {
    await shop.orders.move(name, orderNo, name === 'ship'
      ? { detail: { waybill_no: 'SF1', express_co: '顺丰' } } : {})
  }
  await ledger.zadd(keys.due(partition), await redisTimeMs(ledger) + DAY_MS, orderNo)
  const { shift, clocks } = shiftedClocks(10 * MINUTE_MS)
  const driver = driverWorker({ ...shop, stepMs: 1000, clocks })
  await driver.tick()
  shift.ms = 7 * DAY_MS
  await driver.tick()
  expect(await ledger.hget(keys.order(partition, orderNo), 'status')).toBe('delivered')
})

test('a day ahead: no refund is asked for, so none is put off until tomorrow', async () => {
  const { orderNo, partition } = await unpaidOrder()
  const provider = createFakeProvider()
  const { payments } = shop.orders
  await payments.record(provider.take(orderNo, 1), provider.name, 'sandbox')
  const { shift, clocks } = shiftedClocks(300)
  const refunds = refundsWorker({ ledger, log, payments, providers: [provider], clocks })
  provider.plan('down')
  await clocks.look()
  shift.ms = DAY_MS
  await refunds.tick()
  expect(provider.asked).toEqual([])
  await expect.poll(async () => {
    await ledger.zadd(keys.refunds(partition), 'XX', 1, orderNo)
    await refunds.tick()
    return provider.holds(orderNo)
  }).toBe(0)
})

test('a day ahead: no entry of an outbox is too old', async () => {
  const { partition } = await unpaidOrder()
  await unpaidOrder()
  const outbox = keys.outbox(partition)
  await ledger.xadd(outbox, '*', 'type', 'stock', 'at', 1, 'product_id', 1)
  const last = (await ledger.xrevrange(outbox, '+', '-', 'COUNT', 1))[0]?.[0] ?? ''
  await ledger.hset(keys.progress(partition), 'one', last)
  const before = await ledger.xlen(outbox)
  expect(before).toBeGreaterThan(1)
  const { shift, clocks } = shiftedClocks(10 * MINUTE_MS)
  const trim = trimWorker({ ledger, log, consumers: ['one'], clocks })
  await trim.tick()
  shift.ms = DAY_MS
  await trim.tick()
  expect(await ledger.xlen(outbox)).toBe(before)
})
