/** Brings the commission of each order that something happened to where the order is. */
import type { Place } from '../earnings/books.ts'
import { bring } from '../earnings/commission.ts'
import { orderSubject } from '../earnings/records.ts'
import { earnedByOrder } from '../earnings/sources.ts'
import type { OutboxEvent } from '../redis/streams.ts'

/** Of the others nothing follows for earnings. */
const TYPES = new Set(['paid', 'completed', 'closed', 'refunded'])

export async function bringCommissions(
  place: Omit<Place, 'mode'>, events: readonly OutboxEvent[],
): Promise<void> {
  const orderNos = new Set(events.flatMap(({ type, orderNo }) =>
    (orderNo && TYPES.has(type) ? [orderNo] : [])))
  await Promise.all([...orderNos].map((orderNo) =>
    bring(place, orderSubject(orderNo), () => earnedByOrder(place.durable.read, orderNo))))
}
