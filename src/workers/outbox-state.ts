/** How far what follows the orders is behind the outboxes, and what was set aside. */
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/slots.ts'
import { isAfter, lastIds, STREAM_START } from '../redis/streams.ts'
import { countAside } from './aside.ts'
import { ORDER_EFFECTS } from './order-effects.ts'

export interface OutboxState {
  /** Entries that are not done; in a partition no more than LAG_MAX are counted. */
  readonly lagEntries: number
  /** Age of the oldest of them. */
  readonly lagMs: number
  readonly aside: number
  /** Partitions whose consumer is beyond the end: the ledger lost its tail, or was restored. */
  readonly ahead: number
}

/** Counting takes the ledger's time: this many entries a fraction of a millisecond. */
const LAG_MAX = 1000

const outboxLag = defineScript('outbox-lag', ['outbox'], ['place', 'count_max'],
  ([count, first]: [number, string]) => ({ count, first }))

export async function outboxState(ledger: RedisClient): Promise<OutboxState> {
  const partitions = everyPartition()
  // In this order: a consumer that moves in between must not seem beyond the end.
  const places = await runMany(ledger, partitions.map((partition) =>
    ['hget', keys.progress(partition), ORDER_EFFECTS] as const)) as (string | null)[]
  const last = await lastIds(ledger, partitions)
  const behind = partitions.filter((partition) =>
    (places[partition] ?? STREAM_START) !== last[partition])
  const lags = await Promise.all(behind.map((partition) => outboxLag.run(ledger,
    { outbox: keys.outbox(partition) },
    { place: places[partition] ?? STREAM_START, count_max: LAG_MAX })))
  const now = await redisTimeMs(ledger)
  return {
    lagEntries: lags.reduce((sum, { count }) => sum + count, 0),
    lagMs: lags.reduce((longest, { count, first }) =>
      (count === 0 ? longest : Math.max(longest, now - Number(first.split('-')[0]))), 0),
    aside: await countAside(ledger),
    ahead: partitions.filter((partition) =>
      isAfter(places[partition] ?? STREAM_START, last[partition] ?? STREAM_START)).length,
  }
}
