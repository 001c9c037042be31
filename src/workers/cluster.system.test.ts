/** What the workers do on a cluster while a slot moves, and while a master is lost. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClusterMember } from '../dev/redis/cluster.ts'
import { ledger as keys } from '../redis/keys.ts'
import { ask } from '../dev/redis/server.ts'
import { slotOf } from '../redis/send.ts'
import { startOwnCluster, type OwnCluster } from '../testing/cluster.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import {
  attemptAt, newBuyer, openShop, supplyProduct, type Product, type Shop,
} from '../testing/products.ts'
import { driverWorker, expiryWorker } from './due-orders.ts'

const STEP_MS = 10
const RETURN = { type: 'return_refund', reason_class: 'quality' } as const
/** Of nobody: a list that is not empty. */
const OTHER = 'AM0000000000000000AA'
const LATER = 9_000_000_000_000

let cluster: OwnCluster
let shop: Shop
let brief: Shop
beforeAll(async () => {
  cluster = await startOwnCluster({ replicasPerMaster: 0 })
  const { url } = cluster
  shop = await openShop({ sandboxStepMs: STEP_MS }, { url })
  brief = await openShop({ paymentWindowMs: 1 }, { url })
})
afterAll(async () => {
  shop.close()
  brief.close()
  await cluster.remove()
})

const tell = (member: ClusterMember, ...words: (string | number)[]): Promise<unknown> =>
  ask(member.server, (redis) => redis.call('CLUSTER', ...words.map(String)), PATIENCE_MS)

/** The partition's slot is open for its journey while the work is done, and no key has gone. */
async function whileOpen({ partition }: Product, work: () => Promise<unknown>): Promise<void> {
  const slot = slotOf(keys.stock(partition))
  const from = await cluster.masterOf(slot)
  const to = cluster.members.find((one) => one !== from) ?? from
  const [fromId, toId] = await Promise.all([from, to].map((one) => tell(one, 'MYID')))
  await tell(to, 'SETSLOT', slot, 'IMPORTING', String(fromId))
  await tell(from, 'SETSLOT', slot, 'MIGRATING', String(toId))
  try {
    await work()
  } finally {
    for (const one of [from, to]) await tell(one, 'SETSLOT', slot, 'STABLE')
  }
}

/** Shipped, with an after-sale asked for, and another order of the product that is unpaid. */
async function shippedOrder() {
  const product = await supplyProduct(shop.ledger, { stock: 20 })
  const buyer = newBuyer()
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
  for (const name of ['pay', 'accept', 'ship'] as const) await shop.orders.move(name, orderNo)
  await shop.orders.requestAftersale({ order_no: orderNo, ...RETURN }, buyer)
  await shop.orders.place(attemptAt(product), newBuyer())
  const driver = driverWorker({ ...shop, stepMs: STEP_MS })
  /** A tick with something to do: the time of what was planned has come. */
  const tickWhen = async (list: string): Promise<boolean> => {
    await expect.poll(async () => {
      const [seconds] = await shop.ledger.time() as unknown as [string]
      return Number(await shop.ledger.zscore(list, orderNo)) < Number(seconds) * 1000
    }).toBe(true)
    return await driver.tick()
  }
  return { product, buyer, orderNo, driver, tickWhen }
}

test('an order whose due move meets an open slot keeps its place, and arrives', async () => {
  const { product, buyer, orderNo, driver, tickWhen } = await shippedOrder()
  await shop.orders.cancelAftersale(buyer.agent, orderNo)
  await shop.ledger.zadd(keys.afterDue(product.partition), LATER, OTHER)
  await whileOpen(product, () => tickWhen(keys.due(product.partition)))
  await expect.poll(async () => {
    await driver.tick()
    return (await shop.orders.read(buyer.agent, orderNo)).status
  }).toBe('delivered')
})

test('an after-sale whose move meets an open slot goes on to its refund', async () => {
  const { product, buyer, orderNo, driver, tickWhen } = await shippedOrder()
  await shop.ledger.zadd(keys.due(product.partition), LATER, OTHER, LATER, orderNo)
  await whileOpen(product, () => tickWhen(keys.afterDue(product.partition)))
  await expect.poll(async () => {
    await driver.tick()
    return (await shop.orders.read(buyer.agent, orderNo)).aftersale?.status
  }).toBe('refunded')
})

test('the death of one master keeps no order of another from its expiry',
  async () => {
    const made = await Promise.all(Array.from({ length: 12 }, async () => {
      const product = await supplyProduct(brief.ledger)
      const { order_no: orderNo } = await brief.orders.place(attemptAt(product), newBuyer())
      const slot = slotOf(keys.stock(product.partition))
      return { product, orderNo, master: await cluster.masterOf(slot) }
    }))
    const dead = (made[0] as (typeof made)[number]).master
    const alive = made.filter(({ master }) => master !== dead)
    expect(alive.length).toBeGreaterThan(0)
    process.kill(dead.server.pid, 'SIGKILL')
    try {
      const expiry = expiryWorker(brief)
      await expect.poll(async () => {
        await expiry.tick().catch(() => undefined)
        return await Promise.all(alive.map(({ product, orderNo }) =>
          brief.ledger.hget(keys.order(product.partition, orderNo), 'status')))
      }).toEqual(alive.map(() => 'closed'))
    } finally {
      await cluster.restart(dead)
    }
  })
