/** Changes of stock that the operator records, after the first import. */
import type { RedisClient } from '../redis/connect.ts'
import { channels, ledger as keys, partitionOf } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

/** Units are those left, as far as the script says them. */
export interface StockChange {
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
