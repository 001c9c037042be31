/** What the simulated food platform answers to a request that its gateway accepted. */
import { idOf, indexOfId, type Catalogue, type SimOffer } from '../../simulator/catalogue.ts'
import { carriedBy, packed, type ShortLinks } from '../../simulator/links.ts'
import type { SimClick, SimOrder, SimOrders, SimState } from '../../simulator/orders.ts'
import { linkOn } from '../../text.ts'
import { DAY_MS } from '../../time.ts'
import { NAME } from '../signing.ts'

export const HOST = 'food.example'
export const ITEM_URL = `https://www.${HOST}/coupon/{id}.html`
export const ACT_ID = '33'
const MINI_PROGRAM = 'wx-sandbox-food'
const PAGE_SIZE_MAX = 20

export type Asked = Readonly<Record<string, unknown>>

export const refused = (code: number): object => ({ code, message: '请求被拒绝', data: null })
const yuan = (fen: number): string => (fen / 100).toFixed(2)
const whole = (value: unknown, or: number): number => (value === undefined ? or : Number(value))

const offerOf = (catalogue: Catalogue, id: unknown): SimOffer | null => {
  const index = indexOfId(NAME, String(id))
  return index === null ? null : catalogue.offer(index)
}

/** Later pages of a search carry the id of its first page. */
const searchIdOf = (text: string): string => Buffer.from(text).toString('base64url')

export function queryCoupons(catalogue: Catalogue, asked: Asked): object {
  const { platform = 1, skuViewIds: ids, searchText: text, searchId, sortField = 1 } = asked
  const page = whole(asked['pageNo'], 1)
  const pageSize = whole(asked['pageSize'], PAGE_SIZE_MAX)
  if ((platform !== 1 && platform !== 2) || !(page >= 1) || !(pageSize >= 1)
    || pageSize > PAGE_SIZE_MAX) return refused(1)
  if (Array.isArray(ids)) {
    const offers = ids.map((id) => offerOf(catalogue, id)).filter((one) => one !== null)
    return listed(offers, false)
  }
  if (typeof text !== 'string' || text === '') return refused(1)
  if (page > 1 && searchId !== searchIdOf(text)) return refused(1)
  const { offers, total } = catalogue.search({
    q: text, page, pageSize, sort: sortField === 2 ? 'price_asc' : undefined,
  })
  return { ...listed(offers, total > page * pageSize), searchId: searchIdOf(text) }
}

const listed = (offers: readonly SimOffer[], hasNext: boolean): object =>
  ({ code: 0, message: '成功', data: offers.map(couponRow), hasNext })

function couponRow(offer: SimOffer): object {
  const { product, images, price, coupon, shop, commissionBps } = offer
  const id = idOf(NAME, product.index)
  return {
    couponPackDetail: {
      name: product.title, skuViewId: id, headUrl: (images[0] ?? '').replace(/^https:/, ''),
      originalPrice: yuan(price + (coupon?.amount ?? 0)), sellPrice: yuan(price),
      saleVolume: salesText(offer.sales), platform: 1, bizLine: 5,
      categoryName: product.category,
    },
    brandInfo: { brandName: shop, brandLogoUrl: images[0] },
    commissionInfo: {
      commissionPercent: String(commissionBps),
      commission: yuan(Math.floor(price * commissionBps / 10_000)),
    },
    availablePoiInfo: { availablePoiNum: 12 },
    deliverablePoiInfo: null,
    couponValidTimeInfo: null,
  }
}

const salesText = (sales: number): string => (sales < 10_000 ? `热销${sales}`
  : `热销${Math.floor(sales / 1000) / 10}万+`)

const SID = /^[A-Za-z0-9_]{1,64}$/

/** A link to exactly one of an activity, an item and a page. */
export function referral(catalogue: Catalogue, short: ShortLinks, asked: Asked): object {
  const { actId, skuViewId, text, sid = '', linkType = 1, linkTypeList: types } = asked
  const named = [actId, skuViewId, text].filter((one) => one !== undefined && one !== '')
  if (named.length !== 1 || (sid !== '' && !SID.test(String(sid)))) return refused(1)
  const offer = actId !== undefined ? generalOffer(catalogue, String(actId))
    : offerOf(catalogue, skuViewId ?? idInPage(String(text)))
  if (!offer) return { code: 0, message: '成功', data: null }
  const links = linksTo({
    index: offer.product.index, subId: String(sid),
    echo: actId === undefined ? {} : { actId: String(actId) },
  }, short)
  const found = { code: 0, message: '成功', skuViewId: idOf(NAME, offer.product.index) }
  if (!Array.isArray(types)) return { ...found, data: links[Number(linkType)] ?? null }
  const map = Object.fromEntries(types.map((type) => [String(type), links[Number(type)]]))
  // The gateway's answers put the links in one of two places.
  return actId === undefined ? { ...found, data: { referralLinkMap: map } }
    : { code: 0, message: '成功', data: null, referralLinkMap: { ...map, 4: links[4]?.path } }
}

const idInPage = (page: string): string | null =>
  (linkOn([HOST], page) ? /\/coupon\/([^/]+)\.html$/.exec(page)?.[1] ?? null : null)

/** What the general coupon buys: the first offer on the list. */
function generalOffer(catalogue: Catalogue, actId: string): SimOffer | null {
  if (actId !== ACT_ID) return null
  for (let index = 0; index < 1000; index += 1) {
    const offer = catalogue.offer(index)
    if (offer) return offer
  }
  return null
}

