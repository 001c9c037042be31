/** The food platform's rows and links in the normal form. */
import { opensApp, webLink } from '../links.ts'
import type { ConvertedLink, Item } from '../normal.ts'
import { breakdown, fenOfNumber, fenOfText } from '../price.ts'
import { NAME } from './dialect.ts'
import { isLinks, isMiniProgram, type Body, type CouponRow, type Links } from './wire.ts'

type Loose = string | number | null | undefined

/** What stands for nothing is null: absent, null, empty, and the word itself. */
export const textOf = (value: Loose): string | null =>
  value === undefined || value === null || value === '' || value === 'null' ? null : String(value)

export const fenOf = (yuan: Loose): number | null =>
  (typeof yuan === 'number' ? fenOfNumber(yuan) : fenOfText(yuan))

/** "400" is four per cent. */
export function bpsOf(value: Loose): number | null {
  const bps = Number(textOf(value) ?? NaN)
  return Number.isInteger(bps) && bps >= 0 && bps <= 10_000 ? bps : null
}

/** "热销1000+" → 1000, "2.3万+" → 23000: never more than was sold. */
export function salesOf(value: Loose): number | null {
  const match = /(\d{1,12}(?:\.\d{1,4})?)\s*(万|w)?/i.exec(textOf(value) ?? '')
  return match ? Math.floor(Number(match[1]) * (match[2] ? 10_000 : 1)) : null
}

/**
 * What is sold is the coupon itself: its price is what is asked for it, and the price of the meal
 * that stands struck through beside it is nobody's to pay.
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

export type PlacesToBuy = Pick<ConvertedLink, 'url' | 'app_url' | 'mini_program'>

/** Null where the platform made no link: it does not know what was to be converted. */
export function toLinks(body: Body, miniProgramId = MINI_PROGRAM_ID): PlacesToBuy | null {
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

/** An app link that no phone should follow costs itself, and not the web link beside it. */
const appLink = (text: string | null | undefined): string | null =>
  (text && APP_LINK.test(text) && opensApp(text) ? text : null)

const APP_ID = /^[0-9A-Za-z_-]{1,64}$/
const APP_PATH = /^[^\s\p{C}"<>\\]{1,2000}$/u

function miniProgram(given: Links[4], known: string): PlacesToBuy['mini_program'] {
  const { appId, path } = isMiniProgram(given) ? given
    : { appId: known, path: typeof given === 'string' ? given : '' }
  const app_id = appId || known
  return APP_ID.test(app_id) && APP_PATH.test(path) ? { app_id, path } : null
}
