/**
 * Sends commands to the masters that hold their keys, in few round trips, through failovers and
 * resharding. What certainly did not run is repeated while its caller waits, and so is a read whose
 * answer was lost; no other write is ever sent twice.
 */
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { Cluster, type ChainableCommander, type Redis } from 'ioredis'
import { monotonicMs, sleep } from '../contract/time.ts'
import { classifyError, hasNotRun, NOT_CONNECTED, type Redirect } from './command-errors.ts'
import type { RedisClient } from './connect.ts'
import type { Operand } from './script.ts'

/** A command whose first argument is its key; of XREAD it is the first behind STREAMS. */
export type KeyCommand = readonly [name: string, key: string, ...args: (string | number)[]]

/** Makes one read: as a client does, or so that replicas have what it shows (`Durable.read`). */
export type Read = (...command: KeyCommand) => Promise<unknown>

export type Command = readonly [name: string, ...operands: Operand[]]
export type Reply = readonly [error: Error | null, value: unknown]

interface Call {
  readonly index: number
  readonly key: string
  readonly command: Command
  redirect: Redirect | undefined
}

/** Of a transaction: a method of the client and its arguments. */
type MethodCall = readonly [name: string, args: readonly unknown[]]

/** The name of the only master where there is no cluster. */
const SINGLE = 'single'
const REFRESH_EVERY_MS = 200
/** A batch is never longer than this, so that no other caller waits long behind it. */
const BATCH_MAX = 256
/** Longer than a failover, which takes four seconds with a node timeout of two. */
export const CLUSTER_PATIENCE_MS = 8000
/** Between two tries of what did not run. */
export const RETRY_MS = 25

/** Repeating one of these changes nothing. */
const READS = [
  'get', 'getBuffer', 'dumpBuffer', 'mget', 'exists', 'ttl', 'pttl', 'pexpiretime', 'type', 'time',
  'hget', 'hmget', 'hgetall', 'hlen', 'hkeys', 'hvals', 'hexists', 'hscan',
  'lrange', 'llen', 'smembers', 'scard', 'sismember', 'sscan',
  'zrange', 'zrangebyscore', 'zrevrange', 'zrevrangebyscore', 'zrevrank', 'zrank', 'zscore',
  'zcard', 'zcount', 'xrange', 'xrevrange', 'xlen', 'xread',
] as const
const READ_NAMES: ReadonlySet<string> = new Set(READS)

const refreshedAt = new WeakMap<Cluster, number>()

/** Of the part in braces, as Redis Cluster computes it. */
export const slotOf = createRequire(import.meta.url)('cluster-key-slot') as (key: string) => number

/** Whether a command or a script may name keys of several slots. */
export const isOneServer = (client: RedisClient): boolean => !(client instanceof Cluster)

export const keyOf = (command: KeyCommand): string => (command[0] !== 'xread' ? command[1]
  : String(command[command.indexOf('STREAMS') + 1]))

/** The only one where there is no cluster. */
export const mastersOf = (client: RedisClient): Redis[] =>
  (client instanceof Cluster ? client.nodes('master') : [client])

/** As `masterAddress` names a master. */
export const addressOf = (client: RedisClient, { options: { host, port } }: Redis): string =>
  (client instanceof Cluster ? `${host}:${port}` : SINGLE)

/** The address of the master that holds a key, as far as the client knows. */
export function masterAddress(client: RedisClient, key: string): string {
  if (!(client instanceof Cluster)) return SINGLE
  return client.slots[slotOf(key)]?.[0] ?? 'unknown'
}

/**
 * Replicas of the key's master that the cluster counts as available, as the client last learnt: a
 * cluster leaves those out that a majority of its masters has marked as failed. Infinity where
 * there is no cluster, or where the client knows nothing yet.
 */
export function replicasFor(client: RedisClient, key: string): number {
  if (!(client instanceof Cluster)) return Infinity
  const members = client.slots[slotOf(key)]
  return members ? members.length - 1 : Infinity
}

/** Masters with fewer available replicas than `wanted`; 0 where there is no cluster. */
export function mastersShortOf(client: RedisClient, wanted: number): number {
  if (!(client instanceof Cluster)) return 0
  const shards = new Map(client.slots.filter(Boolean).map((members) => [members[0], members]))
  return [...shards.values()].filter((members) => members.length - 1 < wanted).length
}

