import { Converted, ConvertInput, UPSTREAM_FAILS } from './affiliate-fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallBConvert = defineOperation({
  name: 'cps_mallb_convert',
  title: 'Mall B: purchase link',
  description: 'Turns a mall B item (item_id mall_b:… or its link) into a link for the user '
    + 'that attributes the purchase to you. Call it only when the user has chosen. Give exactly '
    + 'one of item_id and url.',
  access: 'key',
  effect: 'create',
  openWorld: true,
  route: 'POST /cps/mall-b/convert',
  input: ConvertInput,
  output: Converted,
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: { item_id: 'mall_b:100012043978' },
})
