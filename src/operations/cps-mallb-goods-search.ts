import { MallItems, SearchMallInput, UPSTREAM_FAILS } from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'

export const cpsMallBGoodsSearch = defineOperation({
  name: 'cps_mallb_goods_search',
  title: 'Mall B: search goods',
  description: 'Goods of mall B by keyword, with coupons and reviews; prices in fen. '
    + 'Only when the user names this mall, else cps_smart_search. Next: cps_mallb_convert.',
  access: 'key',
  effect: 'read',
  openWorld: true,
  route: 'POST /cps/mall-b/goods',
  input: SearchMallInput,
  output: MallItems,
  fails: UPSTREAM_FAILS,
  example: { q: '蓝牙耳机', price_max: 30000, page_size: 2 },

  async handle(input, { caller, services }) {
    return await services.affiliate.search('mall_b', input, caller)
  },
})
