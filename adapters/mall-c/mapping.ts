/** What mall C sends, and its rows in the normal form. */
import { type Static, Type } from 'typebox'
import { ID_PATTERN, type Item, type OrderLine, type MallOrderStatus } from '../contract.ts'
import { breakdown } from '../price.ts'
import { webLink } from '../text.ts'
import { fits, Id, listOf, maybe } from '../wire.ts'
import { NAME } from './signing.ts'

// What mall C sends, as far as it is used. Amounts are fen, rates per mille, times seconds.

const Fen = Type.Integer({ minimum: 0, maximum: 1e10 })
const PerMille = Type.Number({ minimum: 0, maximum: 1000 })
const Count = Type.Integer({ minimum: 0, maximum: 1e12 })
const Seconds = Type.Integer({ minimum: 0, maximum: 4_102_444_800 })
const Text = maybe(Type.String())
const Link = maybe(Type.String({ maxLength: 4000 }))

const GoodsRow = Type.Object({
  goods_sign: Type.String(),
  goods_name: Type.String(),
  goods_image_url: Text,
  goods_thumbnail_url: Text,
  goods_gallery_urls: maybe(Type.Unknown()),
  /** What nearly everybody pays: strangers join one group with a tap. */
  min_group_price: maybe(Fen),
  /** For a person who buys alone. */
  min_normal_price: maybe(Fen),
  has_coupon: maybe(Type.Boolean()),
  coupon_discount: maybe(Fen),
  coupon_min_order_amount: maybe(Fen),
  coupon_remain_quantity: maybe(Count),
  coupon_start_time: maybe(Seconds),
  coupon_end_time: maybe(Seconds),
  promotion_rate: maybe(PerMille),
  /** Rounded, in words: "2.1万+". */
  sales_tip: Text,
  mall_name: Text,
  opt_name: Text,
  brand_name: Text,
})

const Promotion = Type.Object({
  url: Link, short_url: Link, mobile_url: Link, mobile_short_url: Link, schema_url: Link,
  we_app_info: maybe(Type.Object({ app_id: Text, page_path: Text })),
})

const OrderRow = Type.Object({
  order_sn: Id,
  order_status: Type.Integer(),
  goods_sign: Text,
  goods_name: Text,
  goods_quantity: maybe(Type.Integer({ minimum: 0 })),
  order_amount: maybe(Fen),
  promotion_rate: maybe(PerMille),
  /** With the fee that the mall keeps for itself. */
  promotion_amount: maybe(Fen),
  duo_id_service_fee: maybe(Fen),
  /** Null until they are reached, or 0. */
  order_create_time: maybe(Seconds),
  order_pay_time: maybe(Seconds),
  order_modify_at: Seconds,
  custom_parameters: Text,
})

export type GoodsRow = Static<typeof GoodsRow>
export type Promotion = Static<typeof Promotion>
export type OrderRow = Static<typeof OrderRow>

export const isGoodsRow = fits(GoodsRow)
export const isPromotion = fits(Promotion)
export const isOrderRow = fits(OrderRow)

// Rows in the normal form.

const ID = new RegExp(ID_PATTERN)

export interface Naming {
  readonly itemUrl?: string
  readonly neutralUid?: string
}

/** Null for a row without a price. */
export function toItem(row: GoodsRow, { itemUrl }: Naming, now: number): Item | null {
  // Buying in a group is the usual way and needs no other person: the group price is the price.
  const list = row.min_group_price || row.min_normal_price
  if (!list) return null
  const price = breakdown({ list, coupon: couponOf(row, now) })
  return {
    source: NAME,
    id: row.goods_sign,
    title: row.goods_name,
    brand: row.brand_name ?? null,
    category: row.opt_name ?? null,
    shop: row.mall_name ?? null,
    images: imagesOf(row),
    price,
    special: null,
    sales: salesOf(row.sales_tip),
    // The mall has neither stars nor reviews of an item, only ratings of its shop.
    rating: null,
    reviews: null,
    url: itemUrl ? itemUrl.replace('{id}', encodeURIComponent(row.goods_sign)) : null,
    // The promotion link carries the coupon by itself.
    coupon_url: null,
    commission: row.promotion_rate == null ? null : {
      bps: bpsOf(row.promotion_rate),
      fen: Math.floor(price.payable * row.promotion_rate / 1000),
    },
  }
}

