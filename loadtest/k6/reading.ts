/** What shoppers read: searches, details, the shelf. */
import { rest } from './call.ts'
import { pick, pickItem, pickWeighted } from './pick.ts'
import { plan } from './plan.ts'

export const READING_NAMES = ['search_goods', 'get_goods_detail', 'shelf_search', 'shelf_item']

const PRICES = [5_000, 10_000, 20_000, 50_000, 100_000]

/** Most look for what others look for; some narrow it by a price, some turn the page. */
export function query(): object {
  const q = pick(plan.words)
  return pickWeighted<() => object>([
    [70, () => ({ q, price_max: undefined, page_size: 20 })],
    [20, () => ({ q, price_max: pick(PRICES), page_size: 20 })],
    [10, () => ({ q, price_max: undefined, page_size: 20, page: 2 })],
  ])()
}

export const readSomething = (): unknown => pickWeighted<() => unknown>([
  [50, () => rest('search_goods', query())],
  [30, () => rest('get_goods_detail', { sku_id: pickItem().sku_id })],
  [15, () => rest('shelf_search', query())],
  [5, () => rest('shelf_item', { item_id: `shelf:${pickItem().sku_id}` })],
])()
