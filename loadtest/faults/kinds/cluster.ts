/** Faults of a cluster: slots move, a master comes back with less, a replica stops listening. */
import { truncateSync, statSync } from 'node:fs'
import type { Redis } from 'ioredis'
import { monotonicMs } from '../../../src/contract/time.ts'
import type { ClusterMember, RunningCluster } from '../../../src/dev/redis/cluster.ts'
import { ledger as keys, partitionOf } from '../../../src/redis/keys.ts'
import { hasEnded } from '../../../src/dev/redis/process.ts'
import { ask } from '../../../src/dev/redis/server.ts'
import { slotOf } from '../../../src/redis/send.ts'
import { pauseFor } from '../attempts.ts'
import type { Random } from '../random.ts'
import { untilSuccess, WHOLE_MS_MAX, type Fault } from '../fault.ts'
import { cutOffMember } from '../tools.ts'
import { logIn, type Testbed } from '../testbed.ts'

const POLL_MS = 100
const CUT_BYTES_MAX = 20_000
const MOVES_MAX = 6

const clusterOf = ({ cluster }: Testbed): RunningCluster => {
  if (!cluster) throw new Error('this needs a cluster')
  return cluster
}
/** Members of a busy machine answer late, and may be about to change their parts. */
const mastersOf = (cluster: RunningCluster): Promise<ClusterMember[]> =>
  untilSuccess(async () => {
    const masters = await cluster.masters()
    if (masters.length !== cluster.members.length / 2) throw new Error('a slot has no master')
    return masters.toSorted((one, other) => one.port - other.port)
  })

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
  async inflict(testbed, random) {
    const cluster = clusterOf(testbed)
    const wanted = random.shuffled([...testbed.scarce, ...testbed.plenty])
    for (const { product_id } of wanted.slice(0, random.integer(1, MOVES_MAX))) {
      const slot = slotOf(keys.stock(partitionOf(product_id)))
      const owner = await untilSuccess(() => cluster.masterOf(slot))
      const others = (await mastersOf(cluster)).filter(({ port }) => port !== owner.port)
      await cluster.moveSlot(slot, random.pick(others))
    }
    return async () => undefined
  },
}

/** Its replica has taken over before it comes back: what it lost is nobody's truth any more. */
export const cutTail: Fault = {
  name: 'cut-tail',
  on: ['cluster'],
  lastsMs: [0, 1000],
  async inflict(testbed, random) {
    const cluster = clusterOf(testbed)
    const master = random.pick(await mastersOf(cluster))
    process.kill(master.server.pid, 'SIGKILL')
    await hasEnded(master.server, WHOLE_MS_MAX)
    const log = logIn(master.directory)
    truncateSync(log, Math.max(0, statSync(log).size - random.integer(1, CUT_BYTES_MAX)))
    await untilReplaced(cluster, master.port)
    return () => comeBack(cluster, [master])
  },
}

async function untilReplaced(cluster: RunningCluster, port: number): Promise<void> {
  const end = monotonicMs() + WHOLE_MS_MAX
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

async function hangAReplica(testbed: Testbed, random: Random): Promise<HungReplica> {
  const cluster = clusterOf(testbed)
  const master = random.pick(await mastersOf(cluster))
  const replica = await untilSuccess(async () => {
    const found = await cluster.replicaOf(master)
    if (!found) throw new Error('a master has no replica')
    return found
  })
  process.kill(replica.server.pid, 'SIGSTOP')
  return { cluster, master, replica }
}

/** The master dies after what `meanwhile` does to it, and its replica runs on. */
async function killBesideHungReplica(
  testbed: Testbed, random: Random,
  meanwhile: (master: ClusterMember, cluster: RunningCluster) => Promise<void>,
): Promise<() => Promise<void>> {
  const { cluster, master, replica } = await hangAReplica(testbed, random)
  try {
    await meanwhile(master, cluster)
    process.kill(master.server.pid, 'SIGKILL')
    await hasEnded(master.server, WHOLE_MS_MAX)
  } finally {
    process.kill(replica.server.pid, 'SIGCONT')
  }
  return () => comeBack(cluster, [master])
}

/** Nothing can be confirmed while it hangs: answers must say so. */
export const hangReplica: Fault = {
  name: 'hang-replica',
  on: ['cluster'],
  lastsMs: [500, 5000],
  async inflict(testbed, random) {
    const { cluster, replica } = await hangAReplica(testbed, random)
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
  inflict: (testbed, random) => killBesideHungReplica(testbed, random, async (master) => {
    await ask(
      master.server, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'replica'), WHOLE_MS_MAX)
    await pauseFor(random.integer(200, 1500))
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
  inflict: (testbed, random) => killBesideHungReplica(testbed, random, async (master, cluster) => {
    const key = await keyOn(cluster, master)
    await ask(master.server, (redis) => fillLink(redis, key), WHOLE_MS_MAX)
    await pauseFor(random.integer(1500, 3000))
  }),
}

/** On a busy machine the master has missed its replica by then, and refuses writes by itself. */
async function fillLink(redis: Redis, key: string): Promise<void> {
  try {
    for (let filled = 0; filled < FILLERS; filled += 1) {
      await redis.set(key, Buffer.alloc(FILLER_BYTES, filled), 'EX', FILLER_S)
    }
  } catch (error) {
    if (!(error as Error).message.startsWith('NOREPLICAS ')) throw error
  }
}

/** A key that this master holds and nobody else uses. */
async function keyOn(cluster: RunningCluster, master: ClusterMember): Promise<string> {
  for (let tried = 0; ; tried += 1) {
    const key = `{filler-${tried}}`
    const owner = await untilSuccess(() => cluster.masterOf(slotOf(key)))
    if (owner.port === master.port) return key
  }
}

/**
 * A master is cut off from all members, and nodes go on reaching both sides: until it notices that
 * it is alone it executes what its successor never learns of.
 */
export const splitBrain: Fault = {
  name: 'split-brain',
  on: ['cluster'],
  needs: 'cut',
  lastsMs: [4000, 7000],
  async inflict(testbed, random) {
    const cluster = clusterOf(testbed)
    const mend = await cutOffMember(cluster.members, random.pick(await mastersOf(cluster)))
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
  async inflict(testbed) {
    const cluster = clusterOf(testbed)
    for (const { server } of cluster.members) process.kill(server.pid, 'SIGKILL')
    for (const { server } of cluster.members) await hasEnded(server, WHOLE_MS_MAX)
    return () => comeBack(cluster, cluster.members)
  },
}
