import type { Cluster } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLogger } from '../log.ts'
import { startOwnCluster, type OwnCluster } from '../testing/cluster.ts'
import { eventually } from '../testing/eventually.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import {
  attemptAt, newBuyer, openShop, stockOf, supplyProduct, type Product, type Shop,
} from '../testing/products.ts'
import { expiryWorker, driverWorker } from '../workers/due-orders.ts'
import { type ClusterMember, reshard } from '../dev/redis/cluster.ts'
import { copyRedis, openRedis, untilReady } from './connect.ts'
import { openDoorbell, type Doorbell } from './doorbell.ts'
import { ledger as keys } from './keys.ts'
import { ask } from '../dev/redis/server.ts'
import { masterAddress, runMany, slotOf } from './send.ts'
import { followOutbox } from './streams.ts'

const log = createLogger('silent')
let cluster: OwnCluster
let shop: Shop

beforeAll(async () => {
  cluster = await startOwnCluster({ replicasPerMaster: 0 })
  shop = await openShop({ sandboxStepMs: 20, sandboxCompleteMs: 20 }, { url: cluster.url })
})

afterAll(async () => {
  shop.close()
  await cluster.remove()
})

const call = (member: ClusterMember | undefined, ...words: (string | number)[]) => {
  if (!member) throw new Error('There is no such member.')
  return ask(member.server, (redis) => redis.call('CLUSTER', ...words.map(String)), PATIENCE_MS)
}

test('slots are counted as Redis counts them', async () => {
  for (const key of ['123456789', '{p17}:order:1', 'idem:{a:b:c}', '{}x', 'x{}y', '{a', '键']) {
    expect(slotOf(key)).toBe(await call(cluster.members[0], 'KEYSLOT', key))
  }
})

test('a client that is closed while it asks for the slots asks no more, nor does its copy',
  async () => {
    const client = openRedis(cluster.url, log)
    for (const one of [copyRedis(client, log, 'ledger'), client] as Cluster[]) {
      await untilReady(one, 'ledger')
      const ask = one.refreshSlotsCache
      const closed = new Promise<void>((resolve) => {
        vi.spyOn(one, 'refreshSlotsCache').mockImplementation((then) => {
          ask.call(one, then)
          one.disconnect()
          resolve()
        })
      })
      await closed
      // What the library keeps of the round that it is in, and of the next.
      await eventually(async () => expect(Reflect.get(one, 'isRefreshing')).toBe(false))
      expect(Reflect.get(one, 'slotsTimer')).toBeNull()
    }
  })

