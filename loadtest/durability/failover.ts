/** How long the orders of a master's partitions wait when it dies or hangs, and what is lost. */
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import type { ClusterMember, RunningCluster } from '../../src/redis/cluster.ts'
import { ledger as keys } from '../../src/redis/keys.ts'
import { ask } from '../../src/redis/server.ts'
import { slotOf } from '../../src/redis/slots.ts'
import { resume } from '../../src/testing/cluster.ts'
import { auditLoad, startLoad } from '../../src/testing/order-load.ts'
import { supplyProduct, type Product, type Shop } from '../../src/testing/products.ts'

export interface Blow {
  readonly name: string
  readonly signal: 'SIGKILL' | 'SIGSTOP'
  /** When the master is brought back; after recovery, a spare replica has to make up for it. */
  readonly returns: 'at once' | 'after takeover' | 'after recovery'
}

export const STAYS_AWAY: Blow = {
  name: 'kill -9, stays away, a spare replica moves', signal: 'SIGKILL', returns: 'after recovery',
}

export const BLOWS: readonly Blow[] = [
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

export async function measureBlow(
  cluster: RunningCluster, shop: Shop, blow: Blow, times: number,
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
    process.kill(victim.server.pid, blow.signal)
    if (blow.returns !== 'at once') await takenOver(cluster, slot, victim)
    if (blow.returns === 'after recovery') {
      await until(() => load.countSince(monotonicMs() - STEADY_MS, own) > AFTER)
    }
    // Its replica, now the master, acknowledges nothing before it has one of its own.
    if (blow.signal === 'SIGSTOP') resume(victim.server.pid)
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
  return `| ${blow.name} | ${gaps.join(', ')} | ${acknowledged} | ${unknown} | ${wrong} |`
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
