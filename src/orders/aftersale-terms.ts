/** What an after-sale request would bring: whether it is possible, the refund, who pays what. */
import type { ErrorName } from '../contract/errors.ts'
import { isOpen } from './aftersale-record.ts'
import type { OrderRecord } from './record.ts'
import type { AftersaleType, MoveName } from './states.ts'

export const REASON_CLASSES = [
  'quality', 'not_as_described', 'no_reason', 'shipping_issue',
] as const
export type ReasonClass = (typeof REASON_CLASSES)[number]

export interface AftersaleWish {
  readonly type: AftersaleType
  /** No reason where it is absent. */
  readonly reason_class?: ReasonClass
  readonly pickup?: boolean
}

export interface Terms {
  /** Fen. */
  readonly refund_amount: number
  readonly return_freight_payer: 'us' | 'user'
  /** What the user pays to send it back, in fen; absent where nothing, or nobody knows. */
  readonly freight_amount?: number
}

export interface Decision {
  readonly terms: Terms
  /** The row of the state table that it would make. */
  readonly move?: Extract<MoveName, 'request_refund' | 'request_aftersale'>
  readonly refusal?: { readonly error: ErrorName, readonly why: string }
}

/** `returnFreight`: what a door pickup costs its payer, in fen. */
export function decide(
  order: OrderRecord, wish: AftersaleWish, returnFreight: number,
): Decision {
  const { status, amount, freight } = order
  const payer = wish.reason_class === undefined || wish.reason_class === 'no_reason' ? 'user' : 'us'
  const isSent = status === 'shipped' || status === 'delivered'
  const terms: Terms = {
    // Who changed their mind after shipping has had the freight of the way there.
    refund_amount: isSent && payer === 'user' ? amount - freight : amount,
    return_freight_payer: payer,
    ...(isSent && payer === 'user' && wish.type === 'return_refund' && wish.pickup !== false
      && { freight_amount: returnFreight }),
  }
  const refused = (error: ErrorName, why: string): Decision =>
    ({ terms: { ...terms, refund_amount: 0 }, refusal: { error, why } })

  if (order.aftersales.some(isOpen)) {
    return refused('aftersale_refused', 'This order has an open after-sale already.')
  }
  if (status === 'paid' || status === 'merchant_accepted') {
    return wish.type === 'refund_only' ? { terms, move: 'request_refund' }
      : refused('aftersale_refused',
        'Nothing has shipped, so nothing can be sent back: ask for refund_only.')
  }
  if (!isSent) return refused('order_state', WHY_NOT[status])
  if (wish.type === 'refund_only' && payer === 'user') {
    return refused('aftersale_refused', 'To keep the goods and be refunded it needs a reason_class '
      + 'of quality, not_as_described or shipping_issue; else ask for return_refund.')
  }
  return { terms, move: 'request_aftersale' }
}

const WHY_NOT = {
  pending_payment: 'It is not paid: cancel it, or let the time to pay pass.',
  completed: 'The time for after-sales ended when the order was completed.',
  closed: 'The order is closed.',
  refunding: 'A refund is under way.',
  refunded: 'The order is refunded.',
} as const
