import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLogger } from '../log.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import {
  attemptAt, newBuyer, openShop, stockOf, supplyProduct, type Shop,
} from '../testing/products.ts'
import { expiryWorker } from '../workers/expiry.ts'
import { driverWorker } from '../workers/driver.ts'
import { openDoorbell } from './doorbell.ts'
import { ledger as keys } from './keys.ts'
import { ask } from './server.ts'
import { laneOf, runMany, slotOf } from './slots.ts'
import { followOutbox } from './streams.ts'

const SLOTS = 16_384
const log = createLogger('silent')
let masters: OwnLedger[] = []
let shop: Shop

const onAll = <T>(work: (master: OwnLedger, index: number) => Promise<T>) =>
  Promise.all(masters.map(work))
const call = (master: OwnLedger | undefined, ...words: (string | number)[]) => {
  if (!master) throw new Error('There is no such master.')
  return ask(master.server, (redis) => redis.call('CLUSTER', ...words.map(String)))
}

beforeAll(async () => {
  const settings = 'cluster-enabled yes\ncluster-node-timeout 2000\nappendfsync no'
  masters = await Promise.all([0, 1, 2].map(() => startLedger({ settings })))
  const share = Math.ceil(SLOTS / masters.length)
  await onAll((master, index) => call(master, 'ADDSLOTSRANGE', index * share,
    Math.min((index + 1) * share, SLOTS) - 1))
  await onAll((master) => call(master, 'MEET', '127.0.0.1', masters[0]?.server.port ?? 0))
  await vi.waitFor(async () => {
    const states = await onAll((master) => call(master, 'INFO'))
    const formed = /cluster_state:ok[\s\S]*cluster_known_nodes:3/
    if (!states.every((state) => formed.test(String(state)))) {
      throw new Error('The cluster has not formed yet.')
    }
  }, { timeout: 20_000, interval: 50 })
  shop = await openShop({ sandboxStepMs: 20, sandboxCompleteMs: 20 }, {
    url: masters.map(({ url }) => url).join(','),
  })
})

afterAll(async () => {
  shop.close()
  await Promise.all(masters.map((master) => master.stop()))
})

test('slots are counted as Redis counts them', async () => {
  for (const key of ['123456789', '{p17}:order:1', 'idem:{a:b:c}', '{}x', 'x{}y', '{a', '键']) {
    expect(slotOf(key)).toBe(await call(masters[0], 'KEYSLOT', key))
  }
})

describe('on a cluster', () => {
  test('many commands go to their masters and come back in order', async () => {
    const partitions = Array.from({ length: 256 }, (_, partition) => partition)
    expect(new Set(partitions.map((one) => laneOf(shop.ledger, keys.stock(one)))).size).toBe(3)
    await runMany(shop.ledger, partitions.map((one) =>
      ['hset', keys.progress(one), 'test', one] as const))
    expect(await runMany(shop.ledger, partitions.map((one) =>
      ['hget', keys.progress(one), 'test'] as const))).toEqual(partitions.map(String))
  })

  test('orders over all masters are placed once, followed, moved on and listed', async () => {
    const doorbell = openDoorbell(shop.ledger, log)
    const stock = new Map<number, number>()
    const followed = await followOutbox({
      ledger: shop.ledger, doorbell, log,
      follower: {
        apply(events) {
          for (const one of events) if (one.stock !== undefined) stock.set(one.productId, one.stock)
        },
        async reload(partition) {
          const units = await shop.ledger.hgetall(keys.stock(partition))
          for (const [id, left] of Object.entries(units)) stock.set(Number(id), Number(left))
        },
        current() { /* Not looked at. */ },
      },
    })
    const buyer = newBuyer()
    const products = await Promise.all(Array.from({ length: 24 }, () =>
      supplyProduct(shop.ledger, { stock: 20 })))
    const placed = await Promise.all(products.map(async (product) => {
      const input = attemptAt(product)
      const answers = await Promise.all([1, 2, 3].map(() => shop.orders.place(input, buyer)))
      expect(new Set(answers.map(({ order_no }) => order_no)).size).toBe(1)
      return answers[0]?.order_no ?? ''
    }))
    for (const product of products) expect(await stockOf(shop.ledger, product)).toBe(19)
    for (const product of products) await shop.orders.place(attemptAt(product), buyer)
    await vi.waitFor(() => {
      for (const { productId } of products) expect(stock.get(productId)).toBe(18)
    }, { timeout: 10_000 })
    for (const orderNo of placed) await shop.orders.move('pay', orderNo)
    const driver = driverWorker({ ...shop, stepMs: 20 })
    await vi.waitFor(async () => {
      await driver.tick()
      await expiryWorker(shop).tick()
      const orders = await Promise.all(placed.map((one) => shop.orders.read(buyer.agent, one)))
      expect(orders.filter(({ status }) => status !== 'completed')).toEqual([])
    }, { timeout: 20_000, interval: 30 })
    const list = keys.agentOrders(buyer.agent)
    await Promise.all(placed.map((one, at) => shop.ledger.zadd(list, at, one)))
    const { items } = await shop.orders.list(buyer.agent, undefined, 50)
    expect(items.map(({ order_no }) => order_no)).toEqual(placed.toReversed())
    await followed.stop()
    await doorbell.close()
  })

  test('a slot that moved away is found again by the writes in flight', async () => {
    const cluster = shop.ledger as Cluster
    const product = await supplyProduct(shop.ledger, { productId: 7_000_000_001 })
    const [partition, slot] = [product.partition, slotOf(keys.stock(product.partition))]
    const ids = await onAll((master) => call(master, 'MYID'))
    const from = cluster.slots[slot]?.[0]
    const source = masters.find(({ server }) => from?.endsWith(`:${server.port}`))
    const target = masters.find((master) => master !== source)
    const targetId = String(ids[masters.indexOf(target as OwnLedger)])
    // An empty slot changes hands at once; what it held is written anew at its new place.
    for (;;) {
      const found = await call(source, 'GETKEYSINSLOT', slot, 100) as string[]
      if (found.length === 0) break
      await ask((source as OwnLedger).server, (redis) => redis.del(...found))
    }
    for (const master of masters) await call(master, 'SETSLOT', slot, 'NODE', targetId)
    await ask((target as OwnLedger).server, async (redis) => {
      await redis.hset(keys.sku(product.productId), {
        supply: 'own', sku_id: 1, title: 't', merchant_id: 1001, retail_price: 100, qty_cap: 9,
        freight: 0, free_ship_threshold: 0,
      })
      await redis.hset(keys.stock(partition), String(product.productId), 10)
    })
    await Promise.all(Array.from({ length: 5 }, () =>
      shop.orders.place(attemptAt(product), newBuyer())))
    const left = await ask((target as OwnLedger).server, (redis) =>
      redis.hget(keys.stock(partition), String(product.productId)))
    expect(left).toBe('5')
  })
})
