/** What mall C sends, as far as it is used. Amounts are fen, rates per mille, times seconds. */
import { Type, type Static } from 'typebox'
import { fits } from '../check.ts'
import { Id, maybe } from '../wire.ts'

const Fen = Type.Integer({ minimum: 0, maximum: 1e10 })
const PerMille = Type.Number({ minimum: 0, maximum: 1000 })
const Count = Type.Integer({ minimum: 0, maximum: 1e12 })
const Seconds = Type.Integer({ minimum: 0, maximum: 4_102_444_800 })
const Text = maybe(Type.String())
const Link = maybe(Type.String({ maxLength: 4000 }))

const Body = Type.Object({
  request_id: Text,
  total_count: maybe(Count),
  list_id: maybe(Type.String({ maxLength: 400 })),
})

const GoodsRow = Type.Object({
  goods_sign: Type.String(),
  goods_name: Type.String(),
  goods_image_url: Text,
  goods_thumbnail_url: Text,
  goods_gallery_urls: maybe(Type.Unknown()),
  /** What nearly everybody pays: strangers join one group at a touch. */
  min_group_price: maybe(Fen),
  /** For who buys alone. */
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

export type Body = Static<typeof Body> & Readonly<Record<string, unknown>>
export type GoodsRow = Static<typeof GoodsRow>
export type Promotion = Static<typeof Promotion>
export type OrderRow = Static<typeof OrderRow>

export const isBody = fits(Body) as (value: unknown) => value is Body
export const isGoodsRow = fits(GoodsRow)
export const isPromotion = fits(Promotion)
export const isOrderRow = fits(OrderRow)
