/**
 * What follows an order in other slots: its place in its agent's list, what its agent's feed tells,
 * its claim, for good or until it is dropped, and its commission. One consumer does it all: reading
 * an outbox costs more than most of what follows.
 */
import type { EarningsStore } from '../earnings/books.ts'
import { appendForAgent } from '../events/feed.ts'
import type { Ring } from '../events/ring.ts'
import type { Orders } from '../orders/orders.ts'
import { fadeOrderClaim, keepOrderClaim } from '../orders/place-order.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { reconcileCommission } from '../earnings/commission.ts'
import { orderSubject } from '../earnings/records.ts'
import { earnedByOrder } from '../earnings/commission.ts'
import type { Consumer } from './consumer.ts'

export const ORDER_EFFECTS = 'order-effects'
/** Of the others nothing follows for earnings. */
const TYPES = new Set(['paid', 'completed', 'closed', 'refunded'])

export function orderEffects(
  place: Omit<EarningsStore, 'mode'> & {
    readonly orders: Pick<Orders, 'endOpen'>
    readonly ring?: Ring
  },
): Consumer {
  const { durable, orders, ring } = place
  return {
    name: ORDER_EFFECTS,
    async handle(events) {
      const byAgent = new Map<string, OutboxEvent[]>()
      const claims: Promise<unknown>[] = []
      for (const event of events) {
        const { type, agent, orderNo, attempt, at, fadesAt } = event
        // Recorded stock is nobody's order.
        if (!agent || !orderNo) continue
        const held = byAgent.get(agent)
        if (held) held.push(event)
        else byAgent.set(agent, [event])
        if (attempt === undefined) continue
        if (type === 'created') claims.push(keepOrderClaim(durable, agent, attempt, at))
        if (fadesAt !== undefined) {
          claims.push(fadeOrderClaim(durable, agent, attempt, { id: orderNo, fadesAt }))
        }
      }
      const followers = new Set<string>()
      await Promise.all([
        ...claims, ...[...byAgent].map(async ([agent, own]) => {
          for (const id of await appendForAgent(durable, agent, own)) followers.add(id)
        }),
        ...[...byAgent].map(([agent, own]) => orders.endOpen(agent, own
          .filter(({ type }) => type === 'paid' || type === 'closed')
          .map(({ orderNo = '' }) => orderNo))),
        reconcileCommissions(place, events),
      ])
      // Their commissions are posted, too: one look finds everything.
      if (followers.size > 0) await ring?.([...followers])
    },
  }
}

export async function reconcileCommissions(
  place: Omit<EarningsStore, 'mode'>, events: readonly OutboxEvent[],
): Promise<void> {
  const orderNos = new Set(events.flatMap(({ type, orderNo }) =>
    (orderNo && TYPES.has(type) ? [orderNo] : [])))
  await Promise.all([...orderNos].map((orderNo) =>
    reconcileCommission(place, orderSubject(orderNo),
      () => earnedByOrder(place.durable.read, orderNo))))
}
