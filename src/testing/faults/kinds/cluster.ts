/** Faults of a cluster: slots move, a master comes back with less, a replica stops listening. */
import { truncateSync, statSync } from 'node:fs'
import { monotonicMs } from '../../../contract/time.ts'
import type { ClusterMember, RunningCluster } from '../../../redis/cluster.ts'
import { ledger as keys, partitionOf } from '../../../redis/keys.ts'
import { hasEnded } from '../../../redis/process.ts'
import { ask } from '../../../redis/server.ts'
import { slotOf } from '../../../redis/slots.ts'
import { pauseFor } from '../attempts.ts'
import type { Chance } from '../chance.ts'
import { WHOLE_MS_MAX, type Fault } from '../fault.ts'
import { cutOffMember } from '../network-namespace.ts'
import { logIn } from '../single.ts'
import type { Stand } from '../stand.ts'

const END_MS_MAX = 10_000
const FAILOVER_MS_MAX = 60_000
const POLL_MS = 100
const CUT_BYTES_MAX = 20_000
const MOVES_MAX = 6

const clusterOf = ({ cluster }: Stand): RunningCluster => {
  if (!cluster) throw new Error('this needs a cluster')
  return cluster
}
const mastersOf = async (cluster: RunningCluster) =>
  (await cluster.masters()).toSorted((one, other) => one.port - other.port)

/** What has ended runs again, and the cluster is what it was. */
async function comeBack(
  cluster: RunningCluster, members: readonly ClusterMember[],
): Promise<void> {
  await Promise.all(members.map((member) => cluster.restart(member)))
  await cluster.untilWhole(WHOLE_MS_MAX)
}

/** Slots of what is being bought go to other masters while it is bought. */
export const moveSlots: Fault = {
  name: 'move-slots',
  on: ['cluster'],
  lastsMs: [0, 500],
  async inflict(stand, chance) {
    const cluster = clusterOf(stand)
    const wanted = chance.shuffled([...stand.scarce, ...stand.plenty])
    for (const { product_id } of wanted.slice(0, chance.integer(1, MOVES_MAX))) {
      const slot = slotOf(keys.stock(partitionOf(product_id)))
      const owner = await cluster.masterOf(slot)
      const others = (await mastersOf(cluster)).filter(({ port }) => port !== owner.port)
      await cluster.moveSlot(slot, chance.pick(others))
    }
    return async () => undefined
  },
}

/** Its replica has taken over before it comes back: what it lost is nobody's truth any more. */
export const cutTail: Fault = {
  name: 'cut-tail',
  on: ['cluster'],
  lastsMs: [0, 1000],
  async inflict(stand, chance) {
    const cluster = clusterOf(stand)
    const master = chance.pick(await mastersOf(cluster))
    process.kill(master.server.pid, 'SIGKILL')
    await hasEnded(master.server, END_MS_MAX)
    const log = logIn(master.directory)
    truncateSync(log, Math.max(0, statSync(log).size - chance.integer(1, CUT_BYTES_MAX)))
    await untilReplaced(cluster, master.port)
    return () => comeBack(cluster, [master])
  },
}

async function untilReplaced(cluster: RunningCluster, port: number): Promise<void> {
  const end = monotonicMs() + FAILOVER_MS_MAX
  const whole = cluster.members.length / 2
  for (;;) {
    const masters = await cluster.masters().catch(() => [])
    if (masters.length === whole && masters.every((master) => master.port !== port)) return
    if (monotonicMs() > end) throw new Error('no replica took over')
    await pauseFor(POLL_MS)
  }
}

interface HungReplica {
  readonly cluster: RunningCluster
  readonly master: ClusterMember
  readonly replica: ClusterMember
}

async function hangAReplica(stand: Stand, chance: Chance): Promise<HungReplica> {
  const cluster = clusterOf(stand)
  const master = chance.pick(await mastersOf(cluster))
  const replica = await cluster.replicaOf(master)
  if (!replica) throw new Error('a master has no replica')
  process.kill(replica.server.pid, 'SIGSTOP')
  return { cluster, master, replica }
}

