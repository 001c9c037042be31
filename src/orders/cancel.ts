/** What an agent takes back: an order before it ships, an after-sale before it is under way. */
import { Refusal } from '../contract/errors.ts'
import { isOpen, subjectOf, type AftersaleRecord } from './aftersale-record.ts'
import type { MakeMove, MoveResult } from './moves.ts'
import type { OrderRecord } from './record.ts'
import { orderState } from './refusals.ts'
import type { MoveName } from './states.ts'

export interface CancelOptions {
  readonly move: MakeMove
  /** The agent's own order; refuses with not_found. */
  own(agent: string, orderNo: string): Promise<OrderRecord>
}

export function createCancel({ move, own }: CancelOptions) {
  /** Refuses with order_state; an order that was cancelled before is returned as it is. */
  async function order(agent: string, orderNo: string, reason?: string): Promise<OrderRecord> {
    const before = await own(agent, orderNo)
    // One mark for both rows: a cancelled order stays cancelled, whichever row did it.
    const first: MoveName = before.status === 'pending_payment' ? 'cancel' : 'cancel_paid'
    const options = { mark: 'cancel', ...(reason !== undefined && { detail: { reason } }) }
    let result = await move(first, orderNo, options)
    // It may have been paid in between.
    if (result.code === 'state' && first === 'cancel') {
      result = await move('cancel_paid', orderNo, options)
    }
    return await outcome(agent, orderNo, result)
  }

  /** Takes back the open after-sale while nothing is on its way. */
  async function aftersale(
    agent: string, orderNo: string,
  ): Promise<{ order: OrderRecord, record: AftersaleRecord }> {
    const before = (await own(agent, orderNo)).aftersales
    const record = before.findLast(isOpen)
      ?? before.findLast(({ status }) => status === 'cancelled')
    if (!record) {
      throw new Refusal('aftersale_refused', { why: 'This order has no open after-sale.' })
    }
    const { id } = record
    const result = await move('withdraw', orderNo, { aftersale: subjectOf(record) })
    if (result.code === 'aftersale') {
      throw new Refusal('aftersale_refused', {
        why: 'It is too far under way to be taken back.', aftersale_id: id,
      })
    }
    const order = await outcome(agent, orderNo, result)
    return { order, record: order.aftersales.find((one) => one.id === id) ?? record }
  }

  async function outcome(
    agent: string, orderNo: string, { code }: MoveResult,
  ): Promise<OrderRecord> {
    const now = await own(agent, orderNo)
    if (code !== 'moved' && code !== 'done') throw orderState(now)
    return now
  }

  return { order, aftersale }
}
