/** How far the durable consumers are behind their outboxes, and what they set aside. */
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/slots.ts'
import { lastIds, STREAM_START } from '../redis/streams.ts'
import { countAside } from './aside.ts'
import { CONSUMER_NAMES } from './consumers.ts'

export interface OutboxState {
  readonly consumer: string
  /** Entries that it has not done; in a partition no more than LAG_MAX are counted. */
  readonly lagEntries: number
  /** Age of the oldest of them. */
  readonly lagMs: number
  readonly aside: number
}

/** Counting takes the ledger's time: this many entries a fraction of a millisecond. */
export const LAG_MAX = 1000

const outboxLag = defineScript('outbox-lag', ['outbox'], ['place', 'count_max'],
  ([count, first]: [number, string]) => ({ count, first }))

export async function outboxStates(ledger: RedisClient): Promise<OutboxState[]> {
  const partitions = everyPartition()
  const last = await lastIds(ledger, partitions)
  const progress = await runMany(ledger, partitions.map((partition) =>
    ['hmget', keys.progress(partition), ...CONSUMER_NAMES] as const)) as (string | null)[][]
  const aside = await countAside(ledger)
  const now = await redisTimeMs(ledger)
  return await Promise.all(CONSUMER_NAMES.map(async (consumer, index): Promise<OutboxState> => {
    const places = partitions.map((partition) => progress[partition]?.[index] ?? STREAM_START)
    const behind = partitions.filter((partition) => places[partition] !== last[partition])
    const lags = await Promise.all(behind.map((partition) => outboxLag.run(ledger,
      { outbox: keys.outbox(partition) },
      { place: places[partition] ?? STREAM_START, count_max: LAG_MAX })))
    return {
      consumer,
      lagEntries: lags.reduce((sum, { count }) => sum + count, 0),
      lagMs: lags.reduce((longest, { count, first }) =>
        (count === 0 ? longest : Math.max(longest, now - Number(first.split('-')[0]))), 0),
      aside: aside.get(consumer) ?? 0,
    }
  }))
}
