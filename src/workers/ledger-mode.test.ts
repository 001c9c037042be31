import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { readBalances } from '../earnings/books.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { readOrder } from '../orders/record.ts'
import { isFinal } from '../orders/states.ts'
import { counters as counterKeys, ledger as keys } from '../redis/keys.ts'
import { openBooks } from '../testing/earnings-books.ts'
import { everyPath, orderAlong } from '../testing/every-state.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import {
  attemptAt, newBuyer, openShop, SHOP_SECRET, stockOf, supplyProduct,
} from '../testing/products.ts'
import { verifyLedger } from '../verify/verify.ts'
import { ConsumerWorker } from './consumer.ts'
import { assertMode, goLive, isSomethingLeft, readLedgerMode, sandboxLeft } from './ledger-mode.ts'
import { orderEffects } from './order-effects.ts'

const shop = await openOwnShop()
const { ledger, durable } = shop
const config = {
  sandbox: false, sandboxStepMs: 600_000, sandboxCompleteMs: 600_000, completeMs: 604_800_000,
  unpaidKeptMs: 2_592_000_000,
}
const place = { ledger, durable, counters: ledger, config }

beforeEach(async () => { await ledger.flushall() })

async function effects(): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), shop)
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

async function order() {
  const [product, buyer] = [await supplyProduct(ledger), newBuyer()]
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
  return { orderNo, product, buyer }
}

describe('a service', () => {
  test.each([true, false])('notes its mode on a new ledger: sandbox %s', async (sandbox) => {
    await assertMode(ledger, { sandbox })
    await assertMode(ledger, { sandbox })
    expect(await readLedgerMode(ledger)).toBe(sandbox ? 'sandbox' : 'live')
  })

  test('of the sandbox does not start on a live ledger', async () => {
    await assertMode(ledger, { sandbox: false })
    await expect(assertMode(ledger, { sandbox: true })).rejects.toThrow(/This ledger is live/)
    expect(await readLedgerMode(ledger)).toBe('live')
  })

  test('goes live by itself where nothing pretended is left', async () => {
    await assertMode(ledger, { sandbox: true })
    await assertMode(ledger, { sandbox: false })
    expect(await readLedgerMode(ledger)).toBe('live')
  })

  test.each([
    ['an order in flight', async () => { await order() }],
    ['pretended money', async () => { await openBooks(shop).settled(2000) }],
    ['money of an older version, which kept no mode', async () => {
      await ledger.hset(keys.balances('ac_old', 'sandbox'), { platform: -5, pending: 5 })
    }],
  ])('does not go live beside %s, and names the command', async (_, make) => {
    await make()
    await expect(assertMode(ledger, { sandbox: false })).rejects.toThrow(ConfigError)
    await expect(assertMode(ledger, { sandbox: false })).rejects.toThrow(/agentmall mode live/)
    expect(await readLedgerMode(ledger)).toBeUndefined()
  })
})

describe('going live', () => {
  test('ends orders of the sandbox in any state, with their units back in stock', async () => {
    const paths = everyPath()
    const orders = await Promise.all(paths.map(async (path) =>
      ({ path, ...await orderAlong(shop, shop.brief, path.path) })))
    await effects()
    const open = paths.filter(({ status }) => !isFinal(status))
    const before = await sandboxLeft(ledger)
    expect(Object.values(before.orders).reduce((sum, count) => sum + count, 0)).toBe(open.length)
    expect((await goLive(place)).orders).toEqual(before.orders)
    for (const { path: { status }, orderNo } of orders.filter(({ path }) => isFinal(path.status))) {
      expect(await readOrder(ledger, orderNo)).toMatchObject({ status })
    }
    const running = orders.filter(({ path }) => !isFinal(path.status))
    for (const { path: { status, after }, orderNo, product } of running) {
      const record = await readOrder(ledger, orderNo)
      expect(isFinal(record?.status ?? status)).toBe(true)
      // What was refunded without a return stays with its buyer, as the table has it.
      const isKept = status === 'refunding' && after !== 'received'
      expect([status, after, await stockOf(ledger, product)])
        .toEqual([status, after, isKept ? product.stock - 2 : product.stock])
    }
    expect((await sandboxLeft(ledger)).orders).toEqual({})
    expect(await readLedgerMode(ledger)).toBe('live')
    await effects()
    const { violations } = await verifyLedger({
      ledger, secrets: createSecrets(SHOP_SECRET), log: createLogger('silent'),
    })
    expect(violations).toEqual([])
  })

  test('takes back what is pending, and leaves other pretended money as a record', async () => {
    const { orderNo, buyer } = await order()
    await shop.orders.move('pay', orderNo)
    await effects()
    const own = openBooks(shop)
    await own.settled(2000)
    expect(await readBalances(shop, buyer.account)).toMatchObject({ pending: 129 })
    await goLive(place)
    expect(await readBalances(shop, buyer.account)).toMatchObject({ platform: 0, pending: 0 })
    expect(await own.balances()).toMatchObject({ withdrawable: 2000 })
    // The record is no hindrance.
    expect(isSomethingLeft(await sandboxLeft(ledger))).toBe(true)
    await assertMode(ledger, config)
    await expect(assertMode(ledger, { sandbox: true })).rejects.toThrow(ConfigError)
  })

  test('leaves orders that were placed live as they are', async () => {
    const live = await openShop({ sandbox: false }, { url: shop.url })
    const { order_no: orderNo } =
      await live.orders.place(attemptAt(await supplyProduct(ledger)), newBuyer())
    live.close()
    await goLive(place)
    expect(await readOrder(ledger, orderNo)).toMatchObject({ status: 'pending_payment' })
  })

  test('is refused while a node runs, and changes nothing', async () => {
    const { orderNo } = await order()
    await ledger.set(counterKeys.lease('driver'), randomUUID())
    await expect(goLive(place)).rejects.toThrow(/stop the service/)
    expect(await readOrder(ledger, orderNo)).toMatchObject({ status: 'pending_payment' })
    expect(await readLedgerMode(ledger)).toBeUndefined()
  })
})
