/** What was never paid goes: the order, its timeline, its claim and its place in lists. */
import { describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { createSecrets } from '../secrets/derive.ts'
import { claimKey } from '../orders/place-order.ts'
import { ledger as keys } from '../redis/keys.ts'
import { eventually } from '../testing/eventually.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import {
  attemptAt, inTwoRounds, newBuyer, openShop, refusalOf, SHOP_SECRET, stockOf, supplyProduct,
  type Shop,
} from '../testing/products.ts'
import { verifyLedger } from '../verify/verify.ts'
import { ConsumerWorker } from './consumer.ts'
import { expiryWorker, fadingWorker } from './due-orders.ts'
import { orderEffects } from './order-effects.ts'
import { rebuildOrders } from './rebuild.ts'

const log = createLogger('silent')
const shop = await openOwnShop()
const { ledger, brief } = shop
/** One that claims keys before it places orders, as on a cluster. */
const claiming = await openShop({}, { url: shop.url, wrap: inTwoRounds })
/** A node whose closed orders are dropped at once. */
const hasty = await openShop({ unpaidKeptMs: 1 }, { url: shop.url })
const DAYS_30_MS = 2_592_000_000

async function settle(): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), { ...shop, sweepMs: 0 })
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

/** Throws until its payment window is over. */
async function expire(orderKey: string): Promise<void> {
  await expiryWorker(shop).tick()
  expect(await ledger.hget(orderKey, 'status')).toBe('closed')
}

async function place(node: Shop = shop) {
  const product = await supplyProduct(ledger)
  const buyer = newBuyer()
  const attempt = attemptAt(product)
  const { order_no } = await node.orders.place(attempt, buyer)
  const { partition } = product
  const names = [keys.order(partition, order_no), keys.events(partition, order_no)] as const
  return {
    product, buyer, attempt, orderNo: order_no, names,
    claim: claimKey(buyer.agent, attempt.idempotency_key), list: keys.agentOrders(buyer.agent),
  }
}

/** Without feeds: they name orders for 7 days, and no node drops one as early as these. */
const verify = async () => (await verifyLedger({
  ledger, secrets: createSecrets(SHOP_SECRET), log,
})).violations.filter(({ invariant }) => invariant !== 'feed')

