/**
 * The simulated world: products, how the malls search them, and each mall's offers with its own
 * price, coupon, conditions, sales and reviews.
 */
import type { SourceName } from '../names.ts'
import type { Breakdown } from '../contract.ts'
import { breakdown } from '../price.ts'
import { DAY_MS } from '../time.ts'

export interface SimOffer {
  readonly product: SimProduct
  /** The mall's own id. */
  readonly id: string
  /** Addresses of pictures; without a shop that shows any, they are dead. */
  readonly images: readonly string[]
  /** Fen, before the coupon. */
  readonly price: number
  readonly coupon: { readonly amount: number, readonly threshold: number } | null
  /** A lower price for a group of buyers. */
  readonly groupPrice: number | null
  /** What anybody pays, and what a group pays: what an adapter has to come to. */
  readonly expected: Breakdown
  readonly expectedSpecial: Breakdown | null
  /** The price that the mall filters and sorts by. */
  readonly advertised: number
  readonly sales: number
  /** Of a hundred reviews, so many are good. */
  readonly positivePercent: number
  readonly reviews: number
  readonly shop: string
  readonly commissionBps: number
}

export interface SimSearch {
  readonly q: string
  readonly page: number
  readonly pageSize: number
  /** Of the price after the coupon, in fen. */
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly withCoupon?: boolean | undefined
  readonly sort?: 'price_asc' | 'price_desc' | 'sales' | undefined
}

/** How a mall sells its products. */
export interface Manner {
  /** Share of offers with a group price. */
  readonly groupShare: number
  /** Which price its coupons lower. */
  readonly couponOn: 'price' | 'group'
  /** Where people open its pages. */
  readonly shopUrl?: string | undefined
}

export interface Catalogue {
  offer(index: number): SimOffer | null
  search(query: SimSearch): { readonly offers: readonly SimOffer[], readonly total: number }
}

const CARRIED_SHARE = 0.8

export function createCatalogue(
  mall: SourceName, assortment: Assortment, manner: Manner,
): Catalogue {
  const known = new Map<number, SimOffer | null>()
  const offer = (index: number): SimOffer | null => {
    const made = known.get(index)
    if (made !== undefined) return made
    const product = assortment.at(index)
    const offer = product ? makeOffer(mall, product, manner) : null
    // Other products' offers are made anew: arbitrary ids must not fill the memory.
    if (index < assortment.products.length) known.set(index, offer)
    return offer
  }
  return {
    offer,
    search({ q, page, pageSize, min = 0, max = Infinity, withCoupon, sort }) {
      const offers = assortment.find(q).map(({ index }) => offer(index)).filter((one) =>
        one !== null && one.advertised >= min && one.advertised <= max
        && (!withCoupon || one.coupon !== null)) as SimOffer[]
      if (sort) offers.sort(ORDERS[sort])
      return {
        offers: offers.slice((page - 1) * pageSize, page * pageSize), total: offers.length,
      }
    },
  }
}

const ORDERS = {
  price_asc: (a: SimOffer, b: SimOffer) => a.advertised - b.advertised,
  price_desc: (a: SimOffer, b: SimOffer) => b.advertised - a.advertised,
  sales: (a: SimOffer, b: SimOffer) => b.sales - a.sales,
} as const

function makeOffer(mall: SourceName, product: SimProduct, manner: Manner): SimOffer | null {
  const { index } = product
  const listed = product.listed?.mall === mall ? product.listed : undefined
  if (!listed && randomOf(mall, index, 'carried') >= CARRIED_SHARE) return null
  const price = listed?.price ?? Math.max(100, Math.round(product.basePrice
    * (0.9 + randomOf(mall, index, 'price') * 0.2) / 10) * 10)
  const amount = Math.max(100, Math.round(price * 0.01 * between(3, 15, mall, index, 'off') / 100)
    * 100)
  // Some coupons have a threshold above the price, as real ones do: they do not lower it.
  const reached = randomOf(mall, index, 'reached') < 0.8
  const coupon = listed ? listed.coupon
    : randomOf(mall, index, 'coupon') < 0.4 && amount * 2 < price
    ? { amount, threshold: reached ? Math.floor(price / 2) : price * 2 } : null
  const groupPrice = randomOf(mall, index, 'group') < manner.groupShare
    ? Math.floor(price * 0.093) * 10 : null
  const forGroups = manner.couponOn === 'group'
  const expected = breakdown({ list: price, coupon: forGroups ? null : coupon })
  const expectedSpecial = groupPrice === null ? null : breakdown({
    list: groupPrice, coupon: forGroups ? coupon : null, conditions: ['group'],
  })
  const id = idOf(mall, index)
  const images = manner.shopUrl ?? `https://img.${mall.replace('_', '-')}.example`
  return {
    product,
    id,
    images: [1, 2, 3].map((view) => `${images}/image/${id}-${view}.svg`),
    price,
    coupon,
    groupPrice,
    expected,
    expectedSpecial,
    advertised: (forGroups ? expectedSpecial ?? expected : expected).payable,
    sales: Math.floor(10 ** (randomOf(mall, index, 'sales') * 5)),
    ...opinions(mall, index),
    shop: listed?.shop
      ?? `${product.brand}${SHOPS[between(0, SHOPS.length - 1, mall, index, 'shop')]}`,
    commissionBps: between(1, 30, mall, index, 'commission') * 50,
  }
}

/** A share that so many reviews can have: of seven, 86 % or 100 % and not 96 %. */
function opinions(mall: SourceName, index: number): Pick<SimOffer, 'reviews' | 'positivePercent'> {
  const reviews = Math.floor(10 ** (randomOf(mall, index, 'reviews') * 5))
  const good = Math.round(reviews * between(80, 100, mall, index, 'rating') / 100)
  return { reviews, positivePercent: Math.round(100 * good / reviews) }
}

