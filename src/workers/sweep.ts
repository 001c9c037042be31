/** Reads the partitions' lists of orders by time. */
import { everyPartition } from '../redis/doorbell.ts'
import pLimit from 'p-limit'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { redisTimeMs, scoredOf } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { isReachable, runMany } from '../redis/slots.ts'
import type { LedgerClocks } from './ledger-clocks.ts'

export interface DueOrder {
  readonly partition: number
  readonly orderNo: string
  /** Milliseconds, as it was read. */
  readonly dueAt: number
}

const dueSettle = defineScript('due-settle', ['due'], ['order_no', 'read', 'later_ms'],
  (did: number) => did === 1)

/** At most this many of a partition in one tick: what is left comes with the next. */
const PER_PARTITION_MAX = 20

/**
 * The orders whose time has come, by the ledger's own clock: with `clocks` by that of their master,
 * and where that can be trusted. Whoever closes or completes orders gives them.
 */
export async function dueOrders(
  ledger: RedisClient, list: (partition: number) => string, clocks?: LedgerClocks,
): Promise<DueOrder[]> {
  const timeOf = clocks ? await clocks.look() : always(await redisTimeMs(ledger))
  const partitions = everyPartition().filter((partition) =>
    timeOf(list(partition)) !== undefined && isReachable(ledger, list(partition)))
  const replies = await runMany(ledger, partitions.map((partition) => [
    'zrangebyscore', list(partition), '-inf', timeOf(list(partition)) ?? 0, 'WITHSCORES',
    'LIMIT', 0, PER_PARTITION_MAX,
  ] as const))
  return partitions.flatMap((partition, place) => scoredOf(replies[place] as string[])
    .map(({ member, score }) => ({ partition, orderNo: member, dueAt: score })))
}

const always = (time: number) => (_key: string): number => time

/** Whether a partition may have more of them than were read: there is work to do at once. */
export function isFull(due: readonly DueOrder[]): boolean {
  const counts = new Map<number, number>()
  for (const { partition } of due) counts.set(partition, (counts.get(partition) ?? 0) + 1)
  return [...counts.values()].some((count) => count >= PER_PARTITION_MAX)
}

/** Takes it off the list, or puts it off by `laterMs`, unless it was planned anew meanwhile. */
export async function settle(
  ledger: RedisClient, list: (partition: number) => string,
  { partition, orderNo, dueAt }: DueOrder, laterMs?: number,
): Promise<void> {
  await dueSettle.run(ledger, { due: list(partition) },
    { order_no: orderNo, read: dueAt, later_ms: laterMs ?? '' })
}

/** Writes of a tick that are under way at a time: they share the way to the ledger with orders. */
const AT_ONCE = 256

/** Does something for each; one that fails is logged, and keeps no other from its turn. */
export async function forEach<T>(
  entries: readonly T[], log: Logger, work: (entry: T) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(AT_ONCE)
  const ends = await Promise.allSettled(entries.map((entry) => limit(() => work(entry))))
  const failed = ends.filter((end) => end.status === 'rejected')
  const [first] = failed
  if (!first) return
  const { message } = first.reason as Error
  log.warn({ failed: failed.length, of: entries.length, error: message }, 'some were not moved')
}
