/** What mall A sends, and its rows in the normal form. */
import { type Static, Type } from 'typebox'
import type { Item, OrderLine, MallOrderStatus, Shop } from '../contract.ts'
import { bpsOfPercent, breakdown } from '../price.ts'
import { webLink } from '../text.ts'
import { parseChinaTime } from '../time.ts'
import { Code, fits, Id, idOrNull, listOf, maybe } from '../wire.ts'
import {
  Decimal, during, fenOf, inPresale, isStep, Moment, Presale, pricesOf, readCoupon, type Prices,
} from './promotions.ts'
import { NAME, type Settings } from './signing.ts'

// What mall A sends, as far as it is used. Money and rates are text; ids numbers or text.

const Text = maybe(Type.String())
const Count = maybe(Type.Number({ minimum: 0, maximum: 1e12 }))
const Unknown = maybe(Type.Unknown())

/** Of the newer methods. */
const NestedRow = Type.Object({
  item_id: maybe(Id),
  input_item_iid: maybe(Id),
  item_basic_info: Type.Object({
    title: Type.String(),
    brand_name: Text,
    category_name: Text,
    level_one_category_name: Text,
    shop_title: Text,
    pict_url: Text,
    small_images: Unknown,
    volume: Count,
    real_post_fee: Decimal,
    free_shipment: Unknown,
    item_url: Text,
  }),
  price_promotion_info: Type.Object({
    reserve_price: Decimal,
    zk_final_price: Decimal,
    final_promotion_price: Decimal,
    /** 10: the estimated price is one of a live broadcast. */
    final_promotion_target_type: maybe(Code),
    final_promotion_path_list: Unknown,
  }),
  publish_info: maybe(Type.Object({
    income_rate: Decimal,
    income_info: maybe(Type.Object({ commission_amount: Decimal, subsidy_amount: Decimal })),
  })),
  presale_info: maybe(Presale),
})

/** Of the older search, and of the older details, which have other names for some fields. */
const FlatRow = Type.Object({
  item_id: maybe(Id),
  num_iid: maybe(Id),
  input_num_iid: maybe(Id),
  title: Type.String(),
  brand_name: Text,
  category_name: Text,
  cat_leaf_name: Text,
  level_one_category_name: Text,
  cat_name: Text,
  shop_title: Text,
  nick: Text,
  pict_url: Text,
  small_images: Unknown,
  item_url: Text,
  reserve_price: Decimal,
  zk_final_price: Decimal,
  real_post_fee: Decimal,
  free_shipment: Unknown,
  /** "1550" is 15.50 per cent here. */
  commission_rate: Decimal,
  coupon_amount: Decimal,
  coupon_start_fee: Decimal,
  coupon_info: Text,
  coupon_start_time: Moment,
  coupon_end_time: Moment,
  coupon_remain_count: Count,
  volume: Count,
  presale_info: maybe(Presale),
  ...Presale.properties,
})

const ShopRow = Type.Object({
  user_id: Id, shop_title: Type.String(), shop_type: Text, pict_url: Text, shop_url: Text,
})

const LinkRow = Type.Object({
  code: maybe(Code),
  link_info_dto: maybe(Type.Object({
    coupon_long_url: Text, coupon_short_url: Text, cps_long_url: Text, cps_short_url: Text,
    coupon_short_tpwd: Text, coupon_full_tpwd: Text, cps_short_tpwd: Text, cps_full_tpwd: Text,
  })),
})

const ShareCode = Type.Object({ password_simple: Text, model: Text })

const OrderData = Type.Object({
  has_next: maybe(Type.Boolean()),
  position_index: maybe(Type.String({ maxLength: 200 })),
  results: Unknown,
})

const OrderRow = Type.Object({
  trade_id: Id,
  trade_parent_id: maybe(Id),
  tk_status: Code,
  refund_tag: maybe(Code),
  item_id: maybe(Id),
  item_title: Text,
  item_num: maybe(Type.Integer({ minimum: 0 })),
  tk_create_time: Text,
  tk_paid_time: Text,
  tb_paid_time: Text,
  modified_time: Type.String(),
  alipay_total_price: Decimal,
  pay_price: Decimal,
  tk_total_rate: Decimal,
  income_rate: Decimal,
  pub_share_pre_fee: Decimal,
  pub_share_fee: Decimal,
  adzone_id: maybe(Id),
  relation_id: maybe(Id),
  special_id: maybe(Id),
})

export type NestedRow = Static<typeof NestedRow>
export type FlatRow = Static<typeof FlatRow>
export type ShopRow = Static<typeof ShopRow>
export type LinkRow = Static<typeof LinkRow>
export type OrderRow = Static<typeof OrderRow>

export const isNestedRow = fits(NestedRow)
export const isFlatRow = fits(FlatRow)
export const isShopRow = fits(ShopRow)
export const isLinkRow = fits(LinkRow)
export const isShareCode = fits(ShareCode)
export const isOrderData = fits(OrderData)
export const isOrderRow = fits(OrderRow)

/** A list, plain or under its typed key, or an object without that key for an empty list. */
export function rowsOf(value: unknown, key: string): readonly unknown[] | null {
  const none = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return none ? [] : listOf(value, key)
}

// Goods and shops in the normal form, from both generations of the methods.

