import { Type } from 'typebox'
import { CLOSED } from '../contract/fields.ts'
import { defineOperation } from './define.ts'
import { SHELF_EXAMPLES, ShelfDetail, ShelfItemId } from './goods-fields.ts'

export const shelfItem = defineOperation({
  name: 'shelf_item',
  title: 'Read one item of the shelf',
  description: 'One shelf_search item in full: specification, after-sale rules, coupon, prices '
    + 'in fen, variants, and purchase_url, the page where a person buys it. With '
    + 'supply own, order it with create_order instead. For an attributed link give item_id to '
    + 'cps_tpwd (mall_a), cps_mallb_convert or cps_mallc_convert.',
  access: 'anyone',
  effect: 'read',
  route: 'GET /cps/local/goods/:item_id',
  input: Type.Object({ item_id: ShelfItemId }, CLOSED),
  output: ShelfDetail,
  fails: ['not_found'],
  example: { item_id: SHELF_EXAMPLES[0] },

  handle(input, call) {
    return call.services.goods.shelfItem(input.item_id)
  },
})
