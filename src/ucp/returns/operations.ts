/** Returns of an order's lines, by the same rules as request_aftersale. */
import type { AgentCaller } from '../../contract/caller.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Call } from '../../contract/operation.ts'
import type { AftersaleItem } from '../../orders/view.ts'
import type { Services } from '../../services.ts'
import { RETURNS } from '../capabilities.ts'
import { money } from '../catalog/product.ts'
import { defineUcp, idempotencyKeyOf } from '../operation.ts'
import { type OrderPart, readUcpOrder } from '../order.ts'
import {
  CancelReturnInput, PreviewOutput, RequestedOutput, ReturnInput, type ReturnItem, ReturnsOutput,
} from './fields.ts'

type KeyCall = Call<AgentCaller, Services>

const SHARED = { capability: RETURNS, access: 'key' } as const
const SESSION = { meta: { 'ucp-agent': { profile: 'https://platform.example/profile' } } }
const EXAMPLE = {
  ...SESSION, id: 'CO00000000EXAMP000',
  return: { line_item_id: 'li_1', type: 'return', reason_code: 'quality' },
}

async function partOf(
  { caller: { agent }, services }: KeyCall, orderId: string, lineId: string,
): Promise<OrderPart> {
  const { parts } = await readUcpOrder(services, agent, orderId)
  const part = parts.find(({ line }) => line.id === lineId)
  if (part) return part
  throw new Refusal('not_found', {
    reason: 'line_item_not_found', hint: `The order has no line item ${lineId}.`,
  })
}

const requestOf = (
  { order: { order_no, user_ref } }: OrderPart,
  { type, reason, reason_code, pickup = true }: ReturnInput,
) => ({
  order_no, pickup,
  type: type === 'return' ? 'return_refund' as const : 'refund_only' as const,
  ...(reason !== undefined && { reason }),
  ...(reason_code !== undefined && { reason_class: reason_code }),
  ...(user_ref !== undefined && { user_ref }),
})

type Terms = Pick<AftersaleItem, 'refund_amount' | 'return_freight_payer' | 'freight_amount'>

const termsOf = ({ refund_amount, return_freight_payer, freight_amount }: Terms) => ({
  refund: money(refund_amount),
  return_shipping: {
    paid_by: return_freight_payer === 'us' ? 'business' as const : 'buyer' as const,
    ...(freight_amount !== undefined && { amount: freight_amount }),
  },
})

const windowOf = (
  { quota_left: left, quota_resets_at: end }: { quota_left?: number, quota_resets_at?: string },
) => ({
  ...(left !== undefined && { requests_left: left }),
  ...(end !== undefined && { window_ends_at: end }),
})

const statusOf = (status: AftersaleItem['status']): ReturnItem['status'] =>
  (status === 'cancelled' ? 'canceled' : status)

function returnItem({ line }: OrderPart, one: AftersaleItem): ReturnItem {
  return {
    id: one.aftersale_id, line_item_id: line.id, quantity: line.qty,
    type: one.type === 'return_refund' ? 'return' : 'refund',
    status: statusOf(one.status),
    ...(one.reason !== undefined && { reason: one.reason }),
    ...(one.reason_class !== undefined && { reason_code: one.reason_class }),
    ...termsOf(one),
    ...(one.pickup_waybill_no !== null && { tracking_number: one.pickup_waybill_no }),
    ...(one.return_address !== undefined && { return_address: one.return_address }),
    next_step: one.next_step,
    ...(one.refund_expected_at !== undefined && { refund_expected_at: one.refund_expected_at }),
    ...(one.why !== undefined && { rejection: one.why }),
    created_at: one.created_at,
    events: one.events.map(({ status, at }) => ({ status: statusOf(status), occurred_at: at })),
  }
}

