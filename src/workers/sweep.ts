/** Reads the partitions' lists of orders by time. */
import { everyPartition } from '../redis/doorbell.ts'
import type { RedisClient } from '../redis/connect.ts'
import { runMany } from '../redis/slots.ts'

export interface DueOrder {
  readonly partition: number
  readonly orderNo: string
}

/** At most this many of a partition in one tick: what is left comes with the next. */
const PER_PARTITION_MAX = 20

/** The orders whose time has come, by the ledger's own clock. */
export async function dueOrders(
  ledger: RedisClient, list: (partition: number) => string,
): Promise<DueOrder[]> {
  const [seconds, microseconds] = await ledger.time() as unknown as [string, string]
  const now = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
  const partitions = everyPartition()
  const replies = await runMany(ledger, partitions.map((partition) => [
    'zrangebyscore', list(partition), '-inf', now, 'LIMIT', 0, PER_PARTITION_MAX,
  ] as const))
  return partitions.flatMap((partition) => (replies[partition] as string[])
    .map((orderNo) => ({ partition, orderNo })))
}

export async function removeFrom(
  ledger: RedisClient, list: (partition: number) => string, { partition, orderNo }: DueOrder,
): Promise<void> {
  await ledger.zrem(list(partition), orderNo)
}
