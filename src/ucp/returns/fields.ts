/**
 * The capability of returns as its schemas say it: operations validate by them, and the document
 * that is published is made of them.
 */
import { type Static, Type } from 'typebox'
import { OneOf, Optional } from '../../contract/fields.ts'
import { REASON_CLASSES } from '../../orders/aftersale-record.ts'

export const RETURN_KINDS = ['return', 'refund'] as const
export const RETURN_STATUSES = [
  'requested', 'approved', 'pickup_booked', 'returning', 'received', 'refunded', 'rejected',
  'canceled',
] as const

const LineItemId = Type.String({
  minLength: 1, maxLength: 64, description: 'A line item of the order, whole',
})
const Time = Type.String({ format: 'date-time' })
const Money = Type.Object({
  amount: Type.Integer({ minimum: 0, description: 'In minor units' }),
  currency: Type.String({ description: 'ISO 4217' }),
})

export const ReturnInput = Type.Object({
  line_item_id: LineItemId,
  type: OneOf(RETURN_KINDS, 'return: the goods go back; refund: they stay, or were never shipped'),
  reason: Optional(Type.String({ maxLength: 500, description: 'What the buyer said' })),
  reason_code: Optional(OneOf(REASON_CLASSES, 'What fits; no_reason without it')),
  pickup: Optional(Type.Boolean({ default: true, description: 'A courier comes for the goods' })),
})
export type ReturnInput = Static<typeof ReturnInput>

export const CancelReturnInput = Type.Object({ line_item_id: LineItemId })

/** What a return brings, whether it is asked for or only looked at. */
const TERMS = {
  refund: Money,
  return_shipping: Type.Object({
    paid_by: OneOf(['business', 'buyer'] as const),
    amount: Optional(Type.Integer({ minimum: 0, description: 'In minor units; absent: nothing' })),
  }),
} as const

const WINDOW = {
  requests_left: Optional(Type.Integer({
    minimum: 0, description: 'That the buyer may still file in this window',
  })),
  window_ends_at: Optional(Time),
} as const

export const ReturnItem = Type.Object({
  id: Type.String(),
  line_item_id: LineItemId,
  quantity: Type.Integer({ minimum: 1 }),
  type: OneOf(RETURN_KINDS),
  status: OneOf(RETURN_STATUSES),
  reason: Optional(Type.String()),
  reason_code: Optional(OneOf(REASON_CLASSES)),
  ...TERMS,
  tracking_number: Optional(Type.String({ description: 'Of the booked pickup' })),
  return_address: Optional(Type.String({ description: 'Where the goods go, once approved' })),
  next_step: Type.String({ description: 'What the buyer does next' }),
  refund_expected_at: Optional(Time),
  rejection: Optional(Type.String({ description: 'Why it was rejected' })),
  created_at: Time,
  events: Type.Array(Type.Object({ status: OneOf(RETURN_STATUSES), occurred_at: Time }), {
    description: 'Oldest first',
  }),
})
export type ReturnItem = Static<typeof ReturnItem>

const UCP = { ucp: Type.Unknown() } as const
const ORDER_ID = { order_id: Type.String() } as const

export const ReturnsOutput = Type.Object({
  ...UCP, ...ORDER_ID,
  returns: Type.Array(ReturnItem, { description: 'Of all lines, oldest first' }),
})

export const RequestedOutput = Type.Object({
  ...UCP, ...ORDER_ID, return: ReturnItem, ...WINDOW,
})

export const PreviewOutput = Type.Object({
  ...UCP, ...ORDER_ID, line_item_id: LineItemId,
  eligible: Type.Boolean(),
  why: Optional(Type.String({ description: 'Why it is not' })),
  ...TERMS, ...WINDOW,
})
