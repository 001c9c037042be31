/** What the food platform sends, as far as it is used. Amounts are yuan, mostly as text. */
import { Type, type Static } from 'typebox'
import { fits } from '../check.ts'
import { Code, Id, maybe } from '../wire.ts'

/** Numbers, numbers as text, and the word "null" for nothing. */
const Loose = maybe(Code)
const Words = maybe(Type.String())

/** The links of an answer stand at its root or under `data`; `data` may be a link itself. */
const Body = Type.Object({
  code: maybe(Code),
  status: maybe(Code),
  data: maybe(Type.Unknown()),
  referralLinkMap: maybe(Type.Unknown()),
  skuViewId: maybe(Id),
  hasNext: maybe(Type.Boolean()),
  searchId: maybe(Type.String({ maxLength: 2000 })),
})

const CouponRow = Type.Object({
  couponPackDetail: Type.Object({
    name: Type.String(),
    skuViewId: Id,
    headUrl: Words,
    sellPrice: Code,
    /** "120", "热销1000+", "2.3万+" */
    saleVolume: Loose,
    categoryName: Words,
  }),
  brandInfo: maybe(Type.Object({ brandName: Words })),
  deliverablePoiInfo: maybe(Type.Object({ poiName: Words })),
  commissionInfo: maybe(Type.Object({ commissionPercent: Loose, commission: Loose })),
})

const Links = Type.Object({
  1: Words,
  2: Words,
  3: Words,
  /** A path, or a path with the mini-program that opens it. */
  4: maybe(Type.Unknown()),
})

const OrderPage = Type.Object({
  scrollId: maybe(Type.String({ maxLength: 4000 })),
  skuCount: maybe(Type.Number()),
  dataList: maybe(Type.Array(Type.Unknown())),
})

const OrderPart = Type.Object({
  couponStatus: Loose,
  basicAmount: Loose,
  couponFee: Loose,
  refundAmount: Loose,
  refundFee: Loose,
  refundTime: Loose,
  settleTime: Loose,
  finishTime: Loose,
  updateTime: Loose,
})

const OrderRow = Type.Object({
  orderId: Id,
  payTime: Loose,
  updateTime: Loose,
  payPrice: Loose,
  commissionRate: Loose,
  profit: Loose,
  cpaProfit: Loose,
  /** 1: a share of the price; 2: so much for each order. */
  tradeType: Loose,
  refundPrice: Loose,
  refundProfit: Loose,
  cpaRefundProfit: Loose,
  sid: Loose,
  actId: Loose,
  productId: Loose,
  productViewSign: Loose,
  productName: Words,
  status: Loose,
  orderDetail: maybe(Type.Array(OrderPart, { maxItems: 1000 })),
})

export type Body = Static<typeof Body>
export type CouponRow = Static<typeof CouponRow>
export type Links = Static<typeof Links>
export type OrderPart = Static<typeof OrderPart>
export type OrderRow = Static<typeof OrderRow>

export const isBody = fits(Body)
export const isCouponRow = fits(CouponRow)
export const isLinks = fits(Links)
export const isMiniProgram = fits(Type.Object({ appId: Words, path: Type.String() }))
export const isOrderPage = fits(OrderPage)
export const isOrderRow = fits(OrderRow)
