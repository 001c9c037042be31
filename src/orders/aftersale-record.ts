/**
 * An order's after-sales as the ledger keeps them, one hash with a few fields for each; and what a
 * request for another would bring: whether it is possible, the refund, who pays what.
 */
import {
  AFTERSALE_STATUSES, openOf, type AftersaleStatus, type AftersaleType, type MoveName,
} from './states.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { OrderRecord } from './record.ts'

/** What was asked and what was promised for it; never changed afterwards. */
export interface AftersaleGiven extends Terms {
  readonly type: AftersaleType
  readonly reason?: string
  readonly reason_class?: ReasonClass
  readonly pickup: boolean
  readonly fingerprint: string
}

export interface AftersaleRecord {
  readonly id: string
  readonly status: AftersaleStatus
  readonly given: AftersaleGiven
  readonly pickupWaybillNo?: string
  /** Where the goods go, as the merchant told when it approved the return. */
  readonly returnAddress?: string
  /** Of goods on their way back. */
  readonly returnWaybillNo?: string
  /** Why the merchant refused it. */
  readonly refusal?: string
  /** Milliseconds, Redis's clock, in order. */
  readonly timeline: readonly { readonly status: AftersaleStatus, readonly at: number }[]
}

/** How a move names the after-sale that it is about; one that begins says what was asked. */
export interface AftersaleSubject {
  readonly id: string
  readonly type: AftersaleType
  readonly hasPickup: boolean
  /** JSON that is kept with it. */
  readonly given?: string
  /** What goes back where it ends in a refund, in fen; everything without it. */
  readonly refundAmount?: number
}

/** The order names the latest: a new master's clock may be behind its predecessor's. */
export function aftersalesOf(
  fields: Record<string, string>, latest: string | undefined,
): AftersaleRecord[] {
  const timeOf = ({ id, timeline }: AftersaleRecord): number =>
    (id === latest ? Infinity : timeline[0]?.at ?? 0)
  return Object.keys(fields).filter((name) => name.endsWith('.given'))
    .map((name) => recordOf(name.slice(0, -'.given'.length), fields))
    .toSorted((a, b) => timeOf(a) - timeOf(b))
}

export const isOpenAftersale = ({ status }: AftersaleRecord): boolean => openOf(status) !== 'none'

export const aftersaleSubject = (
  { id, given }: Pick<AftersaleRecord, 'id' | 'given'>,
): AftersaleSubject =>
  ({ id, type: given.type, hasPickup: given.pickup, refundAmount: given.refund_amount })

function recordOf(id: string, fields: Record<string, string>): AftersaleRecord {
  const text = (name: string): string | undefined => fields[`${id}.${name}`]
  const pickupWaybillNo = text('pickup_waybill_no')
  const returnAddress = text('return_address')
  const returnWaybillNo = text('return_waybill_no')
  const refusal = text('reason')
  // The table's order is that of the way, so equal times stay in it.
  const timeline = AFTERSALE_STATUSES.flatMap((status) => {
    const at = text(`at.${status}`)
    return at === undefined ? [] : [{ status, at: Number(at) }]
  }).toSorted((a, b) => a.at - b.at)
  return {
    id,
    status: text('status') as AftersaleStatus,
    given: JSON.parse(text('given') ?? '{}') as AftersaleGiven,
    ...(pickupWaybillNo !== undefined && { pickupWaybillNo }),
    ...(returnAddress !== undefined && { returnAddress }),
    ...(returnWaybillNo !== undefined && { returnWaybillNo }),
    ...(refusal !== undefined && { refusal }),
    timeline,
  }
}

export const REASON_CLASSES = [
  'quality', 'not_as_described', 'no_reason', 'shipping_issue',
] as const
export type ReasonClass = (typeof REASON_CLASSES)[number]

interface AftersaleRequest {
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

export interface AftersaleDecision {
  readonly terms: Terms
  /** The row of the state table that it would make. */
  readonly move?: Extract<MoveName, 'request_refund' | 'request_aftersale'>
  readonly refusal?: { readonly error: ErrorName, readonly why: string }
}

/** `returnFreight`: what a door pickup costs its payer, in fen. */
export function decideAftersale(
  order: OrderRecord, request: AftersaleRequest, returnFreight: number,
): AftersaleDecision {
  const { status, amount, freight } = order
  const { reason_class: reason } = request
  const payer = reason === undefined || reason === 'no_reason' ? 'user' : 'us'
  const isSent = status === 'shipped' || status === 'delivered'
  const terms: Terms = {
    // Who changed their mind after shipping has had the freight of the way there.
    refund_amount: isSent && payer === 'user' ? amount - freight : amount,
    return_freight_payer: payer,
    ...(isSent && payer === 'user' && request.type === 'return_refund' && request.pickup !== false
      && { freight_amount: returnFreight }),
  }
  const refused = (error: ErrorName, why: string): AftersaleDecision =>
    ({ terms: { ...terms, refund_amount: 0 }, refusal: { error, why } })

  if (order.aftersales.some(isOpenAftersale)) {
    return refused('aftersale_refused', 'This order has an open after-sale already.')
  }
  if (status === 'paid' || status === 'merchant_accepted') {
    return request.type === 'refund_only' ? { terms, move: 'request_refund' }
      : refused('aftersale_refused',
        'Nothing has shipped, so nothing can be sent back: ask for refund_only.')
  }
  if (!isSent) return refused('order_state', WHY_NOT[status])
  if (request.type === 'refund_only' && payer === 'user') {
    return refused('aftersale_refused', 'To keep the goods and be refunded it needs a reason_class '
      + 'of quality, not_as_described or shipping_issue; else ask for return_refund.')
  }
  return { terms, move: 'request_aftersale' }
}

const WHY_NOT = {
  pending_payment: 'It is not paid: it closes by itself when the time to pay is over; over REST '
    + 'cancel_order closes it at once.',
  completed: 'The time for after-sales ended when the order was completed.',
  closed: 'The order is closed.',
  refunding: 'A refund is under way.',
  refunded: 'The order is refunded.',
} as const
