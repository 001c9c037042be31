/**
 * The stock of own products: the changes that an operator records, and the board, which is how
 * many of each are left as this node last saw it. True stock lives with the orders; the board
 * follows it and is only ever shown.
 */
import { isoTime } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import { channels, ledger as keys, partitionOf, PARTITIONS } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { Follower, OutboxEvent } from '../redis/streams.ts'

/** Units are those left, as far as the script says them. */
interface StockChange {
  readonly outcome: 'recorded' | 'repeated' | 'below_zero' | 'unknown' | 'other_delta'
  readonly units?: number
}

const goodsStock = defineScript('goods-stock',
  ['stock', 'supplied', 'deltas', 'outbox'],
  ['product_id', 'change', 'delta_id', 'doorbell', 'partition'],
  ([outcome, units]: [StockChange['outcome'], number?]): StockChange =>
    ({ outcome, ...(units !== undefined && { units }) }))

const DELTA_ID_PATTERN = /^[0-9A-Za-z_.:-]{1,64}$/
const CHANGE_MAX = 100_000_000

/** With an id, the same delta is recorded once, however often it is sent. */
export async function changeStock(
  ledger: RedisClient, productId: number, change: number, deltaId = '',
): Promise<StockChange> {
  if (!Number.isSafeInteger(change) || change === 0 || Math.abs(change) > CHANGE_MAX) {
    throw new RangeError('The change must be a whole number of units, such as +40 or -3.')
  }
  if (deltaId !== '' && !DELTA_ID_PATTERN.test(deltaId)) {
    throw new RangeError('The id of the change may have 64 letters, digits, and any of _ . : -')
  }
  const partition = partitionOf(productId)
  return await goodsStock.run(ledger, {
    stock: keys.stock(partition),
    supplied: keys.supplied(partition),
    deltas: keys.deltas(partition),
    outbox: keys.outbox(partition),
  }, {
    product_id: productId, change, delta_id: deltaId,
    doorbell: channels.doorbell(partition), partition,
  })
}

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
