/**
 * Shortens the outboxes: to what every durable consumer has behind it and no follower should
 * still need. The last entry always stays, because followers find their place by it.
 */
import { everyPartition } from '../redis/doorbell.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany, type KeyCommand } from '../redis/slots.ts'
import { lastIds, STREAM_START } from '../redis/streams.ts'
import type { Worker } from './lease.ts'
import { createLedgerClocks, type LedgerClocks } from './ledger-clocks.ts'

export interface TrimOptions {
  readonly ledger: RedisClient
  /** Names of the durable consumers: what one of them has not done is kept. */
  readonly consumers: readonly string[]
  readonly log: Logger
  readonly keepMs?: number
  readonly lengthMax?: number
  readonly clocks?: LedgerClocks
}

const EVERY_MS = 10_000
/** A follower that was away for longer reloads. */
const KEEP_MS = 900_000
/** Entries of a partition, whoever has not read them: the ledger's memory comes first. */
const LENGTH_MAX = 100_000

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
