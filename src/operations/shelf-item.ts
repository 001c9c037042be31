import { Type } from 'typebox'
import { CLOSED, defineOperation } from './define.ts'
import { ShelfDetail, ShelfItemId } from './goods-fields.ts'

export const shelfItem = defineOperation({
  name: 'shelf_item',
  title: 'Read one item of the shelf',
  description: 'Reads one shelf_search item: specification, after-sale rules, images, coupon '
    + 'and purchase_url, the page where a person buys it (no key needed, no attribution). '
    + 'Prices are in fen. Supply own: better order it with create_order. For an attributed '
    + 'mall link use the convert tool of its mall.',
  access: 'anyone',
  effect: 'read',
  route: 'GET /cps/local/goods/:item_id',
  input: Type.Object({ item_id: ShelfItemId }, CLOSED),
  output: ShelfDetail,
  fails: ['not_found'],
  example: { item_id: 'shelf:10000101' },

  async handle(input, call) {
    return await call.services.goods.shelfItem(input.item_id)
  },
})
