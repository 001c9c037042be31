/** Mall A's goods and shops in the normal form, from both generations of its methods. */
import { webLink } from '../links.ts'
import type { Item, Shop } from '../normal.ts'
import { bpsOfPercent, breakdown } from '../price.ts'
import { idOrNull, listOf } from '../wire.ts'
import { NAME } from './dialect.ts'
import { during, fenOf, inPresale, pricesOf, readCoupon, type Prices } from './promotions.ts'
import { isStep, type FlatRow, type NestedRow, type Presale, type ShopRow } from './wire.ts'

export interface Context {
  readonly now: number
  /** Plain links to items, with {id}. */
  readonly itemUrl?: string | undefined
}

const LIVE = '10'

/** Null for a row without a price, or without an id: the mall holds ids back at times. */
export function toItem(row: NestedRow, { now, itemUrl }: Context): Item | null {
  const { item_basic_info: basic, price_promotion_info: prices, publish_info: published } = row
  const list = fenOf(prices.zk_final_price) || fenOf(prices.reserve_price)
  const live = String(prices.final_promotion_target_type ?? '') === LIVE
  return itemOf(row.input_item_iid ?? row.item_id, basic, list && (inPresale(row.presale_info, now)
    ? presale(fenOf(prices.final_promotion_price) || list)
    : pricesOf({
      list, freight: freightOf(basic),
      estimate: live ? null : fenOf(prices.final_promotion_price),
      steps: live ? [] : (listOf(
        prices.final_promotion_path_list, 'final_promotion_path_map_data') ?? []).filter(isStep),
    }, now)), itemUrl, ({ price }) => {
    const { income_rate: rate, income_info: income } = published ?? {}
    const bps = rate == null || rate === '' ? null : bpsOfPercent(Number(rate))
    const paid = fenOf(income?.commission_amount)
    return commissionOf(bps, price.payable,
      paid === null ? null : paid + (fenOf(income?.subsidy_amount) ?? 0))
  })
}

/** Rates are hundredths of a per cent here, and a coupon stands beside the price. */
export function toItemLegacy(row: FlatRow, { now, itemUrl }: Context): Item | null {
  const list = fenOf(row.zk_final_price) || fenOf(row.reserve_price)
  const shown: Shown = {
    ...row,
    category_name: row.category_name ?? row.cat_leaf_name,
    level_one_category_name: row.level_one_category_name ?? row.cat_name,
    shop_title: row.shop_title ?? row.nick,
  }
  const reserved: Presale = row.presale_info ?? row
  return itemOf(row.input_num_iid ?? row.num_iid ?? row.item_id, shown,
    list && (inPresale(reserved, now) ? presale(list) : {
      price: breakdown({ list, coupon: couponOf(row, now), freight: freightOf(row) }),
      special: null,
    }), itemUrl, ({ price }) => {
      const { commission_rate: rate } = row
      return commissionOf(rate == null || rate === '' ? null : Number(rate), price.payable, null)
    })
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

type Freight = Pick<NestedRow['item_basic_info'], 'real_post_fee' | 'free_shipment'>

const freightOf = ({ real_post_fee: fee, free_shipment: free }: Freight): number | null =>
  fenOf(fee) ?? (free === true || free === 'true' ? 0 : null)

type Shown = Omit<NestedRow['item_basic_info'], 'real_post_fee' | 'free_shipment'>

function itemOf(
  wireId: string | number | null | undefined, shown: Shown, prices: Prices | null | 0,
  itemUrl: string | undefined, commission: (prices: Prices) => Item['commission'],
): Item | null {
  const id = idOrNull(wireId)
  if (id === null || !prices) return null
  return {
    source: NAME,
    id,
    title: shown.title,
    brand: shown.brand_name ?? null,
    category: shown.category_name ?? shown.level_one_category_name ?? null,
    shop: shown.shop_title ?? null,
    images: imagesOf(shown),
    ...prices,
    sales: shown.volume == null ? null : Math.round(shown.volume),
    // The mall rates shops and tells no reviews.
    rating: null,
    reviews: null,
    url: itemUrl?.replace('{id}', id) ?? webLink(shown.item_url),
    // Coupon links of a search carry its neutral position: a conversion makes one for the agent.
    coupon_url: null,
    commission: commission(prices),
  }
}

function imagesOf({ pict_url: first, small_images: others }: Shown): string[] {
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
