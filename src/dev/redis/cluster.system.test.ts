import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { monotonicMs } from '../../contract/time.ts'
import { resume, startOwnCluster, type OwnCluster } from '../../testing/cluster.ts'
import { eventually } from '../../testing/eventually.ts'
import { auditLoad, startLoad } from '../../testing/order-load.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { openShop, supplyProduct, type Product, type Shop } from '../../testing/products.ts'
import type { ClusterMember } from './cluster.ts'
import { ledger as keys } from '../../redis/keys.ts'
import { ask } from './server.ts'
import { slotOf } from '../../redis/send.ts'

const BUYERS = 24

let cluster: OwnCluster
let shop: Shop
/** Waits as long as a move takes on a slow machine. */
let patient: Shop

beforeAll(async () => {
  cluster = await startOwnCluster()
  const { url } = cluster
  shop = await openShop({}, { url, replicas: 1 })
  patient = await openShop({}, { url, replicas: 1, patienceMs: PATIENCE_MS })
})

afterAll(async () => {
  shop.close()
  patient.close()
  await cluster.remove()
})

const slotOfProduct = ({ partition }: Product): number => slotOf(keys.stock(partition))

/** Some products, so many that every master sells a few of them. */
const supply = (count: number): Promise<Product[]> => Promise.all(
  Array.from({ length: count }, () => supplyProduct(shop.ledger, { stock: 100_000 })))

async function soldBy(master: ClusterMember, products: readonly Product[]): Promise<Product[]> {
  const owners = await Promise.all(products.map((one) => cluster.masterOf(slotOfProduct(one))))
  return products.filter((_, at) => owners[at]?.name === master.name)
}

/** Another master serves the slot than this one. */
const takenOver = (slot: number, from: ClusterMember): Promise<void> => eventually(async () => {
  expect((await cluster.masterOf(slot)).name).not.toBe(from.name)
})

describe('while orders flow', () => {
  test('slots change hands there and back, and no caller sees an error', async () => {
    const products = await supply(6)
    const load = startLoad(patient, products, BUYERS, true)
    for (let round = 0; round < 3; round += 1) {
      for (const product of products.slice(0, 3)) {
        const slot = slotOfProduct(product)
        const owner = await cluster.masterOf(slot)
        const [other] = (await cluster.masters()).filter(({ name }) => name !== owner.name)
        const before = monotonicMs()
        await cluster.moveSlot(slot, other as ClusterMember)
        await eventually(() => expect(load.countSince(before, [product])).toBeGreaterThan(5))
      }
    }
    await load.stop()
    expect([...load.errors]).toEqual([])
    expect(await auditLoad(shop, load, 'paid')).toEqual([])
    await cluster.untilWhole()
  })

  test('a master is killed: no acknowledged order is lost, and orders go on', async () => {
    const products = await supply(9)
    const victim = await cluster.masterOf(slotOfProduct(products[0] as Product))
    const own = await soldBy(victim, products)
    const load = startLoad(shop, products, BUYERS)
    await eventually(() => expect(load.countSince(0, own)).toBeGreaterThan(20))
    const killed = monotonicMs()
    process.kill(victim.server.pid, 'SIGKILL')
    await takenOver(slotOfProduct(products[0] as Product), victim)
    // The new master has no replica until the old one is back: nothing is acknowledged before.
    const returned = monotonicMs()
    await cluster.restart(victim)
    await eventually(() => expect(load.countSince(returned, own)).toBeGreaterThan(20))
    await load.stop()
    expect(load.countSince(killed, products)).toBeGreaterThan(load.countSince(killed, own))
    expect([...load.errors.keys()].filter((name) => name !== 'unavailable')).toEqual([])
    process.stdout.write(`killed master: ${Math.round(load.longestGapMs(own))} ms without an `
      + `order, ${load.errors.get('unavailable') ?? 0} unknown outcomes\n`)
    expect(await auditLoad(shop, load, 'pending_payment')).toEqual([])
    await cluster.untilWhole()
  })

  test('what a returned master alone knew was acknowledged to nobody and is gone', async () => {
    const products = await supply(9)
    const product = products[0] as Product
    const victim = await cluster.masterOf(slotOfProduct(product))
    const own = await soldBy(victim, products)
    const load = startLoad(shop, products, BUYERS)
    await eventually(() => expect(load.countSince(0, own)).toBeGreaterThan(20))
    process.kill(victim.server.pid, 'SIGSTOP')
    try {
      // A call that reached the hung master and was answered by nobody.
      const probe = `${keys.stock(product.partition)}:probe`
      const late = ask(victim.server, (redis) =>
        redis.pipeline([['set', probe, '1'], ['wait', 1, 500]]).exec()).catch(() => null)
      await takenOver(slotOfProduct(product), victim)
      resume(victim.server.pid)
      const copies = (await late)?.[1]?.[1] ?? 0
      expect(copies).toBe(0)
      const returned = monotonicMs()
      await cluster.untilWhole()
      await eventually(() => expect(load.countSince(returned, own)).toBeGreaterThan(20))
      expect(await shop.ledger.get(probe)).toBeNull()
    } finally {
      resume(victim.server.pid)
      await load.stop()
    }
    process.stdout.write(`stopped master: ${Math.round(load.longestGapMs(own))} ms without an `
      + `order, ${load.errors.get('unavailable') ?? 0} unknown outcomes\n`)
    expect([...load.errors.keys()].filter((name) => name !== 'unavailable')).toEqual([])
    expect(await auditLoad(shop, load, 'pending_payment')).toEqual([])
  })
})

test('a second start on the directory finds the same cluster with its data', async () => {
  const product = await supply(1)
  const ports = cluster.members.map(({ port }) => port)
  cluster = await cluster.startAgain()
  expect(cluster.members.map(({ port }) => port)).toEqual(ports)
  const load = startLoad(shop, product, 1)
  await eventually(() => expect(load.countSince(0, product)).toBeGreaterThan(2))
  await load.stop()
  expect(await auditLoad(shop, load, 'pending_payment')).toEqual([])
})