const SHOPS = ['旗舰店', '专卖店', '官方店', '优选店'] as const

// Products, and their search.

/** The service passes its own products; tests make a small one. */
export interface SimProduct {
  /** Its index among them, from 0: what the malls' ids are made of. */
  readonly index: number
  readonly title: string
  readonly brand: string
  readonly category: string
  /** The malls' prices are near it, in fen. */
  readonly basePrice: number
  /** An offer of one mall only, as the service lists it. */
  readonly listed?: {
    readonly mall: SourceName
    readonly price: number
    readonly coupon: { readonly amount: number, readonly threshold: number } | null
    readonly shop: string
  }
}

export interface Assortment {
  /** What searches find. */
  readonly products: readonly SimProduct[]
  /** Also of products that no search finds. */
  at(index: number): SimProduct | undefined
  /** Best match first. */
  find(q: string): readonly SimProduct[]
}

/** Share of a query's tokens that a product has to hold. */
const MATCH_SHARE = 0.6

export function createAssortment(
  products: readonly SimProduct[],
  beyond: (index: number) => SimProduct | undefined = () => undefined,
): Assortment {
  const postings = new Map<string, number[]>()
  products.forEach(({ title, brand, category }, at) => {
    for (const token of tokensOf(`${title} ${brand} ${category}`)) {
      const known = postings.get(token)
      if (known) known.push(at)
      else postings.set(token, [at])
    }
  })
  return {
    products,
    at: (index) => products[index] ?? beyond(index),
    find(q) {
      const tokens = tokensOf(q)
      const hits = new Map<number, number>()
      for (const token of tokens) {
        for (const at of postings.get(token) ?? []) hits.set(at, (hits.get(at) ?? 0) + 1)
      }
      const enough = Math.max(1, tokens.size * MATCH_SHARE)
      return [...hits].filter(([, count]) => count >= enough)
        .sort(([a, left], [b, right]) => right - left || a - b)
        .map(([at]) => products[at] as SimProduct)
    },
  }
}

/** Latin words and numbers whole, Chinese in pairs of characters. */
export function tokensOf(text: string): Set<string> {
  const tokens = new Set<string>()
  for (const [run] of text.normalize('NFKC').toLowerCase()
    .matchAll(/[a-z0-9]+(?:\.[0-9]+)?|\p{Script=Han}+/gu)) {
    if (/^[a-z0-9]/.test(run) || run.length === 1) tokens.add(run)
    else for (let at = 0; at + 1 < run.length; at += 1) tokens.add(run.slice(at, at + 2))
  }
  return tokens
}

/** A random number that is a pure function of its name, from 0 up to 1. */
export function randomOf(...name: readonly (string | number)[]): number {
  let value = 0x811c9dc5
  for (const character of name.join('/')) {
    value = Math.imul(value ^ (character.codePointAt(0) as number), 0x01000193)
  }
  // FNV alone gives similar names similar numbers.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32
}

export const between = (min: number, max: number, ...name: readonly (string | number)[]): number =>
  min + Math.floor(randomOf(...name) * (max - min + 1))

/** A mall's own ids: reversible, different in each mall, and not guessable by counting. */
export const idOf = (mall: string, index: number): string =>
  `${index.toString(36)}_${tail(mall, index)}`

export function indexOfId(mall: string, id: string): number | null {
  const [head = '', end] = id.split('_')
  const index = /^[0-9a-z]{1,8}$/.test(head) ? Number.parseInt(head, 36) : -1
  return index >= 0 && end === tail(mall, index) ? index : null
}

const tail = (mall: string, index: number): string =>
  Math.floor(randomOf(mall, index, 'id') * 36 ** 6).toString(36).padStart(6, '0')

// Comments of buyers: as good on the whole as the offer's numbers.

export interface SimComment {
  readonly content: string
  readonly score: number
  /** Milliseconds. */
  readonly at: number
}

const GOOD = [
  '和描述一致，用了一周没有问题。', '物流很快，包装完好，会回购。', '性价比不错，家里人都说好。',
  '做工比想象的好，推荐。', '第二次买了，质量稳定。', '客服耐心，东西也满意。',
  'Exactly as described, fast delivery.', '大小合适，颜色和图片一样。',
] as const
const BAD = [
  '和图片有些差别，一般。', '用了几天有点小毛病，客服在处理。', '物流慢，外盒压坏了。',
  'Smaller than I expected.',
] as const
const SHOWN_MAX = 3
const OLDEST_DAYS = 90
/** A sample of three shows a bad one where more than one of twelve is. */
const GOOD_PERCENT = 92

/** The latest first; the same from call to call within a day. */
export function commentsOf(
  { product: { index }, id, reviews, positivePercent }: SimOffer, now: number,
): SimComment[] {
  const shown = Math.min(SHOWN_MAX, reviews)
  const bad = Math.round(reviews * (100 - positivePercent) / 100)
  const badShown = reviews <= SHOWN_MAX ? bad : Number(bad > 0 && positivePercent < GOOD_PERCENT)
  const today = now - now % DAY_MS
  return Array.from({ length: shown }, (_, nth): SimComment => {
    const isBad = nth >= shown - badShown
    const texts = isBad ? BAD : GOOD
    const first = between(0, texts.length - 1, id, index, 'comment')
    return {
      content: texts[(first + nth) % texts.length] as string,
      score: isBad ? between(1, 3, id, nth, 'stars') : between(4, 5, id, nth, 'stars'),
      at: today - between(1, OLDEST_DAYS, id, nth, 'day') * DAY_MS
        + between(0, 86_399, id, nth, 'second') * 1000,
    }
  }).sort((one, other) => other.at - one.at)
}
