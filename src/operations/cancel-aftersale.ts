import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import { CLOSED, ORDER_NO_EXAMPLE, OrderNo } from '../contract/fields.ts'
import { REQUESTED_PROPERTIES } from './order-fields.ts'

export const cancelAftersale = defineOperation({
  name: 'cancel_aftersale',
  title: 'Take back an after-sale request',
  description: 'Takes back the open after-sale request of an order of this key, as long as '
    + 'nothing was collected and no refund (fen) is under way. The request still counts towards '
    + 'the person\'s quota. Repeating the call is harmless. To cancel the order itself use '
    + 'cancel_order.',
  access: 'key',
  effect: 'update',
  tool: false,
  route: 'POST /orders/:order_no/aftersales/cancel',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: Type.Object(REQUESTED_PROPERTIES, CLOSED),
  fails: ['not_found', 'order_state', 'aftersale_refused'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller, services }) {
    return await services.orders.cancelAftersale(caller.agent, order_no)
  },
})
