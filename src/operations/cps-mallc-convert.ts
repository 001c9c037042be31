import { Converted, ConvertInput, UPSTREAM_FAILS } from './affiliate-fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallCConvert = defineOperation({
  name: 'cps_mallc_convert',
  title: 'Mall C: purchase link',
  description: 'Turns a mall C item (item_id mall_c:… or its link) into a link for the user '
    + 'that attributes the purchase to you. Call it only when the user has chosen. Give exactly '
    + 'one of item_id and url.',
  access: 'key',
  effect: 'create',
  openWorld: true,
  route: 'POST /cps/mall-c/convert',
  input: ConvertInput,
  output: Converted,
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: { item_id: 'mall_c:E9r2x1k7Q_mZ3nP5tV8wY' },
})
