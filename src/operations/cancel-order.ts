import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import { CLOSED, Optional, ORDER_NO_EXAMPLE, OrderNo, Text } from '../contract/fields.ts'
import { ORDER_DETAIL_PROPERTIES } from './order-fields.ts'

export const cancelOrder = defineOperation({
  name: 'cancel_order',
  title: 'Cancel an order',
  description: 'Cancels an order of this key before it ships: what was paid is given back '
    + '(amounts in fen) and the units return to the stock. Once it has shipped use '
    + 'request_aftersale. Repeating the call is harmless.',
  access: 'key',
  effect: 'update',
  tool: false,
  route: 'POST /orders/:order_no/cancel',
  input: Type.Object({
    order_no: OrderNo,
    reason: Optional(Text(200, 'What the user said')),
  }, CLOSED),
  output: Type.Object(ORDER_DETAIL_PROPERTIES, CLOSED),
  fails: ['not_found', 'order_state'],
  example: { order_no: ORDER_NO_EXAMPLE, reason: '拍错了' },
  async handle({ order_no, reason }, { caller, services }) {
    return await services.orders.cancel(caller.agent, order_no, reason)
  },
})
