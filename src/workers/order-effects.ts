/** What follows an order's creation in other slots: its agent's list, and its claim for good. */
import { keepOrderClaim } from '../orders/place.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { Consumer } from './consumer.ts'

export const ORDER_EFFECTS = 'orders'

const orderList = defineScript('order-list', ['list'], ['order_no', 'at'], () => undefined)

export function orderEffects(durable: Pick<Durable, 'run'>): Consumer {
  return {
    name: ORDER_EFFECTS,
    async handle(events) {
      await Promise.all(events.flatMap(({ type, at, agent, orderNo, attempt }) => {
        if (type !== 'created' || !agent || !orderNo || !attempt) return []
        return [
          durable.run(orderList, { list: keys.agentOrders(agent) }, { order_no: orderNo, at }),
          keepOrderClaim(durable, agent, attempt),
        ]
      }))
    },
  }
}