interface SimLinks {
  readonly [type: number]: string | { readonly appId: string, readonly path: string } | undefined
  readonly 4?: { readonly appId: string, readonly path: string }
}

function linksTo(click: SimClick, short: ShortLinks): SimLinks {
  const page = `https://click.${HOST}/t?p=${packed(click)}`
  return {
    1: page,
    2: short.on(`d.${HOST}`, click),
    3: `imfood://www.${HOST}/web?url=${encodeURIComponent(page)}`,
    4: { appId: MINI_PROGRAM, path: `/pages/h5?url=${encodeURIComponent(page)}` },
  }
}

export const readPromotion = (link: string): SimClick | null =>
  carriedBy(HOST, link, 'p')

const SCROLLS_MAX = 200

interface Scroll {
  readonly orders: readonly SimOrder[]
  readonly limit: number
  at: number
}

interface SimScrolls {
  query(asked: Asked, now: number): object
  /** Adds the scroll's id as long as the count exceeds the rows that were sent. */
  withScrollId(answer: unknown): unknown
}

/** Orders: a scroll is a snapshot of one moment, read in pages. */
export function createScrolls(orders: SimOrders): SimScrolls {
  const open = new Map<string, Scroll>()
  let next = 1

  function begin(asked: Asked, now: number): [string, Scroll] | null {
    const { platform, startTime, endTime, limit, queryTimeType, searchType } = asked
    const [from, to, count] = [startTime, endTime, limit].map(Number) as [number, number, number]
    const isValid = (platform === 1 || platform === 2) && queryTimeType === 2 && searchType === 2
      && count >= 1 && count <= 100 && from <= to
      // A second of grace at each end, since windows are whole seconds.
      && to * 1000 - from * 1000 <= DAY_MS + 2000 && from * 1000 >= now - 90 * DAY_MS - 2000
    if (!isValid) return null
    const id = `scroll-${next}`
    next += 1
    const found = orders.within(from * 1000, to * 1000)
      .filter(({ state }) => state !== 'pending')
    const scroll = { orders: found, limit: count, at: 0 }
    open.set(id, scroll)
    const oldest = open.size > SCROLLS_MAX ? open.keys().next().value : undefined
    if (oldest !== undefined) open.delete(oldest)
    return [id, scroll]
  }

  return {
    query(asked, now) {
      const given = asked['scrollId']
      const known = open.get(String(given))
      const [id, scroll] = known ? [String(given), known]
        : given === undefined ? begin(asked, now) ?? [] : []
      if (!scroll) return refused(1)
      // A scroll that is read after its end begins anew.
      const at = scroll.at < scroll.orders.length ? scroll.at : 0
      const page = scroll.orders.slice(at, at + scroll.limit)
      scroll.at = at + page.length
      return {
        code: 0, message: '成功',
        data: {
          position: [id, scroll.at], skuCount: scroll.orders.length, dataList: page.map(orderRow),
        },
      }
    },
    withScrollId(answer) {
      const data = (answer as { data?: { position?: [string, number], skuCount?: number } }).data
      if (!data?.position) return answer
      const { position: [id, at], skuCount = 0, ...rest } = data
      const scrollId = at < skuCount ? id : null
      return { ...answer as object, data: { ...rest, skuCount, scrollId } }
    },
  }
}

const STATUS: Readonly<Record<SimState, string>> = {
  pending: '1', paid: '2', received: '3', settled: '6', refunded: '4', punished: '5',
}
const PART_STATUS: Readonly<Record<SimState, string>> = {
  pending: '1', paid: '1', received: '2', settled: '3', refunded: '4', punished: '1',
}
const seconds = (ms: number): number => Math.floor(ms / 1000)

function orderRow(order: SimOrder): object {
  const { offer, state, echo, commission } = order
  const refunded = state === 'refunded'
  const general = echo['actId'] === ACT_ID
  return {
    platform: 1, businessLine: general ? 1 : 7, orderId: String(order.number),
    payTime: seconds(order.reached.paid ?? order.orderedAt), updateTime: seconds(order.updatedAt),
    payPrice: yuan(order.amount), commissionRate: String(offer.commissionBps),
    profit: yuan(commission), cpaProfit: '0', sid: order.subId, appkey: 'sandbox-food-app',
    ...(general ? { actId: Number(ACT_ID), productId: null }
      : { actId: null, productViewSign: idOf(NAME, order.index) }),
    productName: offer.product.title, status: STATUS[state], tradeType: 1,
    refundPrice: refunded ? yuan(order.amount) : null,
    refundTime: refunded ? String(seconds(order.updatedAt)) : 'null',
    refundProfit: refunded ? yuan(commission) : 'null', cpaRefundProfit: '0',
    // Deliveries have no parts; a pack of coupons has one for each.
    orderDetail: general ? null : partsOf(order),
  }
}

function partsOf({ number, qty, amount, commission, state, updatedAt }: SimOrder): object[] {
  const share = (fen: number, nth: number): number =>
    Math.floor(fen / qty) + (nth < fen % qty ? 1 : 0)
  return Array.from({ length: qty }, (_, nth) => ({
    itemOrderId: `${number}${nth}`, couponStatus: PART_STATUS[state],
    basicAmount: yuan(share(amount, nth)), couponFee: yuan(share(commission, nth)),
    refundAmount: state === 'refunded' ? yuan(share(amount, nth)) : null,
    refundFee: null, refundTime: null, settleTime: null, finishTime: null,
    updateTime: String(seconds(updatedAt)),
  }))
}
