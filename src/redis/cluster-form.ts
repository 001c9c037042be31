/** Makes a Redis Cluster of servers that run: who owns which slots, and who follows whom. */
import { monotonicMs, sleep } from '../clock.ts'
import { SLOTS, viewFrom } from './cluster-view.ts'
import { ask, type Address } from './server.ts'

export interface Joining extends Address {
  readonly busPort: number
}

const JOIN_MS_MAX = 30_000
const POLL_MS = 25

/** The first `masters` servers share the slots; the others follow them in turn. */
export async function formCluster(servers: readonly Joining[], masters: number): Promise<void> {
  await Promise.all(servers.slice(0, masters).map((server, at) => ask(server, async (redis) => {
    const firstSlot = (of: number): number => Math.round(of * SLOTS / masters)
    // Masters that meet with one and the same epoch would first have to agree on who was right.
    await redis.cluster('SET-CONFIG-EPOCH', at + 1)
    await redis.cluster('ADDSLOTSRANGE', firstSlot(at), firstSlot(at + 1) - 1)
  })))
  await introduce(servers)
  await until(async () => {
    const views = await Promise.all(servers.map(viewFrom))
    return views.every((view) => view.length === servers.length
      && view.every(({ isUp, port }) => isUp && port > 0))
  })
  const ids = await Promise.all(servers.map((server) =>
    ask(server, (redis) => redis.cluster('MYID') as Promise<string>)))
  for (const [at, server] of servers.entries()) {
    if (at < masters) continue
    const master = ids[at % masters] ?? ''
    // It refuses until gossip has told it that this node is a master with slots.
    await until(() => ask(server, (redis) => redis.cluster('REPLICATE', master))
      .then(() => true, () => false))
  }
}

/** Tells every server of the first one; harmless where they know each other. */
export async function introduce(servers: readonly Joining[]): Promise<void> {
  const [first, ...others] = servers
  if (!first) return
  await Promise.all(others.map((server) => ask(server, (redis) =>
    redis.cluster('MEET', '127.0.0.1', first.port, first.busPort))))
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const end = monotonicMs() + JOIN_MS_MAX
  while (!await isDone().catch(() => false)) {
    if (monotonicMs() > end) throw new Error('The members of the cluster do not find each other.')
    await sleep(POLL_MS)
  }
}
