/** What mall A sends, as far as it is used. Money and rates are text; ids numbers or text. */
import { Type, type Static } from 'typebox'
import { fits } from '../check.ts'
import { Code, Id, listOf, maybe } from '../wire.ts'

const Text = maybe(Type.String())
/** Yuan, or per cent: documented as text, at times a number. */
const Decimal = maybe(Code)
/** A day, a time of China, or milliseconds. */
const Moment = maybe(Code)
const Count = maybe(Type.Number({ minimum: 0, maximum: 1e12 }))
const Unknown = maybe(Type.Unknown())

const Body = Type.Object({
  request_id: Text,
  total_results: maybe(Type.Number()),
  result_list: Unknown,
  results: Unknown,
  data: Unknown,
})

const Presale = Type.Object({
  presale_deposit: Decimal, presale_start_time: Moment, presale_end_time: Moment,
})

/** One step from the sale price to the estimated price. */
const Step = Type.Object({
  promotion_title: Text,
  promotion_desc: Text,
  promotion_fee: Decimal,
  promotion_start_time: Moment,
  promotion_end_time: Moment,
})

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

/** Of the older search, and of the older details, which name some fields otherwise. */
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

export type Body = Static<typeof Body>
export type Presale = Static<typeof Presale>
export type Step = Static<typeof Step>
export type NestedRow = Static<typeof NestedRow>
export type FlatRow = Static<typeof FlatRow>
export type ShopRow = Static<typeof ShopRow>
export type LinkRow = Static<typeof LinkRow>
export type OrderRow = Static<typeof OrderRow>

export const isBody = fits(Body)
export const isStep = fits(Step)
export const isNestedRow = fits(NestedRow)
export const isFlatRow = fits(FlatRow)
export const isShopRow = fits(ShopRow)
export const isLinkRow = fits(LinkRow)
export const isShareCode = fits(ShareCode)
export const isOrderData = fits(OrderData)
export const isOrderRow = fits(OrderRow)

/** A list, plain or under its typed key, or the object without that key which means none. */
export function rowsOf(value: unknown, key: string): readonly unknown[] | null {
  const none = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return none ? [] : listOf(value, key)
}
