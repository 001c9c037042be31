/** What the simulated food platform answers to a request that its gateway let through. */
import { carriedBy, packed } from '../simulator/carried.ts'
import type { Catalogue, SimOffer } from '../simulator/catalogue.ts'
import { idOf, indexOfId } from '../simulator/ids.ts'
import type { SimClick } from '../simulator/orders.ts'
import type { ShortLinks } from '../simulator/short-links.ts'
import { linkOn } from '../links.ts'
import { NAME } from './dialect.ts'

export const HOST = 'food.example'
export const ITEM_URL = `https://www.${HOST}/coupon/{id}.html`
export const ACT_ID = '33'
const MINI_PROGRAM = 'wx-sandbox-food'
const PAGE_SIZE_MAX = 20

export type Asked = Readonly<Record<string, unknown>>

export const refused = (code: number): object => ({ code, message: '请求被拒绝', data: null })
export const yuan = (fen: number): string => (fen / 100).toFixed(2)
const whole = (value: unknown, or: number): number => (value === undefined ? or : Number(value))

export const offerOf = (catalogue: Catalogue, id: unknown): SimOffer | null => {
  const index = indexOfId(NAME, String(id))
  return index === null ? null : catalogue.offer(index)
}

/** Later pages of a search name it by the id that its first page gave. */
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

/** A link to what is named by an activity, an item or a page: exactly one of the three. */
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

/** What is bought with the general coupon: the first thing on the list. */
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
