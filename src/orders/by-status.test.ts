/** The index of orders by status: what lists read instead of every order. */
import { beforeEach, describe, expect, test } from 'vitest'
import { partitionOfOrder } from '../contract/ids.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { everyPath, orderAlong } from '../testing/every-state.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, supplyProduct } from '../testing/products.ts'
import { rebuildOrders } from '../workers/rebuild.ts'
import { findOrders, type FindOptions, type FoundOrder } from './lists.ts'
import { STATUSES, type Status } from './states.ts'

const shop = await openOwnShop()
const { ledger } = shop

beforeEach(async () => { await ledger.flushall() })

async function found(status: Status, options?: FindOptions): Promise<FoundOrder[]> {
  const orders: FoundOrder[] = []
  for await (const order of findOrders(ledger, status, options)) orders.push(order)
  return orders
}

const listed = async (status: Status, options?: FindOptions): Promise<string[]> =>
  (await found(status, options)).map(({ order_no }) => order_no)

const listAll = async (): Promise<Record<string, string[]>> => Object.fromEntries(
  await Promise.all(STATUSES.map(async (status) => [status, await listed(status)] as const)))

/** Paid orders in the order of their placement: ties within a millisecond by number. */
async function paidOrders(count: number): Promise<string[]> {
  const products = await Promise.all([1, 2, 3].map(() =>
    supplyProduct(ledger, { stock: count })))
  const placed = await Promise.all(Array.from({ length: count }, async (_, index) => {
    const product = products[index % products.length] as (typeof products)[number]
    const { order_no: orderNo } = await shop.orders.place(attemptAt(product), newBuyer())
    await shop.orders.move('pay', orderNo)
    const order = keys.order(partitionOfOrder(orderNo) ?? 0, orderNo)
    return `${await ledger.hget(order, 'created_at')} ${orderNo}`
  }))
  return placed.toSorted().map((name) => name.split(' ')[1] ?? '')
}

async function scansCalled(): Promise<number> {
  const stats = await ledger.info('commandstats')
  return Number(/cmdstat_scan:calls=(\d+)/.exec(stats)?.[1] ?? 0)
}

describe('orders by status', () => {
  test('each order of every standing is in the list of its status, and in no other', async () => {
    const made = await Promise.all(everyPath().map(async ({ path, status }) =>
      [status, (await orderAlong(shop, shop.brief, path)).orderNo] as const))
    const expected = Object.fromEntries(STATUSES.map((status) =>
      [status, made.filter(([of]) => of === status).map(([, orderNo]) => orderNo).toSorted()]))
    const lists = Object.entries(await listAll()).map(([status, orderNos]) =>
      [status, orderNos.toSorted()])
    expect(Object.fromEntries(lists)).toEqual(expected)
  })

  test('a list longer than a page is whole and oldest first', async () => {
    const orderNos = await paidOrders(700)
    expect(await listed('paid')).toEqual(orderNos)
    expect(await listed('paid', { limit: 9 })).toEqual(orderNos.slice(0, 9))
  })

  test('a list can begin at a time', async () => {
    const [first = '', ...rest] = await paidOrders(5)
    for (const orderNo of [first, ...rest]) {
      const partition = partitionOfOrder(orderNo) ?? 0
      await ledger.hincrby(keys.order(partition, orderNo), 'created_at', orderNo === first ? -9 : 9)
    }
    await rebuildOrders(ledger)
    const [, second] = await found('paid')
    const now = Date.parse(second?.created_at ?? '')
    expect(await listed('paid', { from: now })).toEqual(rest)
  })

  test('a list looks at no key beside the index and the orders in it', async () => {
    await paidOrders(5)
    await listAll()
    const before = await scansCalled()
    await listAll()
    expect(await scansCalled()).toBe(before)
  })

  test('orders of older code are found, which left no index', async () => {
    const orderNos = await paidOrders(5)
    await ledger.del(...everyPartition().map(keys.byStatus))
    expect(await listed('paid')).toEqual(orderNos)
  })

  test('a rebuild puts back what is missing or wrong, and takes out what is no order', async () => {
    await paidOrders(3)
    const before = await listAll()
    const [missing = '', elsewhere = '', kept = ''] = before['paid'] ?? []
    const index = (orderNo: string) => keys.byStatus(partitionOfOrder(orderNo) ?? 0)
    await ledger.zrem(index(missing), missing)
    await ledger.zadd(index(elsewhere), 7, elsewhere)
    await ledger.zadd(index(kept), 1e13, `${kept.slice(0, -1)}0`)
    expect(await rebuildOrders(ledger)).toMatchObject({ statuses: 3 })
    expect(await listAll()).toEqual(before)
    expect(await ledger.zcard(index(kept))).toBeGreaterThan(0)
    expect(await rebuildOrders(ledger), 'again').toMatchObject({ statuses: 0 })
  })
})
