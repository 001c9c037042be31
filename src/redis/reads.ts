/** Reads on a cluster are asked again until a failover or a slot's move is over. */
import type { ChainableCommander, Cluster } from 'ioredis'
import { monotonicMs, sleep } from '../clock.ts'
import { learn } from './route.ts'
import { hasNotRun, verdictOf } from './verdict.ts'

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
 */
export function persist(client: Cluster): void {
  const methods = client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of READS) {
    const once = methods[name]?.bind(client)
    if (once) {
      methods[name] = (...args) => again(client, () => once(...args), isCurable)
    }
  }
  const begin = client.multi.bind(client) as () => ChainableCommander
  client.multi = (() => recording(client, begin)) as typeof client.multi
}

/** A transaction that remembers its commands, so that it can be sent once more. */
function recording(client: Cluster, begin: () => ChainableCommander): ChainableCommander {
  const calls: [name: string, args: unknown[]][] = []
  const run = async (): Promise<unknown> => {
    const multi = begin() as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    for (const [name, args] of calls) void multi[name]?.(...args)
    return await multi['exec']?.()
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
