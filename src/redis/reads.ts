/** Reads and transactions on a cluster are tried again until a failover or slot move is over. */
import type { ChainableCommander, Cluster } from 'ioredis'
import { monotonicMs, sleep } from '../contract/time.ts'
import { connectionTo, laneOf, learn } from './route.ts'
import { AWAY, hasNotRun, verdictOf, type Redirect } from './verdict.ts'

/** Repeating one of these changes nothing. */
const READS = [
  'get', 'getBuffer', 'dumpBuffer', 'mget', 'exists', 'ttl', 'pttl', 'pexpiretime', 'type', 'time',
  'hget', 'hmget', 'hgetall', 'hlen', 'hkeys', 'hvals', 'hexists', 'hscan',
  'lrange', 'llen', 'smembers', 'scard', 'sismember', 'sscan',
  'zrange', 'zrangebyscore', 'zrevrange', 'zrevrangebyscore', 'zrevrank', 'zrank', 'zscore',
  'zcard', 'zcount', 'xrange', 'xrevrange', 'xlen',
] as const
const READ_NAMES: ReadonlySet<string> = new Set(READS)

/** A failover takes four seconds with a node timeout of two. */
const PATIENCE_MS = 8000
const AGAIN_MS = 50

export const isRead = (name: string): boolean => READ_NAMES.has(name)

const isCurable = (error: Error): boolean => verdictOf(error).kind !== 'defect'
  || error.message.startsWith('EXECABORT')

/**
 * Repeats a read whatever became of it, and a transaction when it certainly did not run: while a
 * slot moves, some of its keys are here and some there. Other writes keep to what the client does,
 * which never sends one again that may have run.
 *
 * A transaction goes over the connection of its keys' master. The cluster client of ioredis 6.0.0
 * chooses a connection for each command of a batch that was redirected to a master it does not know
 * yet: some of them count as sent where nothing was, and that connection gives every later caller
 * another's reply. So there are no batches of the cluster client.
 */
export function persist(client: Cluster): void {
  const methods = client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of READS) {
    const once = methods[name]?.bind(client)
    if (once) {
      methods[name] = (...args) => again(client, () => once(...args), isCurable)
    }
  }
  client.multi = (() => recording(client)) as typeof client.multi
  client.pipeline = () => {
    throw new Error('A batch of a cluster client mixes up replies: use runMany or multi.')
  }
}

type Call = readonly [name: string, args: readonly unknown[]]

/** A transaction that remembers its commands, so that it can be sent once more. */
function recording(client: Cluster): ChainableCommander {
  const calls: Call[] = []
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
        const isHarmless = calls.every(([called]) => isRead(called))
        return () => again(client, run, isHarmless ? isCurable : hasNotRun)
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
  client: Cluster, calls: readonly Call[], redirect: Redirect | undefined,
): Promise<unknown> {
  const [, [key] = []] = calls.find(([, args]) => args.length > 0) ?? []
  const master = connectionTo(client, redirect?.address ?? laneOf(client, String(key)))
  if (!master) throw AWAY
  // It holds for the whole transaction behind it.
  if (redirect?.isAsk) master.asking().catch(() => undefined)
  const multi = master.multi() as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const [name, args] of calls) multi[name]?.(...args)
  return await multi['exec']?.()
}

/** Where a command of a transaction that was refused belongs. */
function redirectOf(error: Error & { previousErrors?: readonly Error[] }): Redirect | undefined {
  for (const reason of [error, ...error.previousErrors ?? []]) {
    const verdict = verdictOf(reason)
    if (verdict.kind === 'redirect') return verdict.to
  }
  return undefined
}

async function again<T>(
  client: Cluster, work: () => Promise<T>, isRepeatable: (error: Error) => boolean,
): Promise<T> {
  const end = monotonicMs() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isRepeatable(error as Error) || client.status === 'end' || monotonicMs() > end) {
        throw error
      }
      learn(client)
      await sleep(AGAIN_MS)
    }
  }
}
