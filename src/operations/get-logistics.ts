import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import { CLOSED, ORDER_NO_EXAMPLE, OrderNo, Text } from '../contract/fields.ts'
import { ReturnParcel, ParcelTraces } from './order-fields.ts'

export const getLogistics = defineOperation({
  name: 'get_logistics',
  title: 'Follow a parcel',
  description: 'Where the parcel is: waybill, carrier and traces of a shipped order of this key. '
    + 'Before shipping the answer is not_shipped: use get_order_status until then.',
  access: 'key',
  effect: 'read',
  route: 'GET /orders/:order_no/logistics',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: Type.Object({
    order_no: OrderNo,
    waybill_no: Text(40),
    express_co: Text(40, 'Carrier', 0),
    traces: ParcelTraces,
    return_parcel: ReturnParcel,
  }, CLOSED),
  fails: ['not_found', 'not_shipped'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller, services }) {
    return await services.orders.logistics(caller.agent, order_no)
  },
})
