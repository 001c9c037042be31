import { describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { claimKey } from '../orders/place-order.ts'
import { openDoorbell } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { followOutbox, reloadViews } from '../redis/streams.ts'
import { createBoard } from '../goods/stock.ts'
import { eventually } from '../testing/eventually.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, supplyProduct, type Product } from '../testing/products.ts'
import { ConsumerWorker } from './consumer.ts'
import { orderEffects } from './order-effects.ts'
import { rebuildOrders } from './rebuild.ts'

const log = createLogger('silent')
const NOTHING = { added: 0, removed: 0, claims: 0 }
const shop = await openOwnShop()

async function settle(): Promise<void> {
  const worker = new ConsumerWorker(orderEffects(shop), shop)
  await worker.begin?.()
  while (await worker.tick()) { /* There is more. */ }
}

/** An agent with three orders, as the worker lists them. */
async function agentWithOrders() {
  const buyer = newBuyer()
  const products = await Promise.all([1, 2, 3].map(() => supplyProduct(shop.ledger)))
  const inputs = products.map((product: Product) => attemptAt(product))
  for (const input of inputs) await shop.orders.place(input, buyer)
  await settle()
  const list = keys.agentOrders(buyer.agent)
  const read = () => shop.ledger.zrange(list, '0', '-1', 'WITHSCORES')
  const whole = await read()
  expect(whole).toHaveLength(6)
  return {
    list, read, whole,
    claims: inputs.map(({ idempotency_key }) => claimKey(buyer.agent, idempotency_key)),
  }
}

describe('agents\' order lists are made again from the orders', () => {
  test('deleted, damaged, of another kind or with strays: equal to what they were', async () => {
    const gone = await agentWithOrders()
    const damaged = await agentWithOrders()
    const other = await agentWithOrders()
    await rebuildOrders(shop.ledger)
    await shop.ledger.del(gone.list)
    await shop.ledger.zrem(damaged.list, damaged.whole[0] ?? '')
    await shop.ledger.zadd(damaged.list, 7, damaged.whole[2] ?? '')
    await shop.ledger.zadd(damaged.list, 1, 'AM0000000000000000000', 2, 'nonsense', 3,
      other.whole[0] ?? '')
    await shop.ledger.set(other.list, 'of another kind')
    expect(await rebuildOrders(shop.ledger)).toMatchObject({ added: 3 + 2 + 3, removed: 3 + 1 })
    for (const { read, whole } of [gone, damaged, other]) expect(await read()).toEqual(whole)
    expect(await rebuildOrders(shop.ledger), 'again').toMatchObject(NOTHING)
  })

  test('claims that would end, or are gone, are there for good', async () => {
    const { claims } = await agentWithOrders()
    await rebuildOrders(shop.ledger)
    const [ending = '', gone = '', other = ''] = claims
    const whole = await shop.ledger.mget(ending, gone)
    await shop.ledger.expire(ending, 100)
    await shop.ledger.del(gone)
    await shop.ledger.set(other, 'bound to something else')
    expect(await rebuildOrders(shop.ledger)).toMatchObject({ claims: 2 })
    expect(await shop.ledger.mget(ending, gone)).toEqual(whole)
    expect(await shop.ledger.ttl(ending)).toBe(-1)
    expect(await shop.ledger.get(other), 'never overwritten').toBe('bound to something else')
  })

  test('while orders are placed: none is lost from its list', async () => {
    const product = await supplyProduct(shop.ledger, { stock: 200 })
    const buyer = newBuyer()
    const state = { isOver: false }
    const placing = (async () => {
      for (let count = 0; count < 200; count += 1) {
        await shop.orders.place(attemptAt(product), buyer)
        if (count % 20 === 0) await settle()
      }
      state.isOver = true
    })()
    while (!state.isOver) {
      expect(await rebuildOrders(shop.ledger)).toMatchObject({ removed: 0 })
    }
    await placing
    await settle()
    expect(await shop.ledger.zcard(keys.agentOrders(buyer.agent))).toBe(200)
    expect(await rebuildOrders(shop.ledger)).toMatchObject(NOTHING)
  })
})

describe('stock boards', () => {
  test('of all nodes are made again from the stock itself, without any message', async () => {
    const product = await supplyProduct(shop.ledger)
    const { productId, partition } = product
    const nodes = await Promise.all([1, 2].map(async () => {
      const doorbell = openDoorbell(shop.ledger, log)
      const board = createBoard(shop.ledger)
      const followed = await followOutbox({
        ledger: shop.ledger, doorbell, follower: board, log, sweepMs: 50,
      })
      return { board, stop: () => followed.stop().then(() => doorbell.close()) }
    }))
    // No event tells of it: as after damage that went around the scripts.
    await shop.ledger.hset(keys.stock(partition), productId, 3)
    const quantities = () => nodes.map(({ board }) => board.quantity(productId))
    const seen = nodes.map(({ board }) => board.snapshotAt)
    await eventually(() => expect(
      nodes.every(({ board }, index) => board.snapshotAt !== seen[index])).toBe(true))
    expect(quantities()).toEqual([10, 10])
    await reloadViews(shop.ledger)
    await eventually(() => expect(quantities()).toEqual([3, 3]))
    await shop.orders.place(attemptAt(product), newBuyer())
    await eventually(() => expect(quantities()).toEqual([2, 2]))
    await Promise.all(nodes.map((node) => node.stop()))
  })
})
