import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis'
import { sleep, monotonicMs } from '../contract/time.ts'
import { redisSetting } from '../config.ts'
import { KnownFailure } from '../failure.ts'
import type { Logger } from '../log.ts'
import type { Role } from '../measures.ts'
import { gatherWrites } from './gather.ts'
import { logOutages, lossOf } from './outages.ts'
import { persist } from './reads.ts'

export type RedisClient = Redis | Cluster

/** A call that has no answer after this long has an unknown outcome. */
const COMMAND_TIMEOUT_MS = 1500
const MASTERS_MS_MAX = 3000

/**
 * Options that lose nothing and double nothing: a command whose connection broke is never sent
 * again behind the caller's back, and none waits for ever. RESP2, because RESP3 reshapes search
 * replies and costs more CPU.
 */
const SAFE: RedisOptions = {
  protocol: 2,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: COMMAND_TIMEOUT_MS,
  // commandTimeout alone keeps a hung socket; this drops it, so that the next call can succeed.
  socketTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: 2000,
  retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 1000),
}

const CLUSTER: ClusterOptions = {
  // A command waits for nobody: who calls decides how long it is tried again (durable, reads).
  enableOfflineQueue: false,
  enableReadyCheck: true,
  // Fail fast on a lost connection instead of sending a write a second time.
  retryDelayOnFailover: 0,
  // These certainly did not run. Together they last as long as a command may.
  maxRedirections: 16,
  retryDelayOnTryAgain: 100,
  retryDelayOnClusterDown: 100,
  // Without it a client keeps sending to a hung master long after its replica took over. What
  // fails asks at once; and each time costs a connection.
  slotsRefreshInterval: 1000,
  // A hung member is asked as often as any other: soon the next one is.
  slotsRefreshTimeout: 500,
  // A replica may be behind, and a caller must read what was acknowledged to it.
  scaleReads: 'master',
  // When no member answered: soon again, but not in a storm.
  clusterRetryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 1000),
}

/** Host and port of each, of a cluster those of its seeds. */
const addresses = new WeakMap<RedisClient, string>()

export type Purpose = 'commands' | 'subscribe' | 'bulk'

/**
 * A client for a Redis url. Several urls joined by commas are the seeds of a Redis Cluster.
 * `subscribe` sockets may be silent for long; `bulk` work (imports, loading) may be slow. What it
 * sends is counted as its role's.
 */
export function openRedis(
  url: string, log: Logger, purpose: Purpose = 'commands', role?: Role,
): RedisClient {
  const { commandTimeout: _, socketTimeout: __, ...patient } = SAFE
  const options = purpose === 'commands' ? SAFE
    : purpose === 'bulk' ? { ...patient, commandTimeout: 60_000 }
      : { ...patient, commandTimeout: COMMAND_TIMEOUT_MS }
  const seeds = url.split(',')
  const client = seeds.length > 1
    ? new Cluster(seeds, clusterOptions(seeds, options))
    : new Redis(url, options)
  addresses.set(client, seeds.map((seed) => new URL(seed).host).join(','))
  gatherWrites(client, role)
  if (client instanceof Cluster) {
    client.on('+node', connect)
    endRounds(client)
    persist(client)
  }
  logOutages(client, nameOf(client), log)
  return client
}

/**
 * ioredis 6.0.0 asks for the slots again and again, also after a client that was closed while it
 * asked: its process would never end.
 */
function endRounds(cluster: Cluster): void {
  let isClosed = false
  const [refresh, disconnect] = [cluster.refreshSlotsCache, cluster.disconnect]
  cluster.refreshSlotsCache = (then) => refresh.call(cluster, (error) => {
    if (!isClosed) then?.(error)
  })
  cluster.disconnect = (isToReconnect = false) => {
    isClosed = !isToReconnect
    disconnect.call(cluster, isToReconnect)
  }
}

function clusterOptions(seeds: readonly string[], options: RedisOptions): ClusterOptions {
  const { username, password, protocol } = new URL(seeds[0] ?? '')
  const { maxRetriesPerRequest: _, autoResendUnfulfilledCommands: __, retryStrategy: ___,
    enableOfflineQueue: ____, ...node } = options
  return {
    ...CLUSTER,
    redisOptions: {
      ...node, ...(username && { username }), ...(password && { password }),
      // The seeds' own settings do not reach the members that they name.
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  }
}

/** For logs and metrics, without what must stay secret. */
export const nameOf = (client: RedisClient): string => (client instanceof Cluster
  ? 'cluster' : `${client.options.host}:${client.options.port}`)

/** With the setting that its address comes from; the password is not shown. */
function notAnswering(client: RedisClient, name: string): string {
  const setting = redisSetting(name)
  const reason = lossOf(client)
  const todo = `start it, or correct ${setting ?? 'its address'}`
  return `The ${name} Redis at ${addresses.get(client) ?? nameOf(client)}`
    + `${setting === undefined ? '' : ` (from ${setting})`} does not answer`
    + `${reason === undefined ? '' : `, ${reason}`}: ${todo}.`
}

/** Waits until the client can be used; refuses with one sentence when it cannot. */
export async function untilReady(client: RedisClient, name: string, ms = 15_000): Promise<void> {
  const end = monotonicMs() + ms
  while (client.status !== 'ready') {
    if (monotonicMs() > end) {
      throw new KnownFailure(notAnswering(client, name))
    }
    await sleep(10)
  }
  if (client instanceof Cluster) await untilConnected(client, monotonicMs() + MASTERS_MS_MAX)
}

/** A master that is down does not keep a node from serving what the others hold. */
async function untilConnected(cluster: Cluster, end: number): Promise<void> {
  while (cluster.nodes('master').some(({ status }) => status !== 'ready')) {
    if (monotonicMs() > end) return
    cluster.nodes('master').forEach(connect)
    await sleep(10)
  }
}

/** A connection that only its first command opened would refuse those right behind it. */
function connect(node: Redis): void {
  if (node.status === 'wait' && !node.options.readOnly) node.connect().catch(() => {})
}
