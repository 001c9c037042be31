/**
 * A Redis Cluster of processes on this machine: for tests, for measurements and for people who
 * want to see the service on one. A second start on its directory finds its data.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Redis } from 'ioredis'
import { monotonicMs, sleep } from '../../contract/time.ts'
import { writeWhole } from '../../files.ts'
import type { Logger } from '../../log.ts'
import {
  formCluster, holds, introduce, SLOTS, viewCluster, type ViewedNode, viewFrom,
} from './cluster-form.ts'
import { hasEnded, isAlive } from './process.ts'
import { configText } from './provision.ts'
import {
  type Address, ask, freePort, isServing, type RunningServer, startServer, stopServer,
} from './server.ts'

export interface ClusterPlan {
  /** Path of redis-server. */
  readonly program: string
  /** Data, settings and output of every member, and what a restart must know. */
  readonly directory: string
  readonly masters?: number
  readonly replicasPerMaster?: number
  /** Further replicas: one moves to a master that lost its own. */
  readonly spares?: number
  readonly password: string
  /** Settings of every ledger: config/redis.conf, and what a test adds. */
  readonly settings: string
  /** What one member has beyond these, by its place in the list. */
  readonly memberSettings?: (at: number) => string
  readonly nodeTimeoutMs?: number
}

export interface ClusterMember {
  readonly name: string
  readonly port: number
  readonly directory: string
  /** The present process. */
  server: RunningServer
}

export interface RunningCluster {
  /** Every member as a seed, joined by commas. */
  readonly url: string
  readonly members: readonly ClusterMember[]
  /** Starts a member that ended on the same port and data. */
  restart(member: ClusterMember): Promise<void>
  masters(): Promise<ClusterMember[]>
  replicaOf(master: ClusterMember): Promise<ClusterMember | undefined>
  masterOf(slot: number): Promise<ClusterMember>
  /** All slots are served and every master has its replicas in step. */
  untilWhole(ms?: number): Promise<void>
  /** Gives a slot and its keys to another master while it is used. */
  moveSlot(slot: number, to: ClusterMember): Promise<void>
  stop(): Promise<void>
}

/** What a restart finds in the directory. */
interface State {
  /** False until all members know their parts: what is there until then is thrown away. */
  isFormed: boolean
  readonly members: { name: string, port: number, busPort: number, server?: RunningServer }[]
}

interface SlotMove {
  readonly slot: number
  readonly from: Address
  readonly to: Address
  /** All that own slots: each gets the new owner. */
  readonly masters: readonly Address[]
}

const READY_MS_MAX = 60_000
const ENDING_MS_MAX = 5000
/** A deadline for hangs: machines with many processes are slow. */
const WHOLE_MS_MAX = 120_000
const POLL_MS = 50
const FORMATION_TRIES = 3
/** A batch holds up both masters while it travels. */
const KEYS_AT_ONCE = 100
const MIGRATE_MS_MAX = 1000
/** Of one step of a move. */
const STEP_MS_MAX = 60_000
const CALLS_AT_ONCE = 50
const LOOK_MS = 500

export async function startCluster(plan: ClusterPlan): Promise<RunningCluster> {
  const directory = resolve(plan.directory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'cluster.json')
  for (let tried = 1; ; tried += 1) {
    const state = await readState(path, plan)
    const save = (): void => writeWhole(path, `${JSON.stringify(state, undefined, 2)}\n`)
    if (!state.isFormed) await discard(directory, state)
    const cluster = new LocalCluster({ ...plan, directory }, state, save)
    try {
      await cluster.beginAll()
      await (state.isFormed ? introduce : formCluster)(cluster.members.map((member, at) =>
        ({ ...member.server, busPort: state.members[at]?.busPort ?? 0 })), plan.masters ?? 3)
      await cluster.untilWhole(READY_MS_MAX)
      state.isFormed = true
      save()
      return cluster
    } catch (error) {
      await cluster.stop().catch(() => undefined)
      // A free port is only free until somebody else takes it.
      const isTaken = (error as Error).message.includes('in use')
      if (state.isFormed || !isTaken || tried >= FORMATION_TRIES) throw error
      rmSync(path, { force: true })
    }
  }
}

class LocalCluster implements RunningCluster {
  readonly url: string
  readonly members: readonly ClusterMember[]
  readonly #plan: ClusterPlan
  readonly #state: State
  readonly #save: () => void

  constructor(plan: ClusterPlan, state: State, save: () => void) {
    const { password } = plan
    this.#plan = plan
    this.#state = state
    this.#save = save
    this.members = state.members.map(({ name, port, server }): ClusterMember => ({
      name, port, directory: join(plan.directory, name),
      server: server ?? { pid: 0, born: '', port, password },
    }))
    this.url = this.members.map(({ port }) => `redis://:${password}@127.0.0.1:${port}`).join(',')
  }

  async beginAll(): Promise<void> {
    throwFirst(await Promise.allSettled(this.members.map((member) => this.restart(member))))
  }

