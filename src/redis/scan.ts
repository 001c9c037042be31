/** Walks all keys of one kind, over every master, while others work with them. */
import { Cluster } from 'ioredis'
import { sleep } from '../contract/time.ts'
import type { RedisClient } from './connect.ts'
import { mastersOf } from './send.ts'

export interface ScanKind {
  readonly match: string
  /** Takes the one part of the key that tells it from others of its kind. */
  readonly name: RegExp
}

const SCAN_COUNT = 1000
/** A slot that moves to a master that was walked already takes its keys along: walked again. */
const WALKS_MAX = 6
const RETRY_MS = 300

/**
 * The names of the keys, in batches. Each key that is there from the first to the last moment is
 * named at least once, also when slots move or a master fails meanwhile; a name may come again.
 */
export async function* scanNames(
  redis: RedisClient, { match, name }: ScanKind,
): AsyncGenerator<string[]> {
  for (let walk = 1; ; walk += 1) {
    try {
      const before = await topology(redis)
      for (const master of mastersOf(redis)) {
        let cursor = '0'
        do {
          const [next, found] = await master.scan(cursor, 'MATCH', match, 'COUNT', SCAN_COUNT)
          const names = found.flatMap((key) => name.exec(key)?.[1] ?? [])
          if (names.length > 0) yield names
          cursor = next
        } while (cursor !== '0')
      }
      if (before === await topology(redis)) return
      if (walk === WALKS_MAX) throw new Error('The cluster does not come to rest: try again.')
    } catch (error) {
      if (walk >= WALKS_MAX) throw error
      await sleep(RETRY_MS)
    }
  }
}

/** How many keys there are, of any kind. */
export async function countKeys(redis: RedisClient): Promise<number> {
  const counts = await Promise.all(mastersOf(redis).map((master) => master.dbsize()))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Which master says that it holds which slots, and which of them are on their way. */
async function topology(redis: RedisClient): Promise<string> {
  if (!(redis instanceof Cluster)) return ''
  const views = await Promise.all(redis.nodes('master').map(async (master) => {
    const lines = String(await master.cluster('NODES')).split('\n')
    const [id = '', , , , , , , , ...slots] = lines
      .find((line) => line.includes('myself'))?.split(' ') ?? []
    return `${id} ${slots.join(' ')}`
  }))
  return views.sort().join('\n')
}
