/** Where orders stand, for their commissions: own orders, and lines of platforms' orders. */
import type { OrderLine } from '../../adapters/index.ts'
import { readOrder, timeOf, type OrderRecord } from '../orders/record.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Earned } from './commission.ts'

/** A refund under way may still be of no effect: what is refunded says so. */
export function earnedOf(order: OrderRecord): Earned {
  const { agent, status, amount, given: { account } } = order
  const paidAt = timeOf(order, 'paid')
  if (paidAt === undefined) return { account, agent, amount, state: 'none' }
  const confirmedAt = timeOf(order, 'completed')
  if (confirmedAt !== undefined && status === 'completed') {
    return { account, agent, amount, state: 'confirmed', paidAt, confirmedAt }
  }
  const isOver = status === 'refunded' || status === 'closed'
  return { account, agent, amount, state: isOver ? 'reversed' : 'pending', paidAt }
}

export async function earnedByOrder(
  ledger: RedisClient, orderNo: string,
): Promise<Earned | undefined> {
  const order = await readOrder(ledger, orderNo)
  return order && earnedOf(order)
}

/** What a platform says of a line, in our words; of the others nothing follows. */
const LINE_STATES = {
  paid: 'pending', received: 'confirmed', settled: 'confirmed', invalid: 'reversed',
} as const satisfies Partial<Record<OrderLine['status'], Earned['state']>>

/** Undefined where nobody earns by it: no mark, or an agent that is gone. */
export async function earnedByLine(
  ledger: RedisClient, source: string, line: string,
): Promise<Earned | undefined> {
  const [agent, data] = await ledger.hmget(keys.mallOrder(source, line), 'agent', 'data')
  if (!agent || !data) return undefined
  const { status, amount, sub_id: mark, updated_at: version, paid_at, ordered_at } =
    JSON.parse(data) as OrderLine
  // The mark's own account first: a trial's, of which the merge carries the rate along.
  const account = (mark === null ? null : await ledger.hget(keys.subId(source, mark), 'account'))
    ?? await ledger.hget(keys.agent(agent), 'account')
  const state = LINE_STATES[status as keyof typeof LINE_STATES]
  if (!account || !state) return undefined
  const paidAt = paid_at ?? ordered_at ?? version
  return { account, agent, amount, state, version, paidAt, confirmedAt: version }
}
