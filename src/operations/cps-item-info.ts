import { Type } from 'typebox'
import { linkOf, MALL_EXAMPLES, MallItem, UPSTREAM_FAILS } from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'
import { CLOSED, like, Text } from '../contract/fields.ts'

export const cpsItemInfo = defineOperation({
  name: 'cps_item_info',
  title: 'Mall A: item details',
  description: 'Up to 20 mall A items in full, by item_id or item link; prices in fen. '
    + 'Next: cps_tpwd. Items of other sources: cps_compare.',
  access: 'key',
  effect: 'read',
  openWorld: true,
  route: 'POST /cps/mall-a/items',
  input: Type.Object({
    items: Type.Array(Type.Union([
      like(Type.String({ pattern: '^mall_a:[0-9A-Za-z_-]{1,128}$' }), MALL_EXAMPLES.mall_a),
      linkOf('mall_a'),
    ]), { minItems: 1, maxItems: 20, uniqueItems: true,
      description: 'item_id or item link' }),
  }, CLOSED),
  output: Type.Object({
    items: Type.Array(MallItem),
    missing: Type.Array(Text(2000), { maxItems: 20 }),
  }, CLOSED),
  fails: UPSTREAM_FAILS,
  example: { items: [MALL_EXAMPLES.mall_a] },

  async handle({ items }, { caller, services }) {
    return await services.affiliate.itemInfo(items, caller)
  },
})
