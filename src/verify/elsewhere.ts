/** What an order left in other slots: its claim and its place in its agent's list. */
import { claimKey } from '../orders/place.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany, type KeyCommand } from '../redis/slots.ts'
import { isPast, type PartitionView } from './partition.ts'
import type { StoredOrder } from './read-order.ts'
import type { Violation } from './report.ts'

export const ELSEWHERE_INVARIANTS = {
  claim: 'The claim on an order\'s key is there and names this order: one order an attempt.',
  claim_kept: 'The claim is kept as long as the order once the worker has passed the order.',
  listed: 'An order is in its agent\'s list, by its time, once the worker has passed it.',
} as const

/** `view` was read before the orders: what it says was done is done. */
export async function elsewhereViolations(
  ledger: RedisClient, orders: readonly StoredOrder[], view: PartitionView,
): Promise<Violation[]> {
  const replies = await runMany(ledger, orders.flatMap(({ orderNo, agent, attempt }) => {
    const claim = claimKey(agent, attempt)
    return [
      ['get', claim], ['ttl', claim], ['zscore', keys.agentOrders(agent), orderNo],
    ] satisfies KeyCommand[]
  }))
  const aside = new Set(view.aside.map(({ event }) => event.orderNo))
  return orders.flatMap((order, index) => {
    const [claim, ttl, score] = replies.slice(index * 3, index * 3 + 3)
    const { orderNo: subject, fingerprint } = order
    const found: Violation[] = []
    const bad = (invariant: keyof typeof ELSEWHERE_INVARIANTS, detail: string): void => {
      found.push({ invariant, subject, detail })
    }
    if (claim === null) bad('claim', 'is missing')
    else if (!isBoundTo(String(claim), fingerprint, subject)) {
      bad('claim', 'names another order or request')
    }
    if (!isPast(view, order.createdAt) || aside.has(subject)) return found
    if (claim !== null && !order.isFading && ttl !== -1) {
      bad('claim_kept', `ends in ${String(ttl)} s`)
    }
    if (score === null) bad('listed', 'is not in the list')
    else if (Number(score) !== order.createdAt) bad('listed', 'has another time in the list')
    return found
  })
}

/** A third word says when the claim ends. */
const isBoundTo = (claim: string, fingerprint: string, orderNo: string): boolean =>
  claim === `${fingerprint} ${orderNo}` || claim.startsWith(`${fingerprint} ${orderNo} `)
