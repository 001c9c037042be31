import {
  Converted, convertInput, MALL_EXAMPLES, UPSTREAM_FAILS,
} from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallCConvert = defineOperation({
  name: 'cps_mallc_convert',
  title: 'Mall C: purchase link',
  description: 'Purchase link for one mall C item that attributes the sale to you: give its '
    + 'item_id (mall_c:… or shelf:…) or url, not both. Only for what the user '
    + 'has chosen. Mall A: cps_tpwd.',
  access: 'key',
  effect: 'create',
  openWorld: true,
  route: 'POST /cps/mall-c/convert',
  input: convertInput('mall_c'),
  output: Converted,
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: { item_id: MALL_EXAMPLES.mall_c },

  async handle(input, { caller, services }) {
    return await services.affiliate.convert('mall_c', input, caller)
  },
})
