/** What the simulated mall B answers to a request that its gateway let through. */
import { carriedBy, packed } from '../simulator/carried.ts'
import { commentsOf } from '../simulator/comments.ts'
import type { Catalogue, SimOffer, SimSearch } from '../simulator/catalogue.ts'
import { idOf, indexOfId } from '../simulator/ids.ts'
import type { SimClick, SimOrder, SimOrders, SimState } from '../simulator/orders.ts'
import type { ShortLinks } from '../simulator/short-links.ts'
import { linkOn } from '../links.ts'
import { chinaTime, DAY_MS, parseChinaTime } from '../time.ts'
import { METHODS, NAME } from './dialect.ts'

export const HOST = 'mall-b.example'
const HOUR_MS = 3_600_000
const FAR_MS = 4_000_000_000_000

export interface Refused { readonly code: number, readonly message: string }
type Asked = Readonly<Record<string, unknown>>

const refused = (code: number): Refused => ({ code, message: '请求被拒绝' })
const yuan = (fen: number): number => fen / 100
const fenOf = (value: unknown): number | undefined =>
  (typeof value === 'number' ? Math.round(value * 100) : undefined)
const whole = (value: unknown, or: number): number => (value === undefined ? or : Number(value))

export function queryGoods(catalogue: Catalogue, asked: Asked, now: number): object {
  // Older clients know no scenes.
  const { sceneId = 1 } = asked
  if (sceneId !== 1) return refused(sceneId === 2 ? 403 : 401)
  const ids = asked['itemIds']
  if (Array.isArray(ids)) {
    if (ids.length > 20) return refused(401)
    const offers = ids.map((id) => offerOf(catalogue, String(id))).filter((one) => one !== null)
    return offers.length === 0 ? refused(201) : listed(offers, offers.length, now)
  }
  const pageSize = whole(asked['pageSize'], 20)
  const page = whole(asked['pageIndex'], 1)
  if (!(pageSize >= 1 && pageSize <= 30) || !(page >= 1) || !asked['keyword']) return refused(401)
  if (page * pageSize > 10_000) return refused(202)
  const found = catalogue.search({
    q: String(asked['keyword']), page, pageSize, min: fenOf(asked['pricefrom']),
    max: fenOf(asked['priceto']), withCoupon: asked['isCoupon'] === 1, sort: sortOf(asked),
  })
  return found.total === 0 ? refused(201)
    : listed(found.offers, Math.min(found.total, 10_000), now)
}

function sortOf({ sortName, sort }: Asked): SimSearch['sort'] {
  if (sortName === 'price') return sort === 'asc' ? 'price_asc' : 'price_desc'
  return sortName === 'inOrderCount30Days' ? 'sales' : undefined
}

const listed = (offers: readonly SimOffer[], totalCount: number, now: number): object =>
  ({ code: 200, message: 'success', totalCount, data: offers.map((one) => goodsRow(one, now)) })

function goodsRow(offer: SimOffer, now: number): object {
  const { product, price, coupon, groupPrice, expected } = offer
  const id = idOf(NAME, product.index)
  return {
    itemId: id,
    skuName: product.title,
    brandName: product.brand,
    owner: 'p',
    materialUrl: `item.${HOST}/detail/${id}.html`,
    // Addresses lack their scheme, where that is the mall's own.
    imageInfo: { imageList: offer.images.slice(0, 1).map((url) =>
      ({ url: url.replace(/^https:/, '') })) },
    priceInfo: {
      price: yuan(price), lowestPrice: yuan(groupPrice ?? price),
      lowestPriceType: groupPrice === null ? 1 : 2,
      lowestCouponPrice: yuan(Math.min(expected.payable, groupPrice ?? Infinity)),
    },
    commissionInfo: {
      commissionShare: offer.commissionBps / 100,
      commission: yuan(Math.floor(price * offer.commissionBps / 10_000)),
      couponCommission: yuan(Math.floor(expected.payable * offer.commissionBps / 10_000)),
    },
    couponInfo: { couponList: coupon ? [{
      link: couponLink(id), discount: yuan(coupon.amount), quota: yuan(coupon.threshold),
      bindType: 1, couponStyle: 0, isBest: 1, getStartTime: 0, getEndTime: FAR_MS,
      useStartTime: 0, useEndTime: FAR_MS,
    }] : [] },
    comments: offer.reviews,
    goodCommentsShare: offer.positivePercent,
    commentInfo: { commentList: commentsOf(offer, now).map(({ content, score, at }) =>
      ({ content, score, creationTime: chinaTime(at) })) },
    inOrderCount30Days: offer.sales,
    shopInfo: { shopId: 1000 + product.index, shopName: offer.shop },
    categoryInfo: { cid1: 1, cid1Name: product.category, cid3: 3, cid3Name: product.category },
  }
}

