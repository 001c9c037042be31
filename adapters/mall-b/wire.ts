/** What mall B sends, as far as it is used. Numbers are yuan or per cent; ids numbers or text. */
import { Type, type Static } from 'typebox'
import { fits } from '../check.ts'
import { Code, Id, maybe } from '../wire.ts'

const Yuan = Type.Number({ minimum: 0, maximum: 1e8 })
const Percent = Type.Number({ minimum: 0, maximum: 100 })
const Count = Type.Number({ minimum: 0, maximum: 1e12 })

const ResultBody = Type.Object({
  code: Code,
  data: maybe(Type.Unknown()),
  totalCount: maybe(Type.Number()),
  hasMore: maybe(Type.Boolean()),
})

const Coupon = Type.Object({
  link: maybe(Type.String({ maxLength: 2000 })),
  discount: Yuan,
  quota: maybe(Yuan),
  /** 0 is money off; the others are rates and gifts, whose discount is no amount. */
  couponStyle: maybe(Type.Number()),
  useStartTime: maybe(Type.Number()),
  useEndTime: maybe(Type.Number()),
  getStartTime: maybe(Type.Number()),
  getEndTime: maybe(Type.Number()),
})

const GoodsRow = Type.Object({
  itemId: maybe(Id),
  skuId: maybe(Id),
  skuName: Type.String(),
  brandName: maybe(Type.String()),
  materialUrl: maybe(Type.String()),
  imageInfo: maybe(Type.Object({ imageList: maybe(Type.Unknown()) })),
  priceInfo: Type.Object({
    price: Yuan,
    lowestPrice: maybe(Yuan),
    /** 1 normal, 2 group, 3 flash sale, 4 presale with a deposit. */
    lowestPriceType: maybe(Type.Number()),
    lowestCouponPrice: maybe(Yuan),
  }),
  commissionInfo: maybe(Type.Object({
    commissionShare: maybe(Percent), commission: maybe(Yuan), couponCommission: maybe(Yuan),
  })),
  couponInfo: maybe(Type.Object({ couponList: maybe(Type.Unknown()) })),
  comments: maybe(Count),
  goodCommentsShare: maybe(Percent),
  commentInfo: maybe(Type.Object({ commentList: maybe(Type.Unknown()) })),
  inOrderCount30Days: maybe(Count),
  shopInfo: maybe(Type.Object({ shopName: maybe(Type.String()) })),
  categoryInfo: maybe(Type.Object({
    cid1Name: maybe(Type.String()), cid2Name: maybe(Type.String()),
    cid3Name: maybe(Type.String()),
  })),
})

/** Documented is the text alone; stars and a time come with some. */
const Comment = Type.Object({
  content: Type.String(),
  score: maybe(Type.Unknown()),
  creationTime: maybe(Type.Unknown()),
})

const Promotion = Type.Object({
  clickURL: maybe(Type.String({ maxLength: 4000 })),
  shortURL: maybe(Type.String({ maxLength: 4000 })),
})

const OrderRow = Type.Object({
  id: Id,
  orderId: Id,
  skuId: maybe(Id),
  itemId: maybe(Id),
  skuName: maybe(Type.String()),
  skuNum: maybe(Type.Integer({ minimum: 0 })),
  skuReturnNum: maybe(Type.Integer({ minimum: 0 })),
  validCode: Type.Integer(),
  orderTime: maybe(Type.String()),
  modifyTime: Type.String(),
  commissionRate: maybe(Percent),
  estimateCosPrice: maybe(Yuan),
  estimateFee: maybe(Yuan),
  actualCosPrice: maybe(Yuan),
  actualFee: maybe(Yuan),
  /** Day of payment as yyyyMMdd; past: paid out, 0: not yet known. */
  payMonth: maybe(Code),
  subUnionId: maybe(Type.String()),
})

export type ResultBody = Static<typeof ResultBody>
export type Comment = Static<typeof Comment>
export type Coupon = Static<typeof Coupon>
export type GoodsRow = Static<typeof GoodsRow>
export type OrderRow = Static<typeof OrderRow>

export const isResult = fits(ResultBody)
export const isCoupon = fits(Coupon)
export const isGoodsRow = fits(GoodsRow)
export const isPromotion = fits(Promotion)
export const isOrderRow = fits(OrderRow)
export const isImage = fits(Type.Object({ url: Type.String() }))
export const isComment = fits(Comment)
