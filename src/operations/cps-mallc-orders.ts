import { MallOrders, MallOrdersInput } from './affiliate-fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallCOrders = defineOperation({
  name: 'cps_mallc_orders',
  title: 'Mall C: my orders',
  description: 'Orders of mall C that came through your own links, newest first, with status '
    + 'and commission (fen). They appear minutes after the purchase. For orders placed with '
    + 'create_order use get_order_status.',
  access: 'key',
  effect: 'read',
  route: 'POST /cps/mall-c/orders',
  input: MallOrdersInput,
  output: MallOrders,
  fails: ['not_configured'],
  example: { limit: 10 },
})