/** With an escape in it: who decodes and encodes it again spoils it. */
const couponLink = (id: string): string => `https://coupon.${HOST}/take?key=${id}%3D%2d&to=m`

const offerOf = (catalogue: Catalogue, id: string): SimOffer | null => {
  const index = indexOfId(NAME, id)
  return index === null ? null : catalogue.offer(index)
}

export function promotion(
  catalogue: Catalogue, short: ShortLinks, asked: Asked, method: string,
): object {
  const material = String(asked['materialId'] ?? '')
  const subUnionId = String(asked['subUnionId'] ?? '')
  const coupon = asked['couponUrl']
  if (!material || (method === METHODS.convertCommon && !asked['siteId'])) return refused(2001212)
  if (subUnionId !== '' && !/^[A-Za-z0-9_-]{1,80}$/.test(subUnionId)) return refused(2001208)
  if (/^https?:/.test(material) && !linkOn([HOST], material)) return refused(2001107)
  const id = /\/detail\/([^/]+)\.html$/.exec(material)?.[1] ?? material
  const offer = offerOf(catalogue, id)
  if (!offer) return refused(2001102)
  if (coupon !== undefined && (!offer.coupon || coupon !== couponLink(id))) return refused(2001909)
  const click: SimClick = {
    index: offer.product.index, subId: subUnionId,
    echo: { positionId: String(asked['positionId'] ?? '') },
  }
  return {
    code: 200, message: 'success',
    data: {
      clickURL: `https://u.${HOST}/jda?e=&p=${packed(click)}`,
      ...(asked['chainType'] !== 1 && { shortURL: short.on(`u.${HOST}`, click) }),
    },
  }
}

export const readPromotion = (link: string): SimClick | null =>
  carriedBy(HOST, link, 'p')

export function queryOrders(orders: SimOrders, asked: Asked, now: number): object {
  const from = parseChinaTime(String(asked['startTime']))
  const to = parseChinaTime(String(asked['endTime']))
  const page = whole(asked['pageIndex'], 0)
  const pageSize = whole(asked['pageSize'], 0)
  if (from === null || to === null || page < 1 || pageSize < 1 || pageSize > 500
    || asked['type'] !== 3) return refused(2002400)
  // A second of grace, since both ends count.
  if (to - from > HOUR_MS + 1000 || from > to || from < now - 90 * DAY_MS) return refused(2002453)
  const rows = orders.within(from, to)
  if (rows.length > 10_000) return refused(2002452)
  return {
    code: 200, message: 'success', hasMore: rows.length > page * pageSize,
    data: rows.slice((page - 1) * pageSize, page * pageSize).map(orderRow),
  }
}

const VALID_CODES: Readonly<Record<SimState, number>> = {
  pending: 15, paid: 16, received: 17, settled: 17, refunded: 3, punished: 27,
}
const FINISHED = VALID_CODES.received

function orderRow(order: SimOrder): object {
  const { offer, state, reached } = order
  const final = state === 'received' || state === 'settled'
  const finished = reached.received
  // What was finished and comes back keeps its code: its pieces are returned, nothing is earned.
  const returned = state === 'refunded' && finished !== undefined
  return {
    id: `${order.number}01`, orderId: order.number, parentId: 0,
    orderTime: chinaTime(order.orderedAt), modifyTime: chinaTime(order.updatedAt),
    finishTime: finished === undefined ? '' : chinaTime(finished),
    validCode: returned ? FINISHED : VALID_CODES[state],
    skuReturnNum: returned ? order.qty : 0,
    itemId: idOf(NAME, order.index), skuId: 0, skuName: offer.product.title, skuNum: order.qty,
    price: yuan(offer.price), commissionRate: offer.commissionBps / 100, finalRate: 100,
    estimateCosPrice: yuan(order.amount), estimateFee: yuan(order.commission),
    actualCosPrice: final ? yuan(order.amount) : 0, actualFee: final ? yuan(order.commission) : 0,
    payMonth: reached.settled !== undefined
      ? chinaTime(reached.settled ?? order.updatedAt).slice(0, 10).replaceAll('-', '') : 0,
    subUnionId: order.subId, positionId: Number(order.echo['positionId']) || 0, siteId: 5001,
  }
}
