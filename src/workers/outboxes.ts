/** How far consumers are behind the outboxes, and what shortens these. */
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany, type KeyCommand } from '../redis/send.ts'
import { isAfter, lastIds, STREAM_START } from '../redis/streams.ts'
import type { Logger } from '../log.ts'
import { countDeadLetters } from './dead-letters.ts'
import { ORDER_EFFECTS } from './order-effects.ts'
import type { Worker } from './lease.ts'
import { createLedgerClocks, type LedgerClocks } from './ledger-clocks.ts'

export interface OutboxState {
  /** Entries that are not done; in a partition no more than LAG_MAX are counted. */
  readonly lagEntries: number
  /** Age of the oldest of them. */
  readonly lagMs: number
  readonly aside: number
  /** Partitions whose consumer is beyond the end: the ledger lost its tail, or was restored. */
  readonly ahead: number
}

interface TrimOptions {
  readonly ledger: RedisClient
  /** Names of the durable consumers: what one of them has not done is kept. */
  readonly consumers: readonly string[]
  readonly log: Logger
  readonly keepMs?: number
  readonly lengthMax?: number
  readonly clocks?: LedgerClocks
}

/** Counting takes the ledger's time: this many entries a fraction of a millisecond. */
const LAG_MAX = 1000
const EVERY_MS = 10_000
/** A follower that missed more reloads. */
const KEEP_MS = 900_000
/** Entries of a partition, whoever has not read them: the ledger's memory comes first. */
const LENGTH_MAX = 100_000

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
    aside: await countDeadLetters(ledger),
    ahead: partitions.filter((partition) =>
      isAfter(places[partition] ?? STREAM_START, last[partition] ?? STREAM_START)).length,
  }
}

export function trimWorker(options: TrimOptions): Worker {
  const { ledger, consumers, log, keepMs = KEEP_MS, lengthMax = LENGTH_MAX } = options
  const clocks = options.clocks ?? createLedgerClocks({ ledger, log })

  function alarm(partition: number, length: number, places: readonly string[]): void {
    log.error({
      partition, length, behind: consumers.map((name, index) => `${name} ${places[index]}`),
    }, 'outbox over its limit: its oldest entries go, done or not; see agentmall rebuild orders')
  }

  return {
    name: 'trim',
    everyMs: EVERY_MS,
    async tick() {
      const partitions = everyPartition()
      const timeOf = await clocks.look()
      const last = await lastIds(ledger, partitions)
      const replies = await runMany(ledger, partitions.flatMap((partition): KeyCommand[] => [
        ['hmget', keys.progress(partition), ...consumers],
        ['xlen', keys.outbox(partition)],
      ]))
      const commands = partitions.flatMap((partition): KeyCommand[] => {
        const progress = placesOf(replies[partition * 2])
        const length = Number(replies[partition * 2 + 1])
        const outbox = keys.outbox(partition)
        if (length > lengthMax) return [['xtrim', outbox, 'MAXLEN', lengthMax]]
        // By a clock that jumped nothing is too old.
        const now = timeOf(outbox)
        const tooOld = now === undefined ? STREAM_START : `${now - keepMs}-0`
        const keepFrom = [tooOld, ...progress, last[partition] ?? STREAM_START].sort(byId)[0]
        return length < 2 || !keepFrom || keepFrom === STREAM_START
          ? [] : [['xtrim', outbox, 'MINID', keepFrom]]
      })
      // Told before it is done, so that a node that dies in between has said it.
      for (const partition of partitions) {
        const length = Number(replies[partition * 2 + 1])
        if (length > lengthMax) alarm(partition, length, placesOf(replies[partition * 2]))
      }
      await runMany(ledger, commands)
      return false
    },
  }
}

const placesOf = (reply: unknown): string[] =>
  (reply as (string | null)[]).map((id) => id ?? STREAM_START)

function byId(a: string, b: string): number {
  const [aMs = 0, aSeq = 0] = a.split('-').map(Number)
  const [bMs = 0, bSeq = 0] = b.split('-').map(Number)
  return aMs - bMs || aSeq - bSeq
}

const outboxReset = defineScript('outbox-reset', ['outbox', 'progress'], [],
  (moved: number) => moved)

/** Sets them to the end; how many there were. Events with smaller ids would be skipped. */
export async function resetProgress(ledger: RedisClient): Promise<number> {
  const moved = await Promise.all(everyPartition().map((partition) => outboxReset.run(ledger, {
    outbox: keys.outbox(partition), progress: keys.progress(partition),
  }, {})))
  return moved.reduce((sum, count) => sum + count, 0)
}