export interface Context {
  readonly now: number
  /** Plain links to items, with {id}. */
  readonly itemUrl?: string | undefined
}

/** Null for a row without a price, or without an id: the mall withholds ids at times. */
export function toItem(row: NestedRow, context: Context): Item | null {
  const id = idOrNull(row.input_item_iid) ?? idOrNull(row.item_id)
  const prices = estimatedPrices(row, context.now)
  if (id === null || !prices) return null
  return {
    ...basicsOf(row.item_basic_info, id, context), ...prices,
    commission: incomeOf(row, prices.price.payable),
  }
}

const LIVE = '10'

function estimatedPrices(
  { item_basic_info: basic, price_promotion_info: stated, presale_info: reserved }: NestedRow,
  now: number,
): Prices | null {
  const list = fenOf(stated.zk_final_price) || fenOf(stated.reserve_price)
  if (!list) return null
  const estimate = fenOf(stated.final_promotion_price)
  if (inPresale(reserved, now)) return presale(estimate || list)
  // The price of a live broadcast is not for anybody else.
  const live = String(stated.final_promotion_target_type ?? '') === LIVE
  const path = listOf(stated.final_promotion_path_list, 'final_promotion_path_map_data') ?? []
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
    ...basicsOf({
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
  const stated = readCoupon(row.coupon_info)
  const amount = fenOf(row.coupon_amount) ?? stated.amount
  const open = row.coupon_remain_count !== 0 && stated.pieces <= 1
    && during(row.coupon_start_time, row.coupon_end_time, now)
  return open && amount
    ? { amount, threshold: fenOf(row.coupon_start_fee) ?? stated.threshold } : null
}

const presale = (list: number): Prices =>
  ({ price: breakdown({ list, conditions: ['deposit'] }), special: null })

type Basic = NestedRow['item_basic_info']

const freightOf = (
  { real_post_fee: fee, free_shipment: free }: Pick<Basic, 'real_post_fee' | 'free_shipment'>,
): number | null => fenOf(fee) ?? (free === true || free === 'true' ? 0 : null)

const basicsOf = (basic: Basic, id: string, { itemUrl }: Context) => ({
  source: NAME,
  id,
  title: basic.title,
  brand: basic.brand_name ?? null,
  category: basic.category_name ?? basic.level_one_category_name ?? null,
  shop: basic.shop_title ?? null,
  images: imagesOf(basic),
  sales: basic.volume == null ? null : Math.round(basic.volume),
  // The mall rates shops and publishes no reviews.
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

/** Null for an impossible rate. */
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

// Orders in the normal form.

const STATUS_OF: ReadonlyMap<string, MallOrderStatus> = new Map([
  ['11', 'pending'], ['12', 'paid'], ['14', 'received'], ['3', 'settled'], ['13', 'invalid'],
])
const RETURNED = '1'

export type Pool = Pick<Settings, 'adzoneId' | 'poolKind' | 'poolIds'>

/** Null for a row without a time of change: the order of its changes would be unknown. */
export function toOrderLine(row: OrderRow, pool: Pool): OrderLine | null {
  const updated = parseChinaTime(row.modified_time)
  if (updated === null) return null
  const code = String(row.tk_status)
  const returned = String(row.refund_tag ?? '') === RETURNED
  // A settled order that is returned keeps its code, and gets a tag.
  const status = returned ? 'invalid' : STATUS_OF.get(code) ?? 'unknown'
  const final = status === 'received' || status === 'settled'
  const paid = fenOf(row.alipay_total_price) ?? 0
  return {
    source: NAME,
    line_id: String(row.trade_id),
    order_no: String(row.trade_parent_id ?? row.trade_id),
    item_id: idOrNull(row.item_id),
    title: row.item_title ?? '',
    qty: row.item_num ?? 1,
    amount: final ? fenOf(row.pay_price) || paid : paid,
    commission: { bps: bpsOf(row.tk_total_rate ?? row.income_rate), fen: feeOf(row, status) },
    status,
    mall_status: returned ? `${code} returned`.slice(0, 40) : code.slice(0, 40),
    sub_id: subIdOf(row, pool),
    ordered_at: parseChinaTime(row.tk_create_time),
    paid_at: parseChinaTime(row.tk_paid_time) ?? parseChinaTime(row.tb_paid_time),
    updated_at: updated,
  }
}

function feeOf(row: OrderRow, status: MallOrderStatus): number {
  const estimated = fenOf(row.pub_share_pre_fee) ?? 0
  if (status === 'invalid') return 0
  return status === 'settled' ? fenOf(row.pub_share_fee) ?? estimated : estimated
}

/** Per cent, with its sign or without. */
function bpsOf(rate: string | number | null | undefined): number | null {
  const text = String(rate ?? '').replace(/\s*%$/, '')
  const bps = /^\d{1,3}(?:\.\d{1,6})?$/.test(text) ? bpsOfPercent(Number(text)) : null
  return bps !== null && bps <= 10_000 ? bps : null
}

/** The neutral position belongs to no agent. */
function subIdOf(row: OrderRow, { adzoneId, poolKind = 'adzone', poolIds }: Pool): string | null {
  if (!poolIds?.length) return null
  const id = idOrNull({
    adzone: row.adzone_id, relation: row.relation_id, special: row.special_id,
  }[poolKind])
  return id === adzoneId && poolKind === 'adzone' ? null : id
}
