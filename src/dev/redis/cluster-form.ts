/** Makes a Redis Cluster of servers that run: who owns which slots, and who follows whom. */
import { lookup } from 'node:dns/promises'
import { monotonicMs, sleep, withDeadline } from '../../contract/time.ts'
import { type Address, ask } from './server.ts'

export interface Joining extends Address {
  /** Of the members' talk among themselves; Redis's own choice without it. */
  readonly busPort?: number
}

export interface ViewedNode {
  readonly id: string
  readonly port: number
  readonly isMaster: boolean
  /** By its own and the others' account. */
  readonly isUp: boolean
  /** The id of a replica's master. */
  readonly master: string | undefined
  readonly epoch: number
  readonly slots: readonly (readonly [from: number, to: number])[]
}

const JOIN_MS_MAX = 90_000
const POLL_MS = 25
export const SLOTS = 16_384
const VIEW_MS_MAX = 3000
const UNWELL = /fail|handshake|noaddr/

/**
 * The first `masters` servers share the slots; the others follow them in turn. What an earlier try
 * or a failover arranged stays as it is, so repeating it is harmless at any time.
 */
export async function formCluster(servers: readonly Joining[], masters: number): Promise<void> {
  const before = (await Promise.all(servers.map((server) => untilSeen(server)))).flat()
  await Promise.all(servers.slice(0, masters).map(async (server, at) => {
    const firstSlot = (of: number): number => Math.round(of * SLOTS / masters)
    if (before.some((node) => holds(node, firstSlot(at)))) return
    await ask(server, async (redis) => {
      // Masters that meet with one and the same epoch would first have to agree on who was right.
      await redis.cluster('SET-CONFIG-EPOCH', at + 1).catch(ignoreRefusal)
      await redis.cluster('ADDSLOTSRANGE', firstSlot(at), firstSlot(at + 1) - 1)
    }, JOIN_MS_MAX)
  }))
  await introduce(servers)
  await until(async () => {
    const views = await Promise.all(servers.map(viewFrom))
    return views.every((view) => view.length === servers.length
      && view.every(({ isUp, port }) => isUp && port > 0))
  })
  await followMasters(servers)
  await until(async () => (await Promise.all(servers.map((server) =>
    ask(server, (redis) => redis.cluster('INFO') as Promise<string>))))
    .every((text) => text.startsWith('cluster_state:ok')))
}

/** Tells every server of the first one; harmless where they know each other. */
export async function introduce(servers: readonly Joining[]): Promise<void> {
  const [first, ...others] = servers
  if (!first) return
  // The command takes no names.
  const { address } = await lookup(first.host ?? '127.0.0.1', 4)
  const bus = first.busPort === undefined ? [] : [first.busPort]
  // A replica refuses it while it takes over its master's data.
  await Promise.all(others.map((server) => until(() => ask(server, async (redis) =>
    await redis.call('CLUSTER', 'MEET', address, first.port, ...bus) === 'OK'))))
}

/** Gives every server without slots a master, each time the one with the fewest replicas. */
async function followMasters(servers: readonly Joining[]): Promise<void> {
  for (const server of servers) {
    const id = await ask(server, (redis) => redis.cluster('MYID') as Promise<string>, JOIN_MS_MAX)
    // It refuses until gossip has told it that this node is a master with slots.
    await until(async () => {
      const view = await viewFrom(server)
      const own = view.find((node) => node.id === id)
      if (!own?.isMaster || own.slots.length > 0) return true
      const replicas = (of: ViewedNode): number =>
        view.filter(({ master }) => master === of.id).length
      const [master] = view.filter(({ slots }) => slots.length > 0)
        .toSorted((one, other) => replicas(one) - replicas(other) || firstOf(one) - firstOf(other))
      if (master) await ask(server, (redis) => redis.cluster('REPLICATE', master.id))
      return false
    })
    // The next one counts this one among its master's replicas only once it knows of it.
    await until(async () => (await Promise.all(servers.map(viewFrom))).every((view) => {
      const seen = view.find((node) => node.id === id)
      return seen !== undefined && (seen.slots.length > 0 || seen.master !== undefined)
    }))
  }
}

const firstOf = ({ slots }: ViewedNode): number => slots[0]?.[0] ?? SLOTS

/** What a server knows, once it answers. */
async function untilSeen(server: Joining): Promise<ViewedNode[]> {
  let view: ViewedNode[] | undefined
  await until(async () => (view = await viewFrom(server)) !== undefined)
  return view ?? []
}

/** One that had an epoch keeps it. */
function ignoreRefusal(error: Error): void {
  if (error.name !== 'ReplyError') throw error
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const end = monotonicMs() + JOIN_MS_MAX
  while (!await isDone().catch(() => false)) {
    if (monotonicMs() > end) throw new Error('The members of the cluster do not find each other.')
    await sleep(POLL_MS)
  }
}

/** The lines of CLUSTER NODES. */
function parseNodes(text: string): ViewedNode[] {
  return text.split('\n').filter(Boolean).map((line) => {
    const [id = '', address = '', flags = '', master = '-', , , epoch, , ...slots] = line.split(' ')
    return {
      id,
      port: Number(/:(\d+)@/.exec(address)?.[1]),
      isMaster: flags.includes('master'),
      isUp: !UNWELL.test(flags),
      master: master === '-' ? undefined : master,
      epoch: Number(epoch),
      // A slot that is on its way stands in brackets, beside its present owner's ranges.
      slots: slots.filter((range) => !range.startsWith('[')).map((range) => {
        const [from, to = from] = range.split('-').map(Number) as [number, number?]
        return [from, to] as const
      }),
    }
  })
}

/** What the members that answer know; of differing accounts, the one that knows the newest. */
export async function viewCluster(members: readonly Address[]): Promise<ViewedNode[]> {
  const views = await Promise.all(members.map((member) => viewFrom(member).catch(() => [])))
  const newest = (view: readonly ViewedNode[]): number =>
    Math.max(-1, ...view.map(({ epoch }) => epoch))
  const [best] = views.toSorted((a, b) => newest(b) - newest(a))
  if (!best || best.length === 0) throw new Error('No member of the cluster answers.')
  return best
}

/** One member's view. */
export async function viewFrom(member: Address): Promise<ViewedNode[]> {
  const asked = ask(member, (redis) => redis.cluster('NODES') as Promise<string>,
    VIEW_MS_MAX)
  return parseNodes(await withDeadline(asked, VIEW_MS_MAX, () => new Error('late')))
}

export const holds = ({ slots }: ViewedNode, slot: number): boolean =>
  slots.some(([from, to]) => from <= slot && slot <= to)
