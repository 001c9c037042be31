import { Type } from 'typebox'
import { CLOSED, defineOperation } from './define.ts'
import { OrderNo, Text, Time } from './fields.ts'
import { ORDER_NO_EXAMPLE } from './order-fields.ts'

export const getLogistics = defineOperation({
  name: 'get_logistics',
  title: 'Follow a parcel',
  description: 'Waybill, carrier and traces of an order that this key placed, once it has shipped. '
    + 'Before that the answer is not_shipped: poll get_order_status instead. While the parcel '
    + 'is on its way, ask again every 10 seconds at most.',
  access: 'key',
  effect: 'read',
  route: 'GET /orders/:order_no/logistics',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: Type.Object({
    order_no: OrderNo,
    waybill_no: Text(40),
    express_co: Text(40, 'Carrier', 0),
    traces: Type.Array(Type.Object({ time: Time, context: Text(200) }, CLOSED), {
      description: 'Newest last',
    }),
  }, CLOSED),
  fails: ['not_found', 'not_shipped'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller, services }) {
    return await services.orders.logistics(caller.agent, order_no)
  },
})
