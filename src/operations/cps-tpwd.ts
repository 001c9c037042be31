import { Type } from 'typebox'
import { Converted, ConvertInput, UPSTREAM_FAILS } from './affiliate-fields.ts'
import { CLOSED, defineOperation } from './define.ts'
import { Text } from './fields.ts'

export const cpsTpwd = defineOperation({
  name: 'cps_tpwd',
  title: 'Mall A: share code and link',
  description: 'Turns a mall A item (item_id mall_a:… or its link) into a share code to paste '
    + 'into the app and a tracked link. Call it only when the user has chosen; searches carry no '
    + 'tracked links. Give exactly one of item_id and url.',
  access: 'key',
  effect: 'create',
  openWorld: true,
  route: 'POST /cps/mall-a/tpwd',
  input: ConvertInput,
  output: Type.Object({
    ...Converted.properties,
    share_code: Text(100, 'Short code to paste into the app'),
    share_text: Text(500, 'Whole text with code and link'),
  }, CLOSED),
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: { item_id: 'mall_a:AAGx7Qd9kzR1mN3pT5vW' },
})
