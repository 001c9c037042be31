import { Type } from 'typebox'
import { CLOSED, defineOperation } from './define.ts'
import {
  Fen, IdempotencyKey, OneOf, Optional, ORDER_NO_EXAMPLE, OrderNo, Text, Time, UserRef,
} from './fields.ts'
import { AFTERSALE_PROPERTIES, AFTERSALE_TYPES, REASON_CLASSES } from './order-fields.ts'

const { aftersale_id, status, pickup_waybill_no, return_freight_payer, refund_amount } =
  AFTERSALE_PROPERTIES

export const requestAftersale = defineOperation({
  name: 'request_aftersale',
  title: 'Request a refund or return',
  description: 'Returns or refunds an order of this key: return_refund, or refund_only when '
    + 'nothing is sent back. Call it with preview:true first: that files nothing and tells '
    + 'whether it is possible, the refund (fen) and who pays the return freight. Choose the '
    + 'reason_class that fits; with no_reason the user pays the freight. One open request an '
    + 'order. Not for reading how an order stands: use get_order_status, also to see the refund '
    + 'arrive.',
  access: 'key',
  effect: 'create',
  route: 'POST /orders/:order_no/aftersales',
  input: Type.Object({
    order_no: OrderNo,
    type: OneOf(AFTERSALE_TYPES),
    reason: Optional(Text(500, 'What the user said')),
    reason_class: Optional(OneOf(REASON_CLASSES)),
    pickup: Optional(Type.Boolean({ default: true, description: 'Book a door pickup' })),
    user_ref: Optional(UserRef),
    preview: Optional(Type.Boolean({ description: 'Only say what would happen' })),
    idempotency_key: Optional(IdempotencyKey),
  }, CLOSED),
  output: Type.Object({
    aftersale_id: Optional(aftersale_id),
    status: Optional(status),
    pickup_waybill_no,
    return_freight_payer,
    refund_amount,
    eligible: Optional(Type.Boolean({ description: 'With preview' })),
    why: Optional(Text(200)),
    quota_left: Optional(Type.Integer({ minimum: 0 })),
    quota_resets_at: Optional(Time),
    freight_amount: Optional(Fen('What the user pays to send it back, in fen')),
    duplicate: Optional(Type.Boolean()),
  }, CLOSED),
  fails: [
    'not_found', 'order_state', 'aftersale_refused', 'aftersale_quota', 'idempotency_mismatch',
  ],
  example: {
    order_no: ORDER_NO_EXAMPLE,
    type: 'return_refund',
    reason: '屏幕有坏点',
    reason_class: 'quality',
    preview: true,
  },
})
