import { MallItems, SearchMallInput, UPSTREAM_FAILS } from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallCGoodsSearch = defineOperation({
  name: 'cps_mallc_goods_search',
  title: 'Mall C: search goods',
  description: 'Goods of mall C by keyword, with coupons; prices in fen. '
    + 'Only when the user names this mall, else cps_smart_search. Next: cps_mallc_convert.',
  access: 'key',
  effect: 'read',
  openWorld: true,
  route: 'POST /cps/mall-c/goods',
  input: SearchMallInput,
  output: MallItems,
  fails: UPSTREAM_FAILS,
  example: { q: '蓝牙耳机', price_max: 30000, page_size: 2 },

  async handle(input, { caller, services }) {
    return await services.affiliate.search('mall_c', input, caller)
  },
})