/** The master dies after what `meanwhile` does to it, and its replica runs on. */
async function killBesideHungReplica(
  stand: Stand, chance: Chance,
  meanwhile: (master: ClusterMember, cluster: RunningCluster) => Promise<void>,
): Promise<() => Promise<void>> {
  const { cluster, master, replica } = await hangAReplica(stand, chance)
  await meanwhile(master, cluster)
  process.kill(master.server.pid, 'SIGKILL')
  await hasEnded(master.server, END_MS_MAX)
  process.kill(replica.server.pid, 'SIGCONT')
  return () => comeBack(cluster, [master])
}

/** Nothing can be confirmed while it hangs: answers must say so. */
export const hangReplica: Fault = {
  name: 'hang-replica',
  on: ['cluster'],
  lastsMs: [500, 5000],
  async inflict(stand, chance) {
    const { cluster, replica } = await hangAReplica(stand, chance)
    return async () => {
      process.kill(replica.server.pid, 'SIGCONT')
      await cluster.untilWhole(WHOLE_MS_MAX)
    }
  },
}

/**
 * The replica hangs and its link is cut, so that not even the kernel keeps for it what the master
 * writes; then the master dies. What was not waited for is lost.
 */
export const stallThenKill: Fault = {
  name: 'stall-then-kill',
  on: ['cluster'],
  lastsMs: [3000, 5000],
  inflict: (stand, chance) => killBesideHungReplica(stand, chance, async (master) => {
    await ask(master.server, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'replica'))
    await pauseFor(chance.integer(200, 1500))
  }),
}

/** More than the kernel keeps for a process that does not read: the rest dies with its writer. */
const [FILLER_BYTES, FILLERS, FILLER_S] = [4_000_000, 6, 60]

/**
 * The replica hangs on a link that stands, as behind a network that drops everything, and the
 * master goes on: it executes what nobody confirms, nodes read of it, and then it dies.
 */
export const lagThenKill: Fault = {
  name: 'lag-then-kill',
  on: ['cluster'],
  lastsMs: [3000, 5000],
  inflict: (stand, chance) => killBesideHungReplica(stand, chance, async (master, cluster) => {
    const key = await keyOn(cluster, master)
    for (let filled = 0; filled < FILLERS; filled += 1) {
      await ask(master.server, (redis) =>
        redis.set(key, Buffer.alloc(FILLER_BYTES, filled), 'EX', FILLER_S))
    }
    await pauseFor(chance.integer(1500, 3000))
  }),
}

/** A key that this master holds and nobody else uses. */
async function keyOn(cluster: RunningCluster, master: ClusterMember): Promise<string> {
  for (let tried = 0; ; tried += 1) {
    const key = `{filler-${tried}}`
    if ((await cluster.masterOf(slotOf(key))).port === master.port) return key
  }
}

/**
 * A master is cut off from all members, and nodes go on reaching both sides: until it notices that
 * it is alone it executes what its successor will never have heard of.
 */
export const splitBrain: Fault = {
  name: 'split-brain',
  on: ['cluster'],
  needs: 'cut',
  lastsMs: [4000, 7000],
  async inflict(stand, chance) {
    const cluster = clusterOf(stand)
    const mend = await cutOffMember(cluster.members, chance.pick(await mastersOf(cluster)))
    return async () => {
      mend()
      await cluster.untilWhole(WHOLE_MS_MAX)
    }
  },
}

/** All its processes at once, as when their machine goes down: what is on the disks is all. */
export const killCluster: Fault = {
  name: 'kill-cluster',
  on: ['cluster'],
  lastsMs: [300, 3000],
  async inflict(stand) {
    const cluster = clusterOf(stand)
    for (const { server } of cluster.members) process.kill(server.pid, 'SIGKILL')
    for (const { server } of cluster.members) await hasEnded(server, END_MS_MAX)
    return () => comeBack(cluster, cluster.members)
  },
}
