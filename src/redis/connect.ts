/** Clients for Redis: their options, their batched writes, and log lines about lost connections. */
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis'
import { monotonicMs, sleep } from '../contract/time.ts'
import { redisSetting } from '../config.ts'
import { KnownFailure } from '../failure.ts'
import { createOutageLog, type Logger, type OutageLog } from '../log.ts'
import { measures, type Role } from '../measures.ts'
import { repeatReads } from './send.ts'

export type RedisClient = Redis | Cluster

export type Purpose = 'commands' | 'subscribe' | 'bulk'

interface Outage {
  /** Connections that are lost. */
  readonly clients: Set<EventEmitter>
  readonly trouble: OutageLog
}

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
  // A command waits for nobody: who calls decides how long it is tried again (durable, send).
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
  corkWrites(client, role)
  if (client instanceof Cluster) {
    client.on('+node', connect)
    endRounds(client)
    repeatReads(client)
  }
  logOutages(client, nameOf(client), log)
  return client
}

/** One more client of the same server, for writes that come in batches anyway. */
export function copyRedis(client: RedisClient, log: Logger, role: Role): RedisClient {
  const copy = client instanceof Cluster ? client.duplicate() : client.duplicate()
  countWrites(copy, role)
  if (copy instanceof Cluster) endRounds(copy)
  logOutages(copy, nameOf(copy), log)
  return copy
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

/**
 * A call of the system costs more than a command. The turn ends when every socket that was ready
 * has been read, so a lone command waits for nothing.
 */
function corkWrites(client: RedisClient, role?: Role): void {
  eachSocket(client, (socket) => { corkSocket(socket, role) })
}

function eachSocket(client: RedisClient, use: (socket: Socket) => void): void {
  const watch = (node: Redis): void => {
    node.on('connect', () => { use(node.stream as Socket) })
  }
  if (client instanceof Cluster) client.on('+node', watch)
  else watch(client)
}

/** For a client that sends in batches anyway: the end of each is a write. */
function countWrites(client: RedisClient, role: Role): void {
  eachSocket(client, (socket) => {
    const uncork = socket.uncork.bind(socket)
    socket.uncork = (): void => {
      measures.roundTrips[role] += 1
      uncork()
    }
  })
}

export function corkSocket(socket: Socket, role?: Role): void {
  let isHeld = false
  const release = (): void => {
    isHeld = false
    if (role) measures.roundTrips[role] += 1
    socket.uncork()
  }
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  socket.write = (...given: unknown[]): boolean => {
    if (!isHeld) {
      isHeld = true
      socket.cork()
      setImmediate(release)
    }
    return write(...given)
  }
}

/** By logger and address: a process has many connections to one Redis. */
const outages = new WeakMap<object, Map<string, Outage>>()

const losses = new WeakMap<EventEmitter, string>()

/** Why a connection failed last. */
const lossOf = (client: EventEmitter): string | undefined => losses.get(client)

/** `address` is shown in the log: it must hold no password. */
export function logOutages(
  client: EventEmitter, address: string, log: Pick<Logger, 'warn'>,
): void {
  const known = outages.get(log) ?? new Map<string, Outage>()
  outages.set(log, known)
  const { clients, trouble } = known.get(address) ?? {
    clients: new Set<EventEmitter>(),
    trouble: createOutageLog(log, 'Redis does not answer', 'Redis answers again'),
  }
  known.set(address, { clients, trouble })

  client.on('error', (error: NodeJS.ErrnoException) => {
    clients.add(client)
    losses.set(client, reasonOf(error))
    trouble.report(reasonOf(error), { redis: address })
  })
  client.on('ready', leave)
  client.on('end', leave)

  function leave(): void {
    if (clients.delete(client) && clients.size === 0) trouble.end({ redis: address })
  }
}

/** Several addresses of one name fail as a group, which has a code and no message. */
const reasonOf = ({ message, code, name }: NodeJS.ErrnoException): string =>
  message || (code ?? name)
