import { Type } from 'typebox'
import { CLOSED, defineOperation } from './define.ts'
import {
  Fen, IdempotencyKey, OneOf, Optional, OrderNo, Text, Time, UserRef,
} from './fields.ts'
import {
  AFTERSALE_PROPERTIES, AFTERSALE_TYPES, ORDER_NO_EXAMPLE, REASON_CLASSES,
} from './order-fields.ts'

const { aftersale_id, status, pickup_waybill_no, return_freight_payer, refund_amount } =
  AFTERSALE_PROPERTIES

export const requestAftersale = defineOperation({
  name: 'request_aftersale',
  title: 'Request a refund or return',
  description: 'File an after-sale request for an order of this key: refund_only (nothing is sent '
    + 'back) or return_refund. Ask first with preview:true, which files nothing and tells '
    + 'whether it is possible, the refund (fen) and who pays the return freight. Give the '
    + 'reason_class that fits; no_reason makes the user pay the freight. One open request an '
    + 'order. Afterwards poll get_order_status until refunded.',
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
    freight_amount: Optional(Fen()),
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
