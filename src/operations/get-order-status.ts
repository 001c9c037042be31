import { Type } from 'typebox'
import { CLOSED, defineOperation } from './define.ts'
import { Optional, OrderNo, Text, Time } from './fields.ts'
import {
  MaskedReceiver, ORDER_NO_EXAMPLE, ORDER_PROPERTIES, TimelineEvent,
} from './order-fields.ts'

export const getOrderStatus = defineOperation({
  name: 'get_order_status',
  title: 'Read an order',
  description: 'Status, amounts (fen) and timeline of an order that this key placed. Poll it every '
    + 'poll_after_s seconds (5 to 10) and tell your user about changes: paid, shipped, '
    + 'delivered, refunded. Without poll_after_s the order is final: stop. For the parcel\'s way '
    + 'use get_logistics once the status is shipped.',
  access: 'key',
  effect: 'read',
  route: 'GET /orders/:order_no',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: Type.Object({
    ...ORDER_PROPERTIES,
    created_at: Time,
    receiver_masked: MaskedReceiver,
    user_ref: Optional(Text(64)),
    events: Type.Array(TimelineEvent, { description: 'Oldest first' }),
  }, CLOSED),
  fails: ['not_found'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller, services }) {
    return await services.orders.read(caller.agent, order_no)
  },
})
