import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import { CLOSED, ORDER_NO_EXAMPLE, OrderNo } from '../contract/fields.ts'
import { AFTERSALE_PROPERTIES } from './order-fields.ts'

export const listAftersales = defineOperation({
  name: 'list_aftersales',
  title: 'List after-sale requests',
  description: 'All after-sale requests of an order of this key, oldest first, with their '
    + 'status, refund (fen), pickup waybill and who pays the return freight. To file one use '
    + 'request_aftersale.',
  access: 'key',
  effect: 'read',
  tool: false,
  route: 'GET /orders/:order_no/aftersales',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: Type.Object({
    items: Type.Array(Type.Object(AFTERSALE_PROPERTIES, CLOSED)),
  }, CLOSED),
  fails: ['not_found'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller, services }) {
    return { items: await services.orders.aftersales(caller.agent, order_no) }
  },
})
