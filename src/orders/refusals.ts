import { Refusal } from '../contract/errors.ts'
import type { OrderRecord } from './record.ts'
import { MOVES, openOf, type Move, type MoveName } from './states.ts'

/** The agent's moves, by the operation that makes them. */
const OPERATIONS: Partial<Record<MoveName, string>> = {
  cancel: 'cancel_order',
  cancel_paid: 'cancel_order',
  request_refund: 'request_aftersale',
  request_aftersale: 'request_aftersale',
  withdraw: 'cancel_aftersale',
}

/** Which operations of its agent an order allows as it stands. */
function allowedOperations(
  { status, aftersales }: Pick<OrderRecord, 'status' | 'aftersales'>,
): string[] {
  const open = openOf(aftersales.at(-1)?.status)
  const names = (Object.entries(MOVES) as [MoveName, Move][])
    .filter(([, { from, aftersale }]) =>
      from.includes(status) && (!aftersale || aftersale.from.includes(open)))
    .map(([name]) => OPERATIONS[name])
  return [...new Set(names)].filter((name) => name !== undefined)
}

export const orderState = (order: OrderRecord, why?: string): Refusal =>
  new Refusal('order_state', {
    status: order.status, allowed: allowedOperations(order), ...(why !== undefined && { why }),
  })
