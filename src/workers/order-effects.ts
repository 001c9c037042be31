/** What follows an order's creation in other slots: its agent's list, and its claim for good. */
import { claimKey } from '../orders/place.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Consumer } from './consumer.ts'

export const ORDER_EFFECTS = 'orders'

export function orderEffects(durable: Pick<Durable, 'send'>): Consumer {
  return {
    name: ORDER_EFFECTS,
    async handle(events) {
      await Promise.all(events.flatMap(({ type, at, agent, orderNo, attempt }) => {
        if (type !== 'created' || !agent || !orderNo || !attempt) return []
        return [
          durable.send('zadd', keys.agentOrders(agent), at, orderNo),
          durable.send('persist', claimKey(agent, attempt)),
        ]
      }))
    },
  }
}