describe('on a cluster', () => {
  test('many commands go to their masters and come back in order', async () => {
    const partitions = Array.from({ length: 256 }, (_, partition) => partition)
    const addresses = partitions.map((one) => masterAddress(shop.ledger, keys.stock(one)))
    expect(new Set(addresses).size).toBe(3)
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
    await eventually(() => {
      for (const { productId } of products) expect(stock.get(productId)).toBe(18)
    })
    for (const orderNo of placed) await shop.orders.move('pay', orderNo)
    const driver = driverWorker({ ...shop, stepMs: 20 })
    await eventually(async () => {
      await driver.tick()
      await expiryWorker(shop).tick()
      const orders = await Promise.all(placed.map((one) => shop.orders.read(buyer.agent, one)))
      expect(orders.filter(({ status }) => status !== 'completed')).toEqual([])
    })
    const list = keys.agentOrders(buyer.agent)
    await Promise.all(placed.map((one, at) => shop.ledger.zadd(list, at, one)))
    const { items } = await shop.orders.list(buyer.agent, undefined, 50)
    expect(items.map(({ order_no }) => order_no)).toEqual(placed.toReversed())
    await followed.stop()
    await doorbell.close()
  })

  describe('the bell of a partition', () => {
    const rung = new Set<number>()
    let doorbell: Doorbell
    beforeAll(() => {
      doorbell = openDoorbell(shop.ledger, log)
      doorbell.onRing((partition) => rung.add(partition))
    })
    afterAll(() => doorbell.close())

    /** Orders until the subscriber gets a message: earlier ones reach no subscriber. */
    async function untilHeard(product: Product): Promise<void> {
      rung.delete(product.partition)
      await eventually(async () => {
        await shop.orders.place(attemptAt(product), newBuyer())
        expect(rung).toContain(product.partition)
      })
    }

    test('reaches subscribers of each master, and no other server', async () => {
      const products = await Promise.all(Array.from({ length: 12 }, () =>
        supplyProduct(shop.ledger, { stock: 1000 })))
      expect(new Set(products.map(({ partition }) =>
        masterAddress(shop.ledger, keys.stock(partition)))).size).toBe(3)
      await Promise.all(products.map(untilHeard))
      expect(await broadcasts()).toBe(0)
    })

    test('reaches subscribers at the master that its slot moved to', async () => {
      const product = await supplyProduct(shop.ledger, { stock: 1000 })
      await untilHeard(product)
      const slot = slotOf(keys.stock(product.partition))
      const from = await cluster.masterOf(slot)
      const to = cluster.members.find((one) => one !== from) as ClusterMember
      await reshard({
        slot, from: from.server, to: to.server,
        masters: cluster.members.map(({ server }) => server),
      })
      await cluster.untilWhole()
      await untilHeard(product)
    })

    /** Messages that members sent each other because of a PUBLISH. */
    async function broadcasts(): Promise<number> {
      const infos = await Promise.all(cluster.members.map((one) => call(one, 'INFO')))
      return infos.reduce<number>((sum, text) =>
        sum + Number(/messages_publish_sent:(\d+)/.exec(String(text))?.[1] ?? 0), 0)
    }
  })

  describe('while a slot is on its way', () => {
    let product: Product
    let finish: () => Promise<void>

    /** Its keys have arrived at the other master, but no other member knows the new owner. */
    async function moveHalf(): Promise<void> {
      const slot = slotOf(keys.stock(product.partition))
      const from = await cluster.masterOf(slot)
      const to = cluster.members.find((one) => one !== from) as ClusterMember
      const [fromId, toId] = await Promise.all([from, to].map((one) => call(one, 'MYID')))
      await call(to, 'SETSLOT', slot, 'IMPORTING', String(fromId))
      await call(from, 'SETSLOT', slot, 'MIGRATING', String(toId))
      const found = await call(from, 'GETKEYSINSLOT', slot, 1000) as string[]
      await ask(from.server, (redis) => redis.call('MIGRATE', '127.0.0.1', to.port, '', 0,
        PATIENCE_MS, 'AUTH', to.server.password, 'KEYS', ...found), PATIENCE_MS)
      finish = async () => {
        for (const one of [to, from]) await call(one, 'SETSLOT', slot, 'NODE', String(toId))
        await cluster.untilWhole()
      }
    }

    beforeEach(async () => {
      product = await supplyProduct(shop.ledger)
      await shop.orders.place(attemptAt(product), newBuyer())
      await moveHalf()
    })

    test('a write of what has arrived is sent after it', async () => {
      const { productId, partition } = product
      expect(await shop.durable.send('hincrby', keys.stock(partition), productId, 1)).toBe(10)
      await finish()
      expect(await stockOf(shop.ledger, product)).toBe(10)
    })

    test('reads find what has arrived', async () => {
      const { productId, partition } = product
      expect(await runMany(shop.ledger, [
        ['hget', keys.stock(partition), String(productId)],
        ['hget', keys.sku(productId), 'merchant_id'],
      ])).toEqual(['9', '1001'])
      expect(await stockOf(shop.ledger, product)).toBe(9)
      await finish()
    })

    test('an order, some of whose keys are nowhere yet, waits for the slot', async () => {
      let isPlaced = false
      const placing = shop.orders.place(attemptAt(product), newBuyer())
        .finally(() => { isPlaced = true })
      await eventually(async () => expect(await triedAgain()).toBeGreaterThan(20))
      expect(isPlaced).toBe(false)
      await finish()
      expect((await placing).duplicate).toBe(false)
      expect(await stockOf(shop.ledger, product)).toBe(8)
    })

    /** How often a call of several keys was refused with TRYAGAIN. */
    async function triedAgain(): Promise<number> {
      const stats = await Promise.all(cluster.members.map(({ server }) =>
        ask(server, (redis) => redis.info('errorstats'))))
      return stats.reduce((sum, text) =>
        sum + Number(/errorstat_TRYAGAIN:count=(\d+)/.exec(text)?.[1] ?? 0), 0)
    }
  })
})
