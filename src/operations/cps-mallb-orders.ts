import { MallOrders, MallOrdersInput } from './affiliate-fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallBOrders = defineOperation({
  name: 'cps_mallb_orders',
  title: 'Mall B: my orders',
  description: 'Orders of mall B that came through your own links, newest first, with status '
    + 'and commission (fen). They appear minutes after the purchase. For orders placed with '
    + 'create_order use get_order_status.',
  access: 'key',
  effect: 'read',
  route: 'POST /cps/mall-b/orders',
  input: MallOrdersInput,
  output: MallOrders,
  fails: ['not_configured'],
  example: { limit: 10 },
})
