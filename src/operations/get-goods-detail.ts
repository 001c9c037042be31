import { Type } from 'typebox'
import { CLOSED, defineOperation } from './define.ts'
import { SkuId } from './fields.ts'
import { GoodsDetail } from './goods-fields.ts'

export const getGoodsDetail = defineOperation({
  name: 'get_goods_detail',
  title: 'Read one item',
  description: 'Reads everything about one item of search_goods: specification, after-sale '
    + 'rules, all images, stock with its snapshot time. Use it before create_order; check '
    + 'available_qty, qty_cap and freight. Prices are in fen. Not for mall offers: read those '
    + 'with shelf_item or cps_item_info.',
  access: 'anyone',
  effect: 'read',
  route: 'GET /goods/:sku_id',
  input: Type.Object({ sku_id: SkuId }, CLOSED),
  output: GoodsDetail,
  fails: ['not_found'],
  example: { sku_id: 10_000_101 },

  async handle(input, call) {
    return await call.services.goods.detail(input.sku_id)
  },
})
