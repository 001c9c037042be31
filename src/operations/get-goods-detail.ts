import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import { CLOSED, ITEM_EXAMPLE, SkuId } from '../contract/fields.ts'
import { GoodsDetail } from './goods-fields.ts'

export const getGoodsDetail = defineOperation({
  name: 'get_goods_detail',
  title: 'Read one item',
  description: 'One search_goods item in full: specification, after-sale rules, stock, and its '
    + 'variants, as other sizes. Before create_order check available_qty, qty_cap and freight '
    + '(fen). For a shelf: item use shelf_item, for mall items cps_compare.',
  access: 'anyone',
  effect: 'read',
  route: 'GET /goods/:sku_id',
  input: Type.Object({ sku_id: SkuId }, CLOSED),
  output: GoodsDetail,
  fails: ['not_found'],
  example: { sku_id: ITEM_EXAMPLE.sku_id },

  handle(input, call) {
    return call.services.goods.detail(input.sku_id)
  },
})
