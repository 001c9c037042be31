import {
  Converted, convertInput, MALL_EXAMPLES, UPSTREAM_FAILS,
} from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallBConvert = defineOperation({
  name: 'cps_mallb_convert',
  title: 'Mall B: purchase link',
  description: 'Purchase link for one mall B item that attributes the sale to you: give its '
    + 'item_id (mall_b:… or shelf:…) or url, not both. Only for what the user '
    + 'has chosen. Mall A: cps_tpwd.',
  access: 'key',
  effect: 'create',
  openWorld: true,
  route: 'POST /cps/mall-b/convert',
  input: convertInput('mall_b'),
  output: Converted,
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: { item_id: MALL_EXAMPLES.mall_b },

  async handle(input, { caller, services }) {
    return await services.affiliate.convert('mall_b', input, caller)
  },
})
