/** Where orders stand, for their commissions: own orders, and lines of platforms' orders. */
import type { OrderLine } from '../../adapters/index.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { modeOf } from '../contract/money.ts'
import { timeOf, type Given, type OrderEvent, type OrderRecord } from '../orders/record.ts'
import type { Status } from '../orders/states.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Read } from '../redis/slots.ts'
import type { Earned } from './commission.ts'

/** A refund under way may still be of no effect: what is refunded says so. */
export function earnedOf(
  order: Pick<OrderRecord, 'agent' | 'mode' | 'status' | 'amount' | 'given' | 'events'>,
): Earned {
  const { agent, status, mode, amount, given: { account } } = order
  const of = { account, agent, mode, amount }
  const paidAt = timeOf(order, 'paid')
  if (paidAt === undefined) return { ...of, state: 'none' }
  const confirmedAt = timeOf(order, 'completed')
  if (confirmedAt !== undefined && status === 'completed') {
    return { ...of, state: 'confirmed', paidAt, confirmedAt }
  }
  const isOver = status === 'refunded' || status === 'closed'
  return { ...of, state: isOver ? 'reversed' : 'pending', paidAt }
}

const ORDER_FIELDS = ['status', 'agent', 'mode', 'amount', 'given'] as const

/** Undefined where there is no such order. */
export async function earnedByOrder(read: Read, orderNo: string): Promise<Earned | undefined> {
  const partition = partitionOfOrder(orderNo)
  if (partition === undefined) return undefined
  const [found, lines] = await Promise.all([
    read('hmget', keys.order(partition, orderNo), ...ORDER_FIELDS),
    read('lrange', keys.events(partition, orderNo), 0, -1),
  ])
  const [status, agent, mode, amount, given] = found as (string | null)[]
  if (!status || !agent || !given) return undefined
  return earnedOf({
    agent, mode: modeOf(mode), status: status as Status, amount: Number(amount),
    given: JSON.parse(given) as Given,
    events: (lines as string[]).map((line) => JSON.parse(line) as OrderEvent),
  })
}

/** What a platform says of a line, in our words; of the others nothing follows. */
const LINE_STATES = {
  paid: 'pending', received: 'confirmed', settled: 'confirmed', invalid: 'reversed',
} as const satisfies Partial<Record<OrderLine['status'], Earned['state']>>

/** Undefined where nobody earns by it: no mark, or an agent that is gone. */
export async function earnedByLine(
  read: Read, source: string, line: string,
): Promise<Earned | undefined> {
  const [agent, data, mode] =
    await read('hmget', keys.mallOrder(source, line), 'agent', 'data', 'mode') as
      (string | null)[]
  if (!agent || !data) return undefined
  const { status, amount, sub_id: mark, updated_at: version, paid_at, ordered_at } =
    JSON.parse(data) as OrderLine
  // The mark's own account first: a trial's, of which the merge carries the rate along.
  const account = (mark === null ? null : await read('hget', keys.subId(source, mark), 'account'))
    ?? await read('hget', keys.agent(agent), 'account')
  const state = LINE_STATES[status as keyof typeof LINE_STATES]
  if (typeof account !== 'string' || !state) return undefined
  const paidAt = paid_at ?? ordered_at ?? version
  return {
    account, agent, mode: modeOf(mode), amount, state, version, paidAt, confirmedAt: version,
  }
}
