/** What mall B sends, and its rows in the normal form. */
import { type Static, Type } from 'typebox'
import type { Breakdown, Item, OrderLine, MallOrderStatus, Review } from '../contract.ts'
import { bpsOfPercent, breakdown, fenOfNumber } from '../price.ts'
import { schemeless, webLink } from '../text.ts'
import { parseChinaDay, parseChinaTime } from '../time.ts'
import { Code, fits, Id, idOrNull, listOf, maybe } from '../wire.ts'
import { NAME } from './signing.ts'

// What mall B sends, as far as it is used. Numbers are yuan or per cent; ids numbers or text.

const Yuan = Type.Number({ minimum: 0, maximum: 1e8 })
const Percent = Type.Number({ minimum: 0, maximum: 100 })
const Count = Type.Number({ minimum: 0, maximum: 1e12 })

const Coupon = Type.Object({
  link: maybe(Type.String({ maxLength: 2000 })),
  discount: Yuan,
  quota: maybe(Yuan),
  /** 0 is money off; the others are rates and gifts, whose discount is not an amount. */
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

/** Only the text is documented; some have stars and a time. */
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

export type Comment = Static<typeof Comment>
export type Coupon = Static<typeof Coupon>
export type GoodsRow = Static<typeof GoodsRow>
export type OrderRow = Static<typeof OrderRow>

export const isCoupon = fits(Coupon)
export const isGoodsRow = fits(GoodsRow)
export const isPromotion = fits(Promotion)
export const isOrderRow = fits(OrderRow)
export const isImage = fits(Type.Object({ url: Type.String() }))
export const isComment = fits(Comment)

// Rows in the normal form.

/** Which of its two ids names an item: 1 the union's, 2 the main site's. */
export type Scene = 1 | 2

const GROUP = 2
const PRESALE = 4

/** Null for a row without a price or an id of its scene. */
export function toItem(row: GoodsRow, scene: Scene, now: number): Item | null {
  const id = idOrNull(scene === 1 ? row.itemId : row.skuId)
  const price = priceOf(row, now)
  if (id === null || price === null) return null
  return {
    source: NAME,
    id,
    title: row.skuName,
    brand: row.brandName ?? null,
    category: row.categoryInfo?.cid3Name ?? row.categoryInfo?.cid2Name
      ?? row.categoryInfo?.cid1Name ?? null,
    shop: row.shopInfo?.shopName ?? null,
    images: imagesOf(row),
    ...price,
    sales: row.inOrderCount30Days == null ? null : Math.round(row.inOrderCount30Days),
    ...opinionsOf(row),
    url: schemeless(row.materialUrl),
    commission: commissionOf(row),
  }
}

/**
 * Not everybody pays a group's or a presale's price at once: a group's is the special price, and a
 * presale's carries its condition.
 */
function priceOf(
  { priceInfo, couponInfo }: GoodsRow, now: number,
): Pick<Item, 'price' | 'special' | 'coupon_url'> | null {
  const normal = fenOfNumber(priceInfo.price)
  const lowest = fenOfNumber(priceInfo.lowestPrice) || normal
  if (!normal || !lowest) return null
  const coupons = (listOf(couponInfo?.couponList, 'coupon') ?? []).filter(isCoupon)
  const claimed = fenOfNumber(priceInfo.lowestCouponPrice)
  const type = priceInfo.lowestPriceType
  if (type === PRESALE) {
    return {
      price: breakdown({ list: lowest, conditions: ['deposit'] }),
      special: null, coupon_url: null,
    }
  }
  const group = type === GROUP && lowest < normal
  const list = group ? normal : Math.min(lowest, normal)
  const { price, coupon } = withCoupon(list, coupons, group ? null : claimed, now)
  return {
    price,
    special: group ? breakdown({ list: lowest, conditions: ['group'] }) : null,
    coupon_url: coupon ? webLink(coupon.link) : null,
  }
}

/** With the best coupon that this price reaches; but never below what the mall itself states. */
function withCoupon(
  list: number, coupons: readonly Coupon[], claimed: number | null, now: number,
): { price: Breakdown, coupon: Coupon | null } {
  const plain = { price: breakdown({ list }), coupon: null }
  return coupons.filter((coupon) => isUsable(coupon, now))
    .map((coupon) => ({
      coupon,
      price: breakdown({
        list,
        coupon: {
          amount: fenOfNumber(coupon.discount) ?? 0, threshold: fenOfNumber(coupon.quota) ?? 0,
        },
      }),
    }))
    .filter(({ price }) => price.coupon !== null
      && (claimed === null || claimed === 0 || price.payable >= claimed))
    .reduce((best, one) => (one.price.payable < best.price.payable ? one : best),
      plain as { price: Breakdown, coupon: Coupon | null })
}

function isUsable(coupon: Coupon, now: number): boolean {
  const ends = [coupon.getEndTime, coupon.useEndTime]
  const starts = [coupon.getStartTime, coupon.useStartTime]
  return !coupon.couponStyle && ends.every((end) => !end || end > now)
    && starts.every((start) => !start || start <= now)
}

const imagesOf = ({ imageInfo }: GoodsRow): string[] =>
  (listOf(imageInfo?.imageList, 'urlInfo') ?? []).filter(isImage)
    .map(({ url }) => schemeless(url)).filter((url) => url !== null)

/** The mall states the share of good reviews, not stars: all good is five. */
function opinionsOf(row: GoodsRow): Pick<Item, 'rating' | 'reviews'> {
  if (!row.comments) return { rating: null, reviews: null }
  const positive = row.goodCommentsShare ?? null
  return {
    rating: positive === null ? null : Math.round(positive * 5) / 100,
    reviews: {
      count: Math.round(row.comments),
      positive_percent: positive,
      samples: (listOf(row.commentInfo?.commentList, 'comment') ?? []).filter(isComment)
        .map(toReview),
    },
  }
}

/** Impossible stars or times become null. */
function toReview({ content, score, creationTime }: Comment): Review {
  const stars = Number(score ?? 0)
  return {
    text: content,
    rating: Number.isInteger(stars) && stars >= 1 && stars <= 5 ? stars : null,
    at: typeof creationTime === 'string' ? parseChinaTime(creationTime) : null,
  }
}

function commissionOf({ commissionInfo: info }: GoodsRow): Item['commission'] {
  const fen = fenOfNumber(info?.couponCommission) ?? fenOfNumber(info?.commission)
  return info?.commissionShare == null || fen === null ? null
    : { bps: bpsOfPercent(info.commissionShare), fen }
}

/** −1 is "unknown" in the mall's own list, and so is every code that is not listed. */
const STATUS_OF: ReadonlyMap<number, MallOrderStatus> = new Map([
  ...[15, 24].map((code) => [code, 'pending'] as const),
  [16, 'paid'], [17, 'received'],
  ...[2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 19, 20, 21, 22, 23, 25, 26, 27, 28, 29, 30]
    .map((code) => [code, 'invalid'] as const),
])

export function toOrderLine(row: OrderRow, scene: Scene, now: number): OrderLine | null {
  const updated = parseChinaTime(row.modifyTime)
  if (updated === null) return null
  const paidOut = parseChinaDay(String(row.payMonth ?? '')) ?? Infinity
  const known = STATUS_OF.get(row.validCode) ?? 'unknown'
  // A finished order whose items were all returned keeps its code, even where it was paid out.
  const returned = known === 'received'
    && (row.skuReturnNum ?? 0) >= Math.max(row.skuNum ?? 1, 1)
  const status = returned ? 'invalid'
    : known === 'received' && paidOut <= now ? 'settled' : known
  const final = status === 'received' || status === 'settled'
  const ordered = parseChinaTime(row.orderTime)
  const amount = fenOfNumber(final ? row.actualCosPrice : row.estimateCosPrice)
    ?? fenOfNumber(row.estimateCosPrice)
  const fee = fenOfNumber(final ? row.actualFee : row.estimateFee) ?? fenOfNumber(row.estimateFee)
  return {
    source: NAME,
    line_id: String(row.id),
    order_no: String(row.orderId),
    item_id: idOrNull(scene === 1 ? row.itemId : row.skuId),
    title: row.skuName ?? '',
    qty: row.skuNum ?? 1,
    amount: amount ?? 0,
    commission: {
      bps: row.commissionRate == null ? null : bpsOfPercent(row.commissionRate),
      fen: status === 'invalid' ? 0 : fee ?? 0,
    },
    status,
    mall_status: returned ? `${row.validCode} returned` : String(row.validCode),
    sub_id: row.subUnionId || null,
    ordered_at: ordered,
    // The mall gives no time of payment; its orders are paid within minutes of being placed.
    paid_at: status === 'pending' || status === 'unknown' ? null : ordered,
    updated_at: updated,
  }
}
