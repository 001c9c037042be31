/** One machine of the ledger's cluster is lost for good: what a spare and a refusal do. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { monotonicMs } from '../contract/time.ts'
import { startOwnCluster, type OwnCluster } from '../testing/cluster.ts'
import { eventually } from '../testing/eventually.ts'
import { auditLoad, startLoad } from '../testing/order-load.ts'
import {
  attemptAt, newBuyer, openShop, refusalOf, supplyProduct, type Product, type Shop,
} from '../testing/products.ts'
import type { ClusterMember } from '../dev/redis/cluster.ts'
import { viewFrom } from '../dev/redis/cluster-form.ts'
import { ledger as keys } from './keys.ts'
import { mastersShortOf, slotOf } from './send.ts'
import { ask } from '../dev/redis/server.ts'

/** Far longer than any test waits: what ends before was not waited for. */
const ENDLESS_MS = 3_600_000

let cluster: OwnCluster
let shop: Shop
let products: Product[]

beforeAll(async () => {
  cluster = await startOwnCluster({ spares: 1 })
  shop = await openShop({}, { url: cluster.url, replicas: 1, patienceMs: ENDLESS_MS })
  products = await Promise.all(Array.from({ length: 9 }, () =>
    supplyProduct(shop.ledger, { stock: 100_000 })))
})

afterAll(async () => {
  shop?.close()
  await cluster?.remove()
})

const ownerOf = ({ partition }: Product): Promise<ClusterMember> =>
  cluster.masterOf(slotOf(keys.stock(partition)))

const replicasOf = (master: ClusterMember): Promise<number> =>
  ask(master.server, async (redis) =>
    (await redis.info('replication')).match(/^slave\d+:.*state=online/gm)?.length ?? 0)

/** A product whose master has one replica, so that the spare follows another master. */
async function withoutSpare(): Promise<[Product, ClusterMember]> {
  for (const product of products) {
    const master = await ownerOf(product)
    if (await replicasOf(master) === 1) return [product, master]
  }
  throw new Error('The spare follows every master.')
}

test('the spare moves to a master that lost its replica: orders go on, none is lost', async () => {
  const [product, victim] = await withoutSpare()
  const owners = await Promise.all(products.map(ownerOf))
  const own = products.filter((_, at) => owners[at]?.name === victim.name)
  const load = startLoad(shop, products, 12)
  await eventually(() => expect(load.countSince(0, own)).toBeGreaterThan(5))
  process.kill(victim.server.pid, 'SIGKILL')
  // A replica takes over, then the spare follows it: nothing is acknowledged between.
  await eventually(async () => {
    const successor = await ownerOf(product)
    expect(successor.name).not.toBe(victim.name)
    expect(await replicasOf(successor)).toBe(1)
  })
  const whole = monotonicMs()
  await eventually(() => expect(load.countSince(whole, own)).toBeGreaterThan(5))
  await load.stop()
  expect([...load.errors.keys()].filter((name) => name !== 'unavailable')).toEqual([])
  expect(await auditLoad(shop, load, 'pending_payment')).toEqual([])
})

/** Kills masters of the product until the last copy of its partition stands alone. */
async function untilAlone(product: Product): Promise<ClusterMember> {
  for (;;) {
    const master = await ownerOf(product)
    if (await replicasOf(master) === 0) return master
    process.kill(master.server.pid, 'SIGKILL')
    await eventually(async () => expect((await ownerOf(product)).name).not.toBe(master.name))
  }
}

test('a master without a replica refuses orders at once, and its operator may choose otherwise',
  async () => {
    const [product] = await withoutSpare()
    const last = await untilAlone(product)
    await eventually(() => expect(mastersShortOf(shop.ledger, 1)).toBeGreaterThan(0))
    const view = await viewFrom(last.server)
    expect(view.filter(({ isUp }) => !isUp).length).toBeGreaterThan(0)
    const stillShort = products.filter(({ partition }) => partition === product.partition)
    for (const one of stillShort) {
      expect(await refusalOf(shop.orders.place(attemptAt(one), newBuyer())))
        .toMatchObject({ error: 'unavailable' })
    }

    const alive = await Promise.all((await cluster.masters()).map((member) =>
      ask(member.server, (redis) => redis.config('SET', 'min-replicas-to-write', 0))))
    expect(alive.length).toBe(3)
    const daring = await openShop({}, { url: cluster.url, replicas: 1, replicasMin: 0 })
    try {
      const input = attemptAt(product)
      const buyer = newBuyer()
      await eventually(async () => {
        expect(await daring.orders.place(input, buyer)).toMatchObject({ status: 'pending_payment' })
      })
      expect(await daring.orders.place(input, buyer)).toMatchObject({ duplicate: true })
    } finally {
      daring.close()
    }
  })
