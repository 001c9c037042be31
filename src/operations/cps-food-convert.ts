import { Type } from 'typebox'
import { Converted, UPSTREAM_FAILS } from './affiliate-fields.ts'
import { CLOSED, defineOperation } from './define.ts'
import { Optional, Text } from './fields.ts'

export const cpsFoodConvert = defineOperation({
  name: 'cps_food_convert',
  title: 'Food delivery coupon link',
  description: 'A coupon link for food delivery or eating out, for the user to open before '
    + 'ordering a meal. Without arguments it is the general delivery coupon; item_id (food:…) '
    + 'gives one offer. Not for packaged food: that is goods.',
  access: 'key',
  effect: 'create',
  openWorld: true,
  route: 'POST /cps/food/convert',
  input: Type.Object({
    item_id: Optional(Type.String({ pattern: '^food:[0-9A-Za-z_-]{1,128}$' })),
  }, CLOSED),
  output: Type.Object({
    ...Converted.properties,
    mini_program: Optional(Type.Object({ app_id: Text(64), path: Text(2000) }, CLOSED)),
  }, CLOSED),
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: {},
})
