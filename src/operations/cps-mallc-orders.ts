import { MallOrders, MallOrdersInput } from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallCOrders = defineOperation({
  name: 'cps_mallc_orders',
  title: 'Mall C: my orders',
  description: 'Purchases at mall C through your links, newest first, with status, amount and '
    + 'commission (fen). For create_order use get_order_status.',
  access: 'key',
  effect: 'read',
  route: 'POST /cps/mall-c/orders',
  input: MallOrdersInput,
  output: MallOrders,
  fails: ['not_configured'],
  example: { limit: 10 },

  async handle(input, { caller, services }) {
    return await services.affiliate.orders('mall_c', input, caller)
  },
})
