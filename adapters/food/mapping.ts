/** What the food platform sends, and its rows, links and orders in the normal form. */
import { type Static, Type } from 'typebox'
import type { ConvertedLink, Item, OrderLine, MallOrderStatus } from '../contract.ts'
import { breakdown, fenOfNumber, fenOfText } from '../price.ts'
import { opensApp, webLink } from '../text.ts'
import { Code, fits, Id, idOrNull, maybe } from '../wire.ts'
import { NAME, type Body } from './signing.ts'

// What the platform sends, as far as it is used. Amounts are yuan, mostly as text.

/** Numbers, numbers as text, and the word "null" for nothing. */
const Loose = maybe(Code)
const Words = maybe(Type.String())

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

const ScrollPage = Type.Object({
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

export type CouponRow = Static<typeof CouponRow>
export type Links = Static<typeof Links>
export type OrderPart = Static<typeof OrderPart>
export type OrderRow = Static<typeof OrderRow>

export const isCouponRow = fits(CouponRow)
export const isLinks = fits(Links)
export const isMiniProgram = fits(Type.Object({ appId: Words, path: Type.String() }))
export const isScrollPage = fits(ScrollPage)
export const isOrderRow = fits(OrderRow)

// Rows and links in the normal form.

type TextOrNumber = string | number | null | undefined

/** Null for every form of nothing: absent, null, empty, and the word itself. */
export const textOf = (value: TextOrNumber): string | null =>
  value === undefined || value === null || value === '' || value === 'null' ? null : String(value)

export const fenOf = (yuan: TextOrNumber): number | null =>
  (typeof yuan === 'number' ? fenOfNumber(yuan) : fenOfText(yuan))

/** "400" is four per cent. */
export function bpsOf(value: TextOrNumber): number | null {
  const bps = Number(textOf(value) ?? NaN)
  return Number.isInteger(bps) && bps >= 0 && bps <= 10_000 ? bps : null
}

/** "热销1000+" → 1000, "2.3万+" → 23000: never more than the true number. */
export function salesOf(value: TextOrNumber): number | null {
  const match = /(\d{1,12}(?:\.\d{1,4})?)\s*(万|w)?/i.exec(textOf(value) ?? '')
  return match ? Math.floor(Number(match[1]) * (match[2] ? 10_000 : 1)) : null
}

/**
 * The platform sells the coupon itself: its price is the coupon's, and nobody pays the price of the
 * meal that is struck through beside it.
 */
export function toItem(row: CouponRow, itemUrl: string | undefined): Item | null {
  const { couponPackDetail: pack, brandInfo, deliverablePoiInfo, commissionInfo } = row
  const id = textOf(pack.skuViewId)
  const list = fenOf(pack.sellPrice)
  if (id === null || !list) return null
  const bps = bpsOf(commissionInfo?.commissionPercent)
  const fen = fenOf(commissionInfo?.commission)
  const brand = textOf(brandInfo?.brandName)
  const image = webLink(pack.headUrl)
  return {
    source: NAME,
    id,
    title: pack.name,
    brand,
    category: textOf(pack.categoryName),
    shop: brand ?? textOf(deliverablePoiInfo?.poiName),
    images: image === null ? [] : [image],
    price: breakdown({ list }),
    special: null,
    sales: salesOf(pack.saleVolume),
    rating: null,
    reviews: null,
    url: itemUrl?.replace('{id}', id) ?? null,
    coupon_url: null,
    commission: bps === null || fen === null ? null : { bps, fen },
  }
}

/** Opens web pages in the platform's mini-program. */
const MINI_PROGRAM_ID = 'wxde8ac0a21135c07d'

export type BuyLinks = Pick<ConvertedLink, 'url' | 'app_url' | 'mini_program'>

/** Null where the platform made no link: it does not know the item or link. */
export function toLinks(body: Body, miniProgramId = MINI_PROGRAM_ID): BuyLinks | null {
  const plain = typeof body.data === 'string' ? body.data : null
  const inner = plain === null ? (body.data as Pick<Body, 'referralLinkMap'> | null) : null
  const map = inner?.referralLinkMap ?? body.referralLinkMap
  const links: Links = isLinks(map) ? map : {}
  const url = webLink(links[1]) ?? webLink(links[2]) ?? webLink(plain)
  if (url === null) return null
  return {
    url,
    app_url: appLink(links[3]),
    mini_program: miniProgram(links[4], miniProgramId),
  }
}

const APP_LINK = /^[a-z][a-z0-9+.-]*:\/\/[^\s"<>\\]{1,2000}$/

/** Drops an unsafe app link, and keeps the web link beside it. */
const appLink = (text: string | null | undefined): string | null =>
  (text && APP_LINK.test(text) && opensApp(text) ? text : null)

const APP_ID = /^[0-9A-Za-z_-]{1,64}$/
const APP_PATH = /^[^\s\p{C}"<>\\]{1,2000}$/u

function miniProgram(given: Links[4], known: string): BuyLinks['mini_program'] {
  const { appId, path } = isMiniProgram(given) ? given
    : { appId: known, path: typeof given === 'string' ? given : '' }
  const app_id = appId || known
  return APP_ID.test(app_id) && APP_PATH.test(path) ? { app_id, path } : null
}

// Orders. An order has a part for each coupon, and each part its own state; where there are parts,
// the order's own status is only that of one of them.

/** The name under which the general coupon is converted and sold. */
export const GENERAL = 'general'

const STATUS_OF: Readonly<Record<string, MallOrderStatus>> = {
  2: 'paid', 3: 'received', 4: 'invalid', 5: 'invalid', 6: 'settled',
}
const PART_STATUS_OF: Readonly<Record<string, MallOrderStatus>> = {
  1: 'paid', 2: 'received', 3: 'settled', 4: 'invalid',
}
/** Under examination for fraud: no state of a part, so it holds whatever the parts' states. */
const RISK = '5'
/** An order has the least advanced state of its parts. */
const PROGRESS: readonly MallOrderStatus[] = ['unknown', 'paid', 'received', 'settled']
const PER_ORDER = '2'

export function toOrderLine(row: OrderRow, actId: string): OrderLine | null {
  const parts = row.orderDetail ?? []
  const updated = latestOf([row, ...parts])
  const paid = timeOf(row.payTime)
  if (updated === null && paid === null) return null
  const status = statusOf(row, parts)
  return {
    source: NAME,
    line_id: String(row.orderId),
    order_no: String(row.orderId),
    item_id: itemOf(row, actId),
    title: row.productName ?? '',
    qty: parts.length || 1,
    amount: amountOf(row, parts, status),
    commission: {
      bps: bpsOf(row.commissionRate),
      fen: status === 'invalid' ? 0 : commissionOf(row, parts),
    },
    status,
    mall_status: mallStatusOf(row, parts),
    sub_id: textOf(row.sid),
    // The platform lists orders once they are paid, without the time of the order.
    ordered_at: null,
    paid_at: paid,
    updated_at: updated ?? paid ?? 0,
  }
}

function itemOf({ productViewSign, actId, productId }: OrderRow, general: string): string | null {
  const named = idOrNull(textOf(productViewSign))
  if (named !== null) return named
  return textOf(actId) === general ? GENERAL : idOrNull(textOf(productId))
}

function statusOf({ status }: OrderRow, parts: readonly OrderPart[]): MallOrderStatus {
  const whole = textOf(status) ?? ''
  if (parts.length === 0 || whole === RISK) return STATUS_OF[whole] ?? 'unknown'
  const valid = new Set(parts.map(partStatus))
  valid.delete('invalid')
  if (valid.size === 0) return 'invalid'
  return PROGRESS.find((step) => valid.has(step)) ?? 'unknown'
}

const partStatus = ({ couponStatus }: OrderPart): MallOrderStatus =>
  PART_STATUS_OF[textOf(couponStatus) ?? ''] ?? 'unknown'

/** What was paid and not refunded. */
function amountOf(row: OrderRow, parts: readonly OrderPart[], status: MallOrderStatus): number {
  const paid = fenOf(row.payPrice) ?? sum(parts.map(({ basicAmount }) => fenOf(basicAmount)))
  if (status === 'invalid') return paid
  const returned = parts.length === 0 ? fenOf(row.refundPrice) : sum(parts.map((part) =>
    fenOf(part.refundAmount)
      ?? (partStatus(part) === 'invalid' ? fenOf(part.basicAmount) : 0)))
  return Math.max(paid - (returned ?? 0), 0)
}

/** Of the parts that count; without parts, or without their fees, that of the whole order. */
function commissionOf(row: OrderRow, parts: readonly OrderPart[]): number {
  const valid = parts.filter((part) => partStatus(part) !== 'invalid')
  const fees = valid.map(({ couponFee }) => fenOf(couponFee))
  if (valid.length > 0 && fees.every((fee) => fee !== null)) {
    return Math.max(sum(fees) - sum(valid.map(({ refundFee }) => fenOf(refundFee))), 0)
  }
  const [earned, returned] = textOf(row.tradeType) === PER_ORDER
    ? [row.cpaProfit, row.cpaRefundProfit] : [row.profit, row.refundProfit]
  return Math.max((fenOf(earned) ?? 0) - (fenOf(returned) ?? 0), 0)
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** The order's own time stands still when only a part of it changes. */
function latestOf(parts: readonly Partial<OrderPart>[]): number | null {
  const times = parts.flatMap(({ updateTime, refundTime, settleTime, finishTime }) =>
    [updateTime, refundTime, settleTime, finishTime].map(timeOf).filter((time) => time !== null))
  return times.length === 0 ? null : Math.max(...times)
}

/** Seconds, as numbers or text. */
function timeOf(value: string | number | null | undefined): number | null {
  const seconds = Number(textOf(value) ?? NaN)
  return Number.isInteger(seconds) && seconds > 0 ? seconds * 1000 : null
}

/** "2", or "2:1,4" where the parts have states of their own. */
function mallStatusOf({ status }: OrderRow, parts: readonly OrderPart[]): string {
  const states = new Set(parts.map(({ couponStatus }) => textOf(couponStatus) ?? '?'))
  const whole = textOf(status) ?? '?'
  return (states.size === 0 ? whole : `${whole}:${[...states].sort().join(',')}`).slice(0, 40)
}
