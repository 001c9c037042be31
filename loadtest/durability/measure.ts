/** Order rates in each mode, and how long the orders of a master wait when it dies or hangs. */
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import type { ClusterMember, RunningCluster } from '../../src/dev/redis/cluster.ts'
import { ask } from '../../src/dev/redis/server.ts'
import { ledger as keys } from '../../src/redis/keys.ts'
import { slotOf } from '../../src/redis/send.ts'
import { resume } from '../../src/testing/cluster.ts'
import { auditLoad, startLoad } from '../../src/testing/order-load.ts'
import {
  attemptAt, newBuyer, type Product, type Shop, supplyProduct,
} from '../../src/testing/products.ts'
import { median, quantile } from '../bench/rounds.ts'

/** Order rates in each mode, and how long the orders of a master wait when it dies or hangs. */
interface MasterFault {
  readonly name: string
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  /** When the master is brought back; after recovery, a spare replica has to make up for it. */
  readonly returns: 'at once' | 'after takeover' | 'after recovery'
}

export const MASTER_STAYS_DOWN: MasterFault = {
  name: 'kill -9, stays away, a spare replica moves', signal: 'SIGKILL', returns: 'after recovery',
}

export const FAULTS: readonly MasterFault[] = [
  { name: 'kill -9, the replica takes over', signal: 'SIGKILL', returns: 'after takeover' },
  { name: 'kill -9, started again at once', signal: 'SIGKILL', returns: 'at once' },
  { name: 'SIGSTOP, the replica takes over', signal: 'SIGSTOP', returns: 'after takeover' },
]

const BUYERS = 16
const PRODUCTS = 9
const AFTER = 20
const STEADY_MS = 1000
const POLL_MS = 20
const PATIENCE_MS = 30_000

export async function measureFault(
  cluster: RunningCluster, shop: Shop, fault: MasterFault, times: number,
): Promise<string> {
  const gaps: string[] = []
  let [acknowledged, unknown, wrong] = [0, 0, 0]
  for (let time = 0; time < times; time += 1) {
    const products = await Promise.all(Array.from({ length: PRODUCTS }, () =>
      supplyProduct(shop.ledger, { stock: 1_000_000 })))
    const [slot, victim] = await masterWithOneReplica(cluster, products)
    const owners = await Promise.all(products.map((one) =>
      cluster.masterOf(slotOf(keys.stock(one.partition)))))
    const own = products.filter((_, at) => owners[at] === victim)
    const load = startLoad(shop, products, BUYERS)
    await sleep(STEADY_MS)
    const struck = monotonicMs()
    process.kill(victim.server.pid, fault.signal)
    if (fault.returns !== 'at once') await takenOver(cluster, slot, victim)
    if (fault.returns === 'after recovery') {
      await until(() => load.countSince(monotonicMs() - STEADY_MS, own) > AFTER)
    }
    // Its replica, now the master, acknowledges nothing before it has one of its own.
    if (fault.signal === 'SIGSTOP') resume(victim.server.pid)
    else await cluster.restart(victim)
    await until(() => load.countSince(monotonicMs() - STEADY_MS, own) > AFTER)
    await load.stop()
    gaps.push((load.longestGapMs(own) / 1000).toFixed(1))
    acknowledged += load.countSince(0, products as Product[]) - products.length
    unknown += load.errors.get('unavailable') ?? 0
    wrong += (await auditLoad(shop, load, 'pending_payment')).length
    await cluster.untilWhole(PATIENCE_MS)
    if (monotonicMs() - struck > PATIENCE_MS) throw new Error('The cluster took too long.')
  }
  return `| ${fault.name} | ${gaps.join(', ')} | ${acknowledged} | ${unknown} | ${wrong} |`
}

/** Not the one that a spare follows already. */
async function masterWithOneReplica(
  cluster: RunningCluster, products: readonly Product[],
): Promise<[slot: number, master: ClusterMember]> {
  for (const { partition } of products) {
    const slot = slotOf(keys.stock(partition))
    const master = await cluster.masterOf(slot)
    const info = await ask(master.server, (redis) => redis.info('replication'))
    if (info.includes('connected_slaves:1')) return [slot, master]
  }
  throw new Error('Every master has more than one replica.')
}

async function takenOver(
  cluster: RunningCluster, slot: number, from: ClusterMember,
): Promise<void> {
  await until(async () =>
    await cluster.masterOf(slot).then((owner) => owner !== from, () => false))
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = monotonicMs() + PATIENCE_MS
  while (!await isTrue()) {
    if (monotonicMs() > end) throw new Error('It did not happen in time.')
    await sleep(POLL_MS)
  }
}

export interface Mode {
  readonly name: string
  readonly survives: string
  readonly shop: Shop
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const CALLERS = 64
const PRODUCTS_OF_MODE = 48
const ROUND_MS = 3000
const WARM_UP_MS = 500

/** The modes take turns, so that a slow moment of the machine hits none alone. */
export async function measureModes(modes: readonly Mode[], rounds: number): Promise<string[]> {
  const found = new Map<Mode, Round[]>()
  for (const mode of modes) {
    await place(mode.shop, await supply(mode.shop), WARM_UP_MS)
    found.set(mode, [])
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of modes) {
      found.get(mode)?.push(await place(mode.shop, await supply(mode.shop), ROUND_MS))
    }
  }
  return modes.map((mode) => {
    const all = found.get(mode) ?? []
    const middle = (name: keyof Round): number => median(all.map((one) => one[name]))
    return `| ${mode.name} | ${mode.survives} | ${Math.round(middle('perSecond'))} | `
      + `${middle('p50').toFixed(1)} | ${middle('p99').toFixed(1)} |`
  })
}

const supply = (shop: Shop): Promise<Product[]> => Promise.all(
  Array.from({ length: PRODUCTS_OF_MODE }, () => supplyProduct(shop.ledger, { stock: 1_000_000 })))

/** An order is two durable writes: the claim of its key, and itself. */
async function place(shop: Shop, products: readonly Product[], ms: number): Promise<Round> {
  const took: number[] = []
  const began = monotonicMs()
  await Promise.all(Array.from({ length: CALLERS }, async (_, caller) => {
    const buyer = newBuyer()
    for (let turn = caller; monotonicMs() - began < ms; turn += 1) {
      const input = attemptAt(products[turn % products.length] as Product)
      const at = monotonicMs()
      await shop.orders.place(input, buyer)
      took.push(monotonicMs() - at)
    }
  }))
  const seconds = (monotonicMs() - began) / 1000
  return {
    perSecond: took.length / seconds, p50: quantile(took, 0.5), p99: quantile(took, 0.99),
  }
}