  async restart(member: ClusterMember): Promise<void> {
    const known = this.#state.members.find(({ name }) => name === member.name)
    if (!known) throw new Error(`The cluster has no member ${member.name}.`)
    const remember = (server: RunningServer): void => {
      member.server = known.server = server
      this.#save()
    }
    const { server, directory, port } = member
    if (isAlive(server)) {
      if (await isServing(server, directory, READY_MS_MAX)) return
      // One that was killed a moment ago is still there for a moment.
      if (!await hasEnded(server, ENDING_MS_MAX)) {
        throw new Error(`A member of the cluster (redis-server, process ${server.pid}) runs but `
          + 'does not answer: end that process, then start again.')
      }
    }
    const { program, password, settings, memberSettings } = this.#plan
    remember(await startServer({
      program, directory, port, password, readyWithinMs: READY_MS_MAX,
      settings: [
        settings, clusterSettings(this.#plan, known.busPort),
        memberSettings?.(this.#state.members.indexOf(known)) ?? '',
      ].join('\n'),
      onSpawned: remember,
    }))
  }

  async masters(): Promise<ClusterMember[]> {
    return (await this.#owners()).map((node) => this.#memberAt(node))
  }

  async replicaOf(master: ClusterMember): Promise<ClusterMember | undefined> {
    const view = await viewCluster(this.#servers())
    const id = view.find(({ port }) => port === master.port)?.id
    const replica = view.find((node) => node.isUp && node.master === id)
    return replica && this.#memberAt(replica)
  }

  async masterOf(slot: number): Promise<ClusterMember> {
    const owner = (await this.#owners()).find((node) => holds(node, slot))
    if (!owner) throw new Error(`No master serves slot ${slot}.`)
    return this.#memberAt(owner)
  }

  async untilWhole(ms = WHOLE_MS_MAX): Promise<void> {
    const end = monotonicMs() + ms
    for (;;) {
      const missing = await this.#whatIsMissing().catch((error: Error) => error.message)
      if (missing === undefined) return
      if (monotonicMs() > end) {
        throw new Error(`The cluster was not whole after ${ms} ms: ${missing}`)
      }
      await sleep(POLL_MS)
    }
  }

  async moveSlot(slot: number, to: ClusterMember): Promise<void> {
    await reshard({
      slot, from: (await this.masterOf(slot)).server, to: to.server,
      masters: (await this.masters()).map(({ server }) => server),
    })
  }

  async stop(): Promise<void> {
    // Masters first, so that their replicas receive the last writes.
    const view = await viewCluster(this.#servers()).catch(() => [])
    const replicaPorts = new Set(view.filter(({ isMaster }) => !isMaster).map(({ port }) => port))
    const end = (isReplica: boolean) => Promise.allSettled(this.#servers()
      .filter(({ port }) => replicaPorts.has(port) === isReplica)
      .map((server) => stopServer(server, ['SHUTDOWN'])))
    throwFirst([...await end(false), ...await end(true)])
  }

  #servers(): RunningServer[] {
    return this.members.map(({ server }) => server)
  }

  #memberAt({ port }: ViewedNode): ClusterMember {
    const found = this.members.find((member) => member.port === port)
    if (!found) throw new Error(`The cluster knows a node on port ${port} that is not ours.`)
    return found
  }

  async #owners(): Promise<ViewedNode[]> {
    return (await viewCluster(this.#servers()))
      .filter(({ isMaster, isUp, slots }) => isMaster && isUp && slots.length > 0)
  }

  /** Undefined when nothing is. */
  async #whatIsMissing(): Promise<string | undefined> {
    const ended = this.members.filter(({ server }) => !isAlive(server)).map(({ name }) => name)
    if (ended.length > 0) return `no process of ${ended.join(', ')}`
    const servers = this.#servers()
    const views = await Promise.all(servers.map((server) => viewFrom(server)))
    const [view = []] = views
    const isAgreed = views.every((one) => one.length === servers.length
      && one.every(({ isUp }) => isUp) && served(one) === SLOTS
      && ownership(one) === ownership(view))
    if (!isAgreed) return `members disagree:\n${[...new Set(views.map(describeView))].join('\n')}`
    const states = await Promise.all(servers.map((server) =>
      ask(server, (redis) => redis.cluster('INFO') as Promise<string>)))
    if (!states.every((text) => text.startsWith('cluster_state:ok'))) return 'a member is not ok'
    const inStep = await Promise.all(view.filter(({ slots }) => slots.length > 0)
      .map((master) => hasReplicas(this.#memberAt(master).server,
        this.#plan.replicasPerMaster ?? 1)))
    return inStep.every(Boolean) ? undefined : 'a replica is not in step'
  }
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

const describeView = (view: readonly ViewedNode[]): string => view.map((node) =>
  `${node.port} ${node.isUp ? 'up' : 'failed'} ${node.isMaster ? 'master' : 'replica'} `
  + node.slots.join(' ')).join('; ')

const served = (view: readonly ViewedNode[]): number => view.filter(({ isMaster }) => isMaster)
  .flatMap(({ slots }) => slots).reduce((sum, [from, to]) => sum + to - from + 1, 0)

const ownership = (view: readonly ViewedNode[]): string => view
  .map(({ id, master, slots }) => `${id} ${master} ${slots.join(' ')}`).toSorted().join('\n')

async function hasReplicas(master: RunningServer, wanted: number): Promise<boolean> {
  const info = await ask(master, (redis) => redis.info('replication'))
  return info.includes('role:master')
    && (info.match(/^slave\d+:.*state=online/gm) ?? []).length >= wanted
}

function clusterSettings(plan: ClusterPlan, busPort: number): string {
  return [
    configText('redis-cluster.conf'),
    `cluster-node-timeout ${plan.nodeTimeoutMs ?? 2000}`,
    `cluster-port ${busPort}`,
    `masterauth ${plan.password}`,
    ...(plan.replicasPerMaster === 0 ? ['min-replicas-to-write 0'] : []),
  ].join('\n')
}

/** A cluster that never was whole has acknowledged nothing: it is made anew. */
async function discard(directory: string, state: State): Promise<void> {
  for (const { name, server } of state.members) {
    if (server) await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
    rmSync(join(directory, name), { recursive: true, force: true })
    mkdirSync(join(directory, name), { recursive: true, mode: 0o700 })
  }
}

async function readState(path: string, plan: ClusterPlan): Promise<State> {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as State
  const count = (plan.masters ?? 3) * (1 + (plan.replicasPerMaster ?? 1)) + (plan.spares ?? 0)
  const taken = new Set<number>()
  const ports = await Promise.all(Array.from({ length: count * 2 }, () => portBeside(taken)))
  return {
    isFormed: false,
    members: Array.from({ length: count }, (_, at) =>
      ({ name: `n${at}`, port: ports[at * 2] ?? 0, busPort: ports[at * 2 + 1] ?? 0 })),
  }
}

async function portBeside(taken: Set<number>): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (taken.has(port)) continue
    taken.add(port)
    return port
  }
}

/**
 * Until it is through, calls to several keys of the slot of which some have not arrived, or do not
 * exist yet, get TRYAGAIN: that stops new orders of one partition, for as short as it can.
 */
export async function reshard({ slot, from, to, masters }: SlotMove): Promise<void> {
  if (from.port === to.port) return
  const [fromId, toId] = await Promise.all([from, to].map((one) =>
    ask(one, (redis) => redis.cluster('MYID') as Promise<string>, STEP_MS_MAX)))
  const setSlot = (at: Address, ...words: string[]): Promise<unknown> => ask(at, (redis) =>
    redis.call('CLUSTER', 'SETSLOT', String(slot), ...words), STEP_MS_MAX)
  // The target first: nobody may be sent to it before it expects the slot.
  await setSlot(to, 'IMPORTING', fromId ?? '')
  await setSlot(from, 'MIGRATING', toId ?? '')
  await sendAllKeys(from, slot, to)
  // The target first, so that there is an owner whoever dies now.
  for (const server of [to, from, ...masters.filter(({ port }) =>
    port !== to.port && port !== from.port)]) {
    await setSlot(server, 'NODE', toId ?? '')
  }
}

async function sendAllKeys(from: Address, slot: number, to: Address): Promise<void> {
  const end = monotonicMs() + STEP_MS_MAX
  for (;;) {
    const isDone = await ask(from, (redis) => sendKeys(redis, slot, to), STEP_MS_MAX)
      .catch((error: Error) => {
        // A batch was too slow, and may have arrived: it is sent again.
        if (!error.message.startsWith('IOERR') || monotonicMs() > end) throw error
        return false
      })
    if (isDone) return
  }
}

/** Sends some batches; true when no key is left. */
async function sendKeys(redis: Redis, slot: number, to: Address): Promise<boolean> {
  for (let calls = 0; calls < CALLS_AT_ONCE; calls += 1) {
    const keys = await redis.cluster('GETKEYSINSLOT', slot, KEYS_AT_ONCE) as string[]
    if (keys.length === 0) return true
    // REPLACE: an earlier batch may have arrived although its answer was lost.
    await redis.call('MIGRATE', '127.0.0.1', to.port, '', 0, MIGRATE_MS_MAX, 'REPLACE',
      'AUTH', to.password, 'KEYS', ...keys)
  }
  return false
}

/**
 * A master that is back before the others miss it goes on with what its disk holds: with
 * `appendfsync always`, everything. Later it finds its replica in its place and follows it.
 */
export function keepMembers(cluster: RunningCluster, log: Logger): { stop(): Promise<void> } {
  let round: Promise<unknown> | undefined
  const look = (): void => {
    round ??= Promise.all(cluster.members.filter(({ server }) => !isAlive(server))
      .map(async (member) => {
        log.warn({ member: member.name, port: member.port }, 'a member of the cluster ended')
        await cluster.restart(member).catch((error: Error) =>
          log.error({ member: member.name, error: error.message }, 'it cannot be started'))
      })).finally(() => { round = undefined })
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}
