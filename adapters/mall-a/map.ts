/** Mall A's goods and shops in the normal form, from both generations of its methods. */
import { webLink } from '../links.ts'
import type { Item, Shop } from '../normal.ts'
import { bpsOfPercent, breakdown } from '../price.ts'
import { idOrNull, listOf } from '../wire.ts'
import { NAME } from './dialect.ts'
import { during, fenOf, inPresale, pricesOf, readCoupon, type Prices } from './promotions.ts'
import { isStep, type FlatRow, type NestedRow, type ShopRow } from './wire.ts'

export interface Context {
  readonly now: number
  /** Plain links to items, with {id}. */
  readonly itemUrl?: string | undefined
}

/** Null for a row without a price, or without an id: the mall holds ids back at times. */
export function toItem(row: NestedRow, context: Context): Item | null {
  const id = idOrNull(row.input_item_iid) ?? idOrNull(row.item_id)
  const prices = estimatedPrices(row, context.now)
  if (id === null || !prices) return null
  return {
    ...shownOf(row.item_basic_info, id, context), ...prices,
    commission: incomeOf(row, prices.price.payable),
  }
}

const LIVE = '10'

function estimatedPrices(
  { item_basic_info: basic, price_promotion_info: told, presale_info: reserved }: NestedRow,
  now: number,
): Prices | null {
  const list = fenOf(told.zk_final_price) || fenOf(told.reserve_price)
  if (!list) return null
  const estimate = fenOf(told.final_promotion_price)
  if (inPresale(reserved, now)) return presale(estimate || list)
  // What is asked in a live broadcast is asked nowhere else.
  const live = String(told.final_promotion_target_type ?? '') === LIVE
  const path = listOf(told.final_promotion_path_list, 'final_promotion_path_map_data') ?? []
  return pricesOf({
    list, freight: freightOf(basic),
    estimate: live ? null : estimate, steps: live ? [] : path.filter(isStep),
  }, now)
}

function incomeOf({ publish_info: published }: NestedRow, payable: number): Item['commission'] {
  const { income_rate: rate, income_info: income } = published ?? {}
  const paid = fenOf(income?.commission_amount)
  return commissionOf(rate == null || rate === '' ? null : bpsOfPercent(Number(rate)), payable,
    paid === null ? null : paid + (fenOf(income?.subsidy_amount) ?? 0))
}

/** Rates are hundredths of a per cent here, and a coupon stands beside the price. */
export function toItemLegacy(row: FlatRow, context: Context): Item | null {
  const id = idOrNull(row.input_num_iid) ?? idOrNull(row.num_iid) ?? idOrNull(row.item_id)
  const list = fenOf(row.zk_final_price) || fenOf(row.reserve_price)
  if (id === null || !list) return null
  const prices = inPresale(row.presale_info ?? row, context.now) ? presale(list) : {
    price: breakdown({ list, coupon: couponOf(row, context.now), freight: freightOf(row) }),
    special: null,
  }
  const { commission_rate: rate } = row
  return {
    ...shownOf({
      ...row,
      category_name: row.category_name ?? row.cat_leaf_name,
      level_one_category_name: row.level_one_category_name ?? row.cat_name,
      shop_title: row.shop_title ?? row.nick,
    }, id, context),
    ...prices,
    commission: commissionOf(
      rate == null || rate === '' ? null : Number(rate), prices.price.payable, null),
  }
}

function couponOf(row: FlatRow, now: number): { amount: number, threshold: number } | null {
  const said = readCoupon(row.coupon_info)
  const amount = fenOf(row.coupon_amount) ?? said.amount
  const open = row.coupon_remain_count !== 0 && said.pieces <= 1
    && during(row.coupon_start_time, row.coupon_end_time, now)
  return open && amount
    ? { amount, threshold: fenOf(row.coupon_start_fee) ?? said.threshold } : null
}

const presale = (list: number): Prices =>
  ({ price: breakdown({ list, conditions: ['deposit'] }), special: null })

type Basic = NestedRow['item_basic_info']

const freightOf = (
  { real_post_fee: fee, free_shipment: free }: Pick<Basic, 'real_post_fee' | 'free_shipment'>,
): number | null => fenOf(fee) ?? (free === true || free === 'true' ? 0 : null)

const shownOf = (basic: Basic, id: string, { itemUrl }: Context) => ({
  source: NAME,
  id,
  title: basic.title,
  brand: basic.brand_name ?? null,
  category: basic.category_name ?? basic.level_one_category_name ?? null,
  shop: basic.shop_title ?? null,
  images: imagesOf(basic),
  sales: basic.volume == null ? null : Math.round(basic.volume),
  // The mall rates shops and tells no reviews.
  rating: null,
  reviews: null,
  url: itemUrl?.replace('{id}', id) ?? webLink(basic.item_url),
  // Coupon links of a search carry its neutral position: a conversion makes one for the agent.
  coupon_url: null,
}) satisfies Partial<Item>

function imagesOf({ pict_url: first, small_images: others }: Basic): string[] {
  const small = (listOf(others, 'string') ?? []).filter((one) => typeof one === 'string')
  return [first, ...small].map(webLink).filter((link) => link !== null)
}

/** A rate that cannot be is as good as none. */
function commissionOf(bps: number | null, payable: number, fen: number | null): Item['commission'] {
  if (bps === null || !Number.isInteger(bps) || bps < 0 || bps > 10_000) return null
  return { bps, fen: fen ?? Math.floor(payable * bps / 10_000) }
}

export const toShop = (row: ShopRow): Shop => ({
  source: NAME,
  id: String(row.user_id),
  title: row.shop_title,
  brand_store: row.shop_type === 'B',
  image: webLink(row.pict_url),
  url: webLink(row.shop_url),
})
