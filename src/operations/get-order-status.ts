import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import { CLOSED, ORDER_NO_EXAMPLE, OrderNo } from '../contract/fields.ts'
import { ORDER_DETAIL_PROPERTIES } from './order-fields.ts'

export const getOrderStatus = defineOperation({
  name: 'get_order_status',
  title: 'Read an order',
  description: 'Status, amounts (fen) and timeline of an order of this key: is it paid, sent, '
    + 'refunded? For where the parcel is use get_logistics, for purchases at a mall '
    + 'cps_mallb_orders or cps_mallc_orders. Poll every poll_after_s seconds and tell your user '
    + 'what changed; without it the order is final.',
  access: 'key',
  effect: 'read',
  route: 'GET /orders/:order_no',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: Type.Object(ORDER_DETAIL_PROPERTIES, CLOSED),
  fails: ['not_found'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller, services }) {
    return await services.orders.read(caller.agent, order_no)
  },
})
