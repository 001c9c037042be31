import { MallOrders, MallOrdersInput } from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallBOrders = defineOperation({
  name: 'cps_mallb_orders',
  title: 'Mall B: my orders',
  description: 'Purchases at mall B through your links, newest first, with status, amount and '
    + 'commission (fen). For create_order use get_order_status.',
  access: 'key',
  effect: 'read',
  route: 'POST /cps/mall-b/orders',
  input: MallOrdersInput,
  output: MallOrders,
  fails: ['not_configured'],
  example: { limit: 10 },

  async handle(input, { caller, services }) {
    return await services.affiliate.orders('mall_b', input, caller)
  },
})