/**
 * The connection to a master, when it stands: what is sent over any other may or may not arrive.
 * The cluster client would follow redirections by itself, but not those of a pipeline of which a
 * part succeeded; so batches go to a node's own connection and are redirected one by one.
 */
export function connectionTo(client: RedisClient, address: string): Redis | undefined {
  const node = client instanceof Cluster
    ? client.nodes().find(({ options: { host, port } }) => `${host}:${port}` === address)
    : client
  if (node?.status === 'ready') return node
  // A node's connection is opened by its first command.
  if (node?.status === 'wait') node.connect().catch(() => {})
  return undefined
}

/** Whether the master of a key can be asked just now: the death of one must not stop the others. */
export const isReachable = (client: RedisClient, key: string): boolean =>
  !(client instanceof Cluster) || connectionTo(client, masterAddress(client, key)) !== undefined

/** Asks who owns which slot now: at once, but not for each of a thousand calls that failed. */
export function refreshSlots(client: RedisClient): void {
  if (!(client instanceof Cluster) || client.status !== 'ready') return
  const now = monotonicMs()
  if (now - (refreshedAt.get(client) ?? -Infinity) < REFRESH_EVERY_MS) return
  refreshedAt.set(client, now)
  client.refreshSlotsCache(() => {})
}

/** A command as it goes to where it was redirected. */
export const withAsking = (redirect: Redirect | undefined, command: Command): Command[] =>
  (redirect?.isAsk ? [['asking'], command] : [command])

type Method = (...operands: readonly Operand[]) => Promise<unknown>

/**
 * Sends them in one write; replies in their order, without those of `asking`. Not as a pipeline of
 * the client: ioredis 6.0.0 gives each of those a hidden class of its own, and that keeps it, with
 * its commands and replies, until the old space is collected.
 */
export async function exchange(redis: Redis, commands: readonly Command[]): Promise<Reply[]> {
  const methods = redis as unknown as Record<string, Method>
  const { stream } = redis as unknown as { stream?: Socket }
  const replies: Promise<Reply>[] = []
  stream?.cork()
  for (const [name, ...operands] of commands) {
    const reply = (methods[name] as Method).apply(redis, operands).then(asReply, asFailure)
    if (name !== 'asking') replies.push(reply)
  }
  stream?.uncork()
  return await Promise.all(replies)
}

const asReply = (value: unknown): Reply => [null, value]
const asFailure = (error: Error): Reply => [error, undefined]

/** Tries again until an attempt says that it is done, or nobody waits for it any more. */
async function untilDone(client: RedisClient, attempt: () => Promise<boolean>): Promise<void> {
  const end = monotonicMs() + (client instanceof Cluster ? CLUSTER_PATIENCE_MS : 0)
  while (!await attempt()) {
    if (client.status === 'end' || monotonicMs() > end) return
    refreshSlots(client)
    await sleep(RETRY_MS)
  }
}

/** What the master says, whether replicas have it or not. */
export const readWith = (client: RedisClient): Read =>
  async (...command) => (await runMany(client, [command]))[0]

/** Runs them; replies in their order. The first error that no repetition cures rejects. */
export async function runMany(
  client: RedisClient, commands: readonly KeyCommand[],
): Promise<unknown[]> {
  const replies = await tryMany(client,
    commands.map((command) => [keyOf(command), command] as const))
  return replies.map(([error, value]) => {
    if (error) throw error
    return value
  })
}

/** The same with errors in place; each command with the key that says where it belongs. */
export async function tryMany(
  client: RedisClient, commands: readonly (readonly [key: string, command: Command])[],
): Promise<Reply[]> {
  const replies: Reply[] = []
  let waiting = commands.map(([key, command], index): Call =>
    ({ index, key, command, redirect: undefined }))
  await untilDone(client, async () => {
    const again: Call[] = []
    await Promise.all([...byMaster(client, waiting)].map(async ([address, calls]) => {
      for (let from = 0; from < calls.length; from += BATCH_MAX) {
        const part = calls.slice(from, from + BATCH_MAX)
        const found = await sendCalls(connectionTo(client, address), part)
        for (const [position, call] of part.entries()) {
          const reply = found[position] ?? [NOT_CONNECTED, undefined] as const
          if (isRepeatable(call, reply[0])) again.push(call)
          replies[call.index] = reply
        }
      }
    }))
    waiting = again
    return again.length === 0
  })
  return replies
}