const bpsOf = (perMille: number): number => Math.round(perMille * 10)

function couponOf(row: GoodsRow, now: number): { amount: number, threshold: number } | null {
  const { coupon_start_time: start, coupon_end_time: end } = row
  const open = (!start || start * 1000 <= now) && (!end || end * 1000 > now)
  if (!row.has_coupon || !row.coupon_discount || !open || row.coupon_remain_quantity === 0) {
    return null
  }
  return { amount: row.coupon_discount, threshold: row.coupon_min_order_amount ?? 0 }
}

function imagesOf(row: GoodsRow): string[] {
  const gallery = (listOf(row.goods_gallery_urls) ?? []).filter((url) => typeof url === 'string')
  const own = row.goods_image_url ?? row.goods_thumbnail_url
  return [own, ...gallery].map((url) => webLink(url)).filter((url) => url !== null)
}

const SALES = /(\d{1,12}(?:\.\d{1,4})?)\s*([万亿])?/
const UNITS: Readonly<Record<string, number>> = { 万: 10_000, 亿: 100_000_000 }

/** "2.1万+" is at least 21,000; the sales of a whole shop are not those of one item. */
export function salesOf(tip: string | null | undefined): number | null {
  const match = /全店|店铺/.test(tip ?? '') ? null : SALES.exec(tip ?? '')
  return match ? Math.round(Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1)) : null
}

const STATUS_OF: ReadonlyMap<number, MallOrderStatus> = new Map([
  [-1, 'pending'], [0, 'paid'], [1, 'paid'], [2, 'received'], [3, 'received'], [5, 'settled'],
  [4, 'invalid'], [8, 'invalid'], [10, 'invalid'],
])

/** Null for a row without a time of change. One order of this mall is of one item. */
export function toOrderLine(row: OrderRow, { neutralUid }: Naming): OrderLine | null {
  const updated = timeOf(row.order_modify_at)
  if (updated === null) return null
  const status = STATUS_OF.get(row.order_status) ?? 'unknown'
  const earned = Math.max((row.promotion_amount ?? 0) - (row.duo_id_service_fee ?? 0), 0)
  const uid = uidOf(row.custom_parameters)
  return {
    source: NAME,
    line_id: String(row.order_sn),
    order_no: String(row.order_sn),
    item_id: ID.test(row.goods_sign ?? '') ? row.goods_sign ?? null : null,
    title: row.goods_name ?? '',
    qty: row.goods_quantity ?? 1,
    amount: row.order_amount ?? 0,
    commission: {
      bps: row.promotion_rate == null ? null : bpsOf(row.promotion_rate),
      fen: status === 'invalid' ? 0 : earned,
    },
    status,
    mall_status: String(row.order_status),
    sub_id: uid === neutralUid ? null : uid,
    ordered_at: timeOf(row.order_create_time),
    paid_at: timeOf(row.order_pay_time),
    updated_at: updated,
  }
}

const timeOf = (seconds: number | null | undefined): number | null =>
  (seconds ? seconds * 1000 : null)

const SUB_ID_LENGTH_MAX = 128

/** The echo is the link's parameter, and other programs of the operator make links too. */
function uidOf(custom: string | null | undefined): string | null {
  try {
    const { uid } = Object(JSON.parse(custom ?? '')) as { uid?: unknown }
    return typeof uid === 'string' && uid !== '' && uid.length <= SUB_ID_LENGTH_MAX ? uid : null
  } catch {
    return null
  }
}
