import { Type } from 'typebox'
import { Converted, UPSTREAM_FAILS } from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'
import { CLOSED, like, Optional, Text } from '../contract/fields.ts'

export const cpsFoodConvert = defineOperation({
  name: 'cps_food_convert',
  title: 'Food delivery coupon link',
  description: 'Coupon link for food delivery or eating out, to open before ordering: one '
    + 'offer by its item_id (food:…), else the general coupon. Packaged food is goods: use '
    + 'search_goods.',
  access: 'key',
  effect: 'create',
  openWorld: true,
  route: 'POST /cps/food/convert',
  input: Type.Object({
    item_id: Optional(like(
      Type.String({
        pattern: '^food:[0-9A-Za-z_-]{1,128}$', description: 'item_id of an offer',
      }), 'food:20611')),
  }, CLOSED),
  output: Type.Object({
    ...Converted.properties,
    mini_program: Optional(Type.Object({ app_id: Text(64), path: Text(2000) }, CLOSED)),
  }, CLOSED),
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: {},

  async handle(input, { caller, services }) {
    return await services.affiliate.convert('food', input, caller)
  },
})