function byMaster(client: RedisClient, calls: readonly Call[]): Map<string, Call[]> {
  const groups = new Map<string, Call[]>()
  for (const call of calls) {
    const address = call.redirect?.address ?? masterAddress(client, call.key)
    const group = groups.get(address)
    if (group) group.push(call)
    else groups.set(address, [call])
  }
  return groups
}

async function sendCalls(redis: Redis | undefined, calls: readonly Call[]): Promise<Reply[]> {
  if (!redis) return calls.map(() => [NOT_CONNECTED, undefined])
  return await exchange(redis, calls.flatMap(({ command, redirect }) =>
    withAsking(redirect, command)))
}

function isRepeatable(call: Call, error: Error | null): boolean {
  call.redirect = undefined
  if (!error) return false
  if (error === NOT_CONNECTED) return true
  const found = classifyError(error)
  if (found.kind === 'redirect') call.redirect = found.to
  return found.kind === 'redirect' || found.kind === 'later'
    || found.kind === 'unknown' && READ_NAMES.has(call.command[0])
}

const isCurable = (error: Error): boolean => classifyError(error).kind !== 'defect'
  || error.message.startsWith('EXECABORT')

/**
 * Has a cluster client repeat a read whatever became of it, and a transaction when it certainly did
 * not run: while a slot moves, some of its keys are here and some there. Other writes keep to what
 * the client does, which never sends one again that may have run.
 *
 * A transaction goes over the connection of its keys' master. The cluster client of ioredis 6.0.0
 * chooses a connection for each command of a batch that was redirected to a master it does not know
 * yet: some of them count as sent where nothing was, and that connection gives every later caller
 * another's reply. So there are no batches of the cluster client.
 */
export function repeatReads(client: Cluster): void {
  const methods = client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of READS) {
    const once = methods[name]?.bind(client)
    if (once) methods[name] = (...args) => repeat(client, () => once(...args), isCurable)
  }
  client.multi = (() => recordTransaction(client)) as typeof client.multi
  client.pipeline = () => {
    throw new Error('A batch of a cluster client mixes up replies: use runMany or multi.')
  }
}

async function repeat<T>(
  client: Cluster, work: () => Promise<T>, canRepeat: (error: Error) => boolean,
): Promise<T> {
  let outcome: { readonly value: T } | { readonly error: Error } | undefined
  await untilDone(client, async () => {
    outcome = await work().then((value) => ({ value }), (error: Error) => ({ error }))
    return 'value' in outcome || !canRepeat(outcome.error)
  })
  if (outcome && 'value' in outcome) return outcome.value
  throw outcome?.error
}

/** A transaction that remembers its commands, so that it can be sent once more. */
function recordTransaction(client: Cluster): ChainableCommander {
  const calls: MethodCall[] = []
  let redirect: Redirect | undefined
  const run = async (): Promise<unknown> => {
    const to = redirect
    redirect = undefined
    try {
      return await transact(client, calls, to)
    } catch (error) {
      redirect = redirectOf(error as Error)
      throw error
    }
  }
  const recorder: ChainableCommander = new Proxy({} as ChainableCommander, {
    get(_, name: string) {
      if (name === 'then') return undefined
      if (name === 'exec') {
        const isHarmless = calls.every(([called]) => READ_NAMES.has(called))
        return () => repeat(client, run, isHarmless ? isCurable : hasNotRun)
      }
      return (...args: unknown[]) => {
        calls.push([name, args])
        return recorder
      }
    },
  })
  return recorder
}

async function transact(
  client: Cluster, calls: readonly MethodCall[], redirect: Redirect | undefined,
): Promise<unknown> {
  const [, [key] = []] = calls.find(([, args]) => args.length > 0) ?? []
  const master = connectionTo(client, redirect?.address ?? masterAddress(client, String(key)))
  if (!master) throw NOT_CONNECTED
  // It holds for the whole transaction behind it.
  if (redirect?.isAsk) master.asking().catch(() => undefined)
  const multi = master.multi() as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const [name, args] of calls) multi[name]?.(...args)
  return await multi['exec']?.()
}

/** Where a command of a transaction that was refused belongs. */
function redirectOf(error: Error & { previousErrors?: readonly Error[] }): Redirect | undefined {
  for (const reason of [error, ...error.previousErrors ?? []]) {
    const found = classifyError(reason)
    if (found.kind === 'redirect') return found.to
  }
  return undefined
}
