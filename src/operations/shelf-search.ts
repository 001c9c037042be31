import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import {
  CategoryId, CLOSED, Optional, Page, PageSize, PriceMax, PriceMin, restOnly, Text,
} from '../contract/fields.ts'
import { Explain, ShelfPage, Sort, Supply } from './goods-fields.ts'

export const shelfSearch = defineOperation({
  name: 'shelf_search',
  title: 'Search the curated shelf',
  description: 'Our own goods and chosen offers of three malls. Fast, without key or quota. '
    + 'Prices are in fen. For live mall prices use '
    + 'cps_smart_search; for goods to order here, search_goods. Next: shelf_item.',
  access: 'anyone',
  effect: 'read',
  route: 'POST /cps/local/goods',
  input: Type.Object({
    q: Text(200, 'What is looked for'),
    category_id: Optional({ ...CategoryId, description: 'As in search_goods' }),
    price_min: Optional(PriceMin),
    price_max: Optional(PriceMax),
    supply: Optional(Supply),
    sort: Optional(Sort),
    page: Optional(Page),
    page_size: Optional(PageSize),
    explain: Optional(restOnly(Explain)),
  }, CLOSED),
  output: ShelfPage,
  fails: [],
  example: { q: '保温杯', price_max: 10_000, page_size: 2 },

  handle(input, call) {
    return call.services.goods.shelfSearch(input)
  },
})
