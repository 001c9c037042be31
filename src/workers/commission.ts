/** Brings the commission of each order that something happened to where the order is. */
import { bring } from '../earnings/commission.ts'
import { orderSubject } from '../earnings/records.ts'
import { earnedByOrder } from '../earnings/sources.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import type { Consumer } from './consumer.ts'

export const COMMISSION = 'commission'

/** Of the others nothing follows for earnings. */
const TYPES = new Set(['paid', 'completed', 'closed', 'refunded'])

export function commissions(durable: Pick<Durable, 'run'>, ledger: RedisClient): Consumer {
  return {
    name: COMMISSION,
    async handle(events) {
      const orderNos = new Set(events.flatMap(({ type, orderNo }) =>
        (orderNo && TYPES.has(type) ? [orderNo] : [])))
      await Promise.all([...orderNos].map((orderNo) =>
        bring({ ledger, durable }, orderSubject(orderNo), () => earnedByOrder(ledger, orderNo))))
    },
  }
}
