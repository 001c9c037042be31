import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import { CLOSED, like, Optional } from '../contract/fields.ts'
import { ORDER_SUMMARY_PROPERTIES, OrdersPageSize } from './order-fields.ts'

/** An order number in base64url. */
const Cursor = like(Type.String({
  pattern: '^QU0[0-9A-Za-z_-]{24}$', description: 'next_cursor of the page before',
}), 'QU0zVlEyWjdLOE0xVDVSOUM0WEQ')

export const listOrders = defineOperation({
  name: 'list_orders',
  title: 'List orders',
  description: 'Orders of this key, newest first, in pages; amounts are in fen. A new order '
    + 'appears within moments. For the timeline and the receiver of one order use '
    + 'get_order_status.',
  access: 'key',
  effect: 'read',
  tool: false,
  route: 'GET /orders',
  input: Type.Object({
    cursor: Optional(Cursor),
    limit: OrdersPageSize,
  }, CLOSED),
  output: Type.Object({
    items: Type.Array(Type.Object(ORDER_SUMMARY_PROPERTIES, CLOSED)),
    next_cursor: Optional(Cursor),
  }, CLOSED),
  fails: [],
  example: { limit: 10 },
  async handle({ cursor, limit = 20 }, { caller, services }) {
    return await services.orders.list(caller.agent, cursor, limit)
  },
})
