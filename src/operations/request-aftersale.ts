import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import {
  CLOSED, IdempotencyKey, OneOf, Optional, ORDER_NO_EXAMPLE, OrderNo, Text, UserRef,
} from '../contract/fields.ts'
import { REQUESTED_PROPERTIES } from './order-fields.ts'
import { REASON_CLASSES } from '../orders/aftersale-record.ts'
import { AFTERSALE_TYPES } from '../orders/states.ts'

export const requestAftersale = defineOperation({
  name: 'request_aftersale',
  title: 'Request a refund or return',
  description: 'Returns or refunds an order of this key. Call it with preview:true first: that '
    + 'files nothing and tells whether it is possible, the refund (fen) and who pays the return '
    + 'freight. next_step says what the user does; get_order_status follows it.',
  access: 'key',
  effect: 'create',
  route: 'POST /orders/:order_no/aftersales',
  input: Type.Object({
    order_no: OrderNo,
    type: OneOf(AFTERSALE_TYPES, 'refund_only: nothing goes back'),
    reason: Optional(Text(500, 'What the user said')),
    reason_class: Optional(OneOf(REASON_CLASSES, 'What fits')),
    pickup: Optional(Type.Boolean({ default: true, description: 'Book a door pickup' })),
    user_ref: Optional(UserRef),
    preview: Optional(Type.Boolean({ description: 'Only say what would happen' })),
    idempotency_key: Optional(IdempotencyKey),
  }, CLOSED),
  output: Type.Object(REQUESTED_PROPERTIES, CLOSED),
  fails: [
    'not_found', 'order_state', 'aftersale_refused', 'aftersale_quota', 'idempotency_mismatch',
  ],
  example: {
    order_no: ORDER_NO_EXAMPLE,
    type: 'return_refund',
    reason: '充电时有杂音',
    reason_class: 'quality',
    preview: true,
  },
  async handle(input, { caller, services }) {
    return await services.orders.requestAftersale(input, caller)
  },
})
