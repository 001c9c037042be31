import { MallItems, SearchMallInput, UPSTREAM_FAILS } from './affiliate-fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallCGoodsSearch = defineOperation({
  name: 'cps_mallc_goods_search',
  title: 'Mall C: search goods',
  description: 'Goods of mall C alone by keyword, with coupons, sales and shop; prices in '
    + 'fen. Use cps_smart_search unless the user names this mall. Next: cps_mallc_convert.',
  access: 'key',
  effect: 'read',
  openWorld: true,
  route: 'POST /cps/mall-c/goods',
  input: SearchMallInput,
  output: MallItems,
  fails: UPSTREAM_FAILS,
  example: { q: '蓝牙耳机', price_max: 30000, page_size: 5 },
})
