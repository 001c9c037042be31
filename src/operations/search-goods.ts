import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import {
  CLOSED, Optional, Page, PageSize, PriceMax, PriceMin, restOnly, Text,
} from '../contract/fields.ts'
import { CategoryFilter, Explain, GoodsPage, Sort } from './goods-fields.ts'

export const searchGoods = defineOperation({
  name: 'search_goods',
  title: 'Search goods to order',
  description: 'Goods that can be ordered here with create_order, by keywords, '
    + 'category and price; without q it lists them. The same group_id: variants of one product. '
    + 'Prices are in fen (1500 = CNY 15.00). For offers of other malls use cps_smart_search. '
    + 'Next: get_goods_detail.',
  access: 'anyone',
  effect: 'read',
  route: 'GET /goods',
  input: Type.Object({
    q: Optional(Text(200, 'What is looked for', 0)),
    category_id: Optional(CategoryFilter),
    price_min: Optional(PriceMin),
    price_max: Optional(PriceMax),
    sort: Optional(Sort),
    page: Optional(Page),
    page_size: Optional(PageSize),
    explain: Optional(restOnly(Explain)),
  }, CLOSED),
  output: GoodsPage,
  fails: [],
  example: { q: '蓝牙耳机', price_max: 30_000, sort: 'relevance', page_size: 2 },

  handle(input, call) {
    return call.services.goods.search(input)
  },
})
