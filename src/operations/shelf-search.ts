import { Type } from 'typebox'
import { CLOSED, defineOperation } from './define.ts'
import { CategoryId, Optional, Page, PageSize, Text } from './fields.ts'
import { PriceMax, PriceMin, ShelfPage, Sort, Supply } from './goods-fields.ts'

export const shelfSearch = defineOperation({
  name: 'shelf_search',
  title: 'Search the curated shelf',
  description: 'Searches the local curated shelf: our own goods and chosen offers of three '
    + 'malls, by keywords, category, price and supply. Fast, needs no key and no quota. Prices '
    + 'are in fen; final_price counts the coupon. For live mall results use cps_smart_search; '
    + 'for goods to order here, search_goods. Next: shelf_item for details and the link.',
  access: 'anyone',
  effect: 'read',
  route: 'POST /cps/local/goods',
  input: Type.Object({
    q: Text(200, 'Keywords in title or description, not a sentence'),
    category_id: Optional(CategoryId),
    price_min: Optional(PriceMin),
    price_max: Optional(PriceMax),
    supply: Optional(Supply),
    sort: Optional(Sort),
    page: Optional(Page),
    page_size: Optional(PageSize),
  }, CLOSED),
  output: ShelfPage,
  fails: [],
  example: { q: '保温杯', price_max: 10_000, page_size: 5 },

  async handle(input, call) {
    return await call.services.goods.shelfSearch(input)
  },
})