/** The return as it is now, after what was done with it. */
async function returned(call: KeyCall, part: OrderPart, id: string | undefined) {
  const { caller: { agent }, services: { orders } } = call
  const found = await orders.aftersales(agent, part.order.order_no)
  const one = found.find(({ aftersale_id }) => aftersale_id === id)
  if (!one) throw new Refusal('unavailable')
  return returnItem(part, one)
}

export const previewReturn = defineUcp({
  ...SHARED,
  name: 'preview_return',
  title: 'Look at what a return would bring',
  description: 'Files nothing: says whether a line can be returned or refunded, how much comes '
    + 'back, and who pays for the way. Show it before you request the return.',
  effect: 'read',
  route: 'POST /orders/:id/returns/preview',
  payload: { name: 'return', schema: ReturnInput },
  output: PreviewOutput,
  fails: ['not_found'],
  example: EXAMPLE,

  async handle({ id, payload }, call) {
    const part = await partOf(call, id, payload.line_item_id)
    const found = await call.services.orders.requestAftersale(
      { ...requestOf(part, payload), preview: true }, call.caller)
    return {
      order_id: id, line_item_id: part.line.id, eligible: found.eligible === true,
      ...(found.why !== undefined && { why: found.why }),
      ...termsOf(found), ...windowOf(found),
    }
  },
})

export const requestReturn = defineUcp({
  ...SHARED,
  name: 'request_return',
  title: 'Request a return or refund',
  description: 'Returns or refunds one line of a paid order, whole. Call preview_return before, '
    + 'and this when your user has agreed. next_step says what the user does.',
  effect: 'create',
  route: 'POST /orders/:id/returns',
  status: 201,
  payload: { name: 'return', schema: ReturnInput },
  output: RequestedOutput,
  fails: [
    'not_found', 'order_state', 'aftersale_refused', 'aftersale_quota', 'idempotency_mismatch',
  ],
  example: EXAMPLE,

  async handle(given, call) {
    const { id, payload } = given
    const key = idempotencyKeyOf(given)
    const part = await partOf(call, id, payload.line_item_id)
    const found = await call.services.orders.requestAftersale({
      ...requestOf(part, payload), ...(key !== undefined && { idempotency_key: key }),
    }, call.caller)
    return {
      order_id: id, return: await returned(call, part, found.aftersale_id), ...windowOf(found),
    }
  },
})

export const listReturns = defineUcp({
  ...SHARED,
  name: 'list_returns',
  title: 'List the returns of an order',
  description: 'Every return and refund that was requested for lines of an order, with its status '
    + 'and what the buyer does next.',
  effect: 'read',
  route: 'GET /orders/:id/returns',
  output: ReturnsOutput,
  fails: ['not_found'],
  example: { ...SESSION, id: EXAMPLE.id },

  async handle({ id }, { caller: { agent }, services }) {
    const { parts } = await readUcpOrder(services, agent, id)
    return {
      order_id: id,
      returns: parts.flatMap((part) => part.order.aftersales.map((one) => returnItem(part, one)))
        .toSorted((one, other) => one.created_at.localeCompare(other.created_at)),
    }
  },
})

export const cancelReturn = defineUcp({
  ...SHARED,
  name: 'cancel_return',
  title: 'Take back a return request',
  description: 'Takes back the open return of a line, as long as nothing was collected and no '
    + 'refund is under way.',
  effect: 'update',
  route: 'POST /orders/:id/returns/cancel',
  payload: { name: 'return', schema: CancelReturnInput },
  output: RequestedOutput,
  fails: ['not_found', 'order_state', 'aftersale_refused'],
  example: { ...SESSION, id: EXAMPLE.id, return: { line_item_id: 'li_1' } },

  async handle({ id, payload }, call) {
    const part = await partOf(call, id, payload.line_item_id)
    const { agent } = call.caller
    const found = await call.services.orders.cancelAftersale(agent, part.order.order_no)
    return { order_id: id, return: await returned(call, part, found.aftersale_id) }
  },
})

export const returnOperations = [previewReturn, requestReturn, listReturns, cancelReturn]
