/** What an agent may do next with an order: tools that exist, with their arguments, and when. */
import { isOpen, type AftersaleRecord } from './aftersale-record.ts'
import { returnParcelOf } from './aftersale-steps.ts'
import type { OrderFacts, OrderRefund } from './record.ts'
import { isFinal, type AftersaleStatus, type Status } from './states.ts'

export interface NextAction {
  tool: string
  arguments: Record<string, unknown>
  when: string
}

/** The service document advises 5 to 10 seconds: the first where a person waits for the change. */
const POLL_SOON_S = 5
const POLL_LATER_S = 10
const SOON: readonly Status[] = ['pending_payment', 'paid', 'merchant_accepted', 'refunding']

/** Undefined when nothing changes any more. */
export function pollAfterS(
  status: Status, aftersale?: AftersaleStatus, refund?: OrderRefund,
): number | undefined {
  const isReturning = refund !== undefined && refund.arrivedAt === undefined
  if (isFinal(status)) return isReturning ? POLL_LATER_S : undefined
  return SOON.includes(status) || aftersale === 'requested' ? POLL_SOON_S : POLL_LATER_S
}

type Facts = Pick<OrderFacts, 'orderNo' | 'status' | 'skuId'>

export function nextActions(order: Facts, aftersale?: AftersaleRecord): NextAction[] {
  const { orderNo: order_no, status, skuId: sku_id } = order
  const poll = (when: string): NextAction =>
    ({ tool: 'get_order_status', arguments: { order_no }, when })
  const aftersaleOf = (type: string, when: string): NextAction => ({
    tool: 'request_aftersale', arguments: { order_no, type, preview: true }, when,
  })
  if (aftersale && isOpen(aftersale)) {
    const hasParcel = returnParcelOf(aftersale) !== undefined
    return [
      poll('Every poll_after_s seconds, until the after-sale is refunded or rejected'),
      ...hasParcel ? [{
        tool: 'get_logistics', arguments: { order_no }, when: 'If your user asks for the return',
      }] : [],
    ]
  }
  switch (status) {
    case 'pending_payment':
      return [poll('Every poll_after_s seconds while your user pays at pay_url')]
    case 'paid':
    case 'merchant_accepted':
      return [poll('Every poll_after_s seconds, until it has shipped'),
        aftersaleOf('refund_only', 'If your user no longer wants it')]
    case 'shipped':
      return [
        { tool: 'get_logistics', arguments: { order_no }, when: 'If your user asks where it is' },
        poll('Every poll_after_s seconds, until it is delivered'),
        aftersaleOf('return_refund', 'If your user wants to send it back'),
      ]
    case 'delivered':
      return [aftersaleOf('return_refund', 'If something is wrong, before the order completes')]
    case 'refunding':
      return [poll('Every poll_after_s seconds, until the refund has arrived')]
    case 'closed':
      return [{
        tool: 'get_goods_detail', arguments: { sku_id },
        when: 'If your user still wants it: a new order needs a new idempotency_key',
      }]
    case 'completed':
    case 'refunded':
      return []
  }
}