describe('an order that was closed unpaid', () => {
  test.each([
    ['cancelled', 'cancel'], ['expired', 'expire'],
  ] as const)('and %s ends with its timeline and its claim after 30 days', async (_, how) => {
    const { orderNo, names, claim } = await place(how === 'expire' ? brief : shop)
    if (how === 'cancel') await shop.orders.move('cancel', orderNo)
    else await eventually(() => expire(names[0]))
    await settle()
    const left = await Promise.all([...names, claim].map((name) => ledger.pttl(name)))
    for (const ms of left) {
      expect(ms).toBeGreaterThan(DAYS_30_MS - 600_000)
      expect(ms).toBeLessThanOrEqual(DAYS_30_MS)
    }
    expect(await verify()).toEqual([])
  })

  test('is the same order to a retry until then, and a new attempt afterwards', async () => {
    const { buyer, attempt, orderNo, product, list } = await place(hasty)
    await shop.orders.move('cancel', orderNo)
    const again = await shop.orders.place(attempt, buyer)
    expect(again).toMatchObject({ order_no: orderNo, status: 'closed', duplicate: true })
    const dropped = await place(hasty)
    await settle()
    await hasty.orders.move('cancel', dropped.orderNo)
    await settle()
    await expect.poll(() => ledger.exists(...dropped.names, dropped.claim)).toBe(0)
    const anew = await shop.orders.place(dropped.attempt, dropped.buyer)
    expect(anew).toMatchObject({ status: 'pending_payment', duplicate: false })
    await settle()
    await fadingWorker(shop).tick()
    expect(await ledger.pttl(dropped.claim)).toBe(-1)
    expect(await ledger.zscore(dropped.list, anew.order_no)).not.toBeNull()
    expect(await ledger.zscore(list, orderNo)).not.toBeNull()
    expect(await stockOf(ledger, product)).toBe(10)
    expect(await verify()).toEqual([])
  })

  test('leaves its agent\'s list when it is dropped, and no other does', async () => {
    const { buyer, orderNo, names, list, product } = await place()
    const kept = await shop.orders.place(attemptAt(product), buyer)
    await shop.orders.move('pay', kept.order_no)
    const closed = await shop.orders.place(attemptAt(product), buyer)
    await shop.orders.move('cancel', closed.order_no)
    await settle()
    await hasty.orders.move('cancel', orderNo)
    await settle()
    await expect.poll(() => ledger.exists(...names)).toBe(0)
    expect(await verify(), 'before the worker').toEqual([])
    await eventually(async () => {
      await fadingWorker(shop).tick()
      expect(await ledger.zscore(list, orderNo)).toBeNull()
    })
    const { items } = await shop.orders.list(buyer.agent, undefined, 20)
    expect(items.map(({ order_no }) => order_no).toSorted())
      .toEqual([kept.order_no, closed.order_no].toSorted())
    // Products of other tests may share the partition.
    const fading = await ledger.zrange(keys.fading(product.partition), '0', '-1')
    expect(fading.filter((name) => name.endsWith(buyer.agent)))
      .toEqual([`${closed.order_no} ${buyer.agent}`])
    expect(await verify()).toEqual([])
  })

  test('keeps its claim no longer when the event of its creation comes late', async () => {
    const { orderNo, claim, names } = await place(claiming)
    await settle()
    await shop.orders.move('cancel', orderNo)
    await settle()
    // From the start of every outbox: as one that was set aside, and done later.
    for (let partition = 0; partition < 256; partition += 1) {
      await ledger.del(keys.progress(partition))
    }
    await settle()
    const [order, bound] = await Promise.all([ledger.pttl(names[0]), ledger.pttl(claim)])
    expect(Math.abs(order - bound)).toBeLessThan(1000)
  })
})

describe('an order that was paid', () => {
  test('is kept for good, also when it is cancelled', async () => {
    const { orderNo, buyer, names, claim } = await place()
    await shop.orders.move('pay', orderNo)
    await shop.orders.cancel(buyer.agent, orderNo)
    await settle()
    expect(await Promise.all([...names, claim].map((name) => ledger.pttl(name))))
      .toEqual([-1, -1, -1])
  })
})

describe('a rebuild of orders', () => {
  test('gives what older code closed unpaid its end, once; what was paid is left', async () => {
    const old = await place()
    const paid = await place()
    await shop.orders.move('pay', paid.orderNo)
    await shop.orders.cancel(paid.buyer.agent, paid.orderNo)
    await shop.orders.move('cancel', old.orderNo)
    await settle()
    // As older code left it.
    await ledger.del(keys.fading(old.product.partition))
    for (const name of [...old.names, old.claim]) await ledger.persist(name)
    expect(await rebuildOrders(ledger)).toMatchObject({ fading: 1 })
    expect(await rebuildOrders(ledger), 'again').toMatchObject({ fading: 0, claims: 0 })
    for (const name of [...old.names, old.claim]) {
      expect(await ledger.pttl(name)).toBeGreaterThan(DAYS_30_MS - 600_000)
    }
    for (const name of [...paid.names, paid.claim]) expect(await ledger.pttl(name)).toBe(-1)
    expect(await verify()).toEqual([])
  })

  test('leaves the end of a claim that ends with its order', async () => {
    const { orderNo, claim } = await place()
    await shop.orders.move('cancel', orderNo)
    await settle()
    await rebuildOrders(ledger)
    expect(await ledger.pttl(claim)).toBeGreaterThan(0)
  })
})

test('a number that is no order is refused as ever', async () => {
  const { buyer, orderNo, names } = await place(hasty)
  await hasty.orders.move('cancel', orderNo)
  await expect.poll(() => ledger.exists(...names)).toBe(0)
  expect(await refusalOf(shop.orders.cancel(buyer.agent, orderNo)))
    .toMatchObject({ error: 'not_found' })
  hasty.close()
  claiming.close()
})
