/**
 * The stock board: how many of each own product are left, as this node last saw it. True stock
 * lives with the orders; the board follows it and is only ever shown.
 */
import { isoTime } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, partitionOf, PARTITIONS } from '../redis/keys.ts'
import type { Follower, OutboxEvent } from '../redis/streams.ts'

export interface Board extends Follower {
  /** Units left; 0 for what is not on the board. */
  quantity(productId: number): number
  /** Another one after each change of a quantity. */
  readonly revision: number
  /** ISO time up to which every partition was followed, in quotes: it goes into JSON text. */
  readonly snapshotAt: string
  readonly size: number
}

export function createBoard(ledger: RedisClient): Board {
  // One map a partition, so that a reload replaces it whole.
  const partitions = Array.from({ length: PARTITIONS }, () => new Map<number, number>())
  let snapshotAt = isoTime(0)
  let revision = 0

  return {
    quantity: (productId) => partitions[partitionOf(productId)]?.get(productId) ?? 0,
    get revision() { return revision },
    get snapshotAt() { return snapshotAt },
    get size() { return partitions.reduce((sum, { size }) => sum + size, 0) },
    apply(events: readonly OutboxEvent[]) {
      for (const { partition, productId, stock } of events) {
        if (stock !== undefined) partitions[partition]?.set(productId, stock)
      }
      revision += 1
    },
    async reload(partition) {
      const stock = await ledger.hgetall(keys.stock(partition))
      partitions[partition] = new Map(Object.entries(stock)
        .map(([productId, units]) => [Number(productId), Number(units)]))
      revision += 1
    },
    current(atMs) {
      snapshotAt = isoTime(atMs)
    },
  }
}
