/** One mall's offers: its own price, coupon, conditions, sales and reviews for each product. */
import { breakdown } from '../price.ts'
import type { Breakdown, SourceName } from '../normal.ts'
import { between, chance } from './chance.ts'
import { idOf } from './ids.ts'
import type { SimProduct, SimUniverse } from './products.ts'

export interface SimOffer {
  readonly product: SimProduct
  /** The mall's own id. */
  readonly id: string
  /** Addresses of pictures; without a shop that shows any, they lead nowhere. */
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

/** How a mall sells. */
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
  mall: SourceName, universe: SimUniverse, manner: Manner,
): Catalogue {
  const known = new Map<number, SimOffer | null>()
  const offer = (index: number): SimOffer | null => {
    const made = known.get(index)
    if (made !== undefined) return made
    const product = universe.at(index)
    const offer = product ? makeOffer(mall, product, manner) : null
    // What no search finds is made anew: strangers' ids must not fill the memory.
    if (index < universe.products.length) known.set(index, offer)
    return offer
  }
  return {
    offer,
    search({ q, page, pageSize, min = 0, max = Infinity, withCoupon, sort }) {
      const offers = universe.find(q).map(({ index }) => offer(index)).filter((one) =>
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
  if (!listed && chance(mall, index, 'carried') >= CARRIED_SHARE) return null
  const price = listed?.price ?? Math.max(100, Math.round(product.basePrice
    * (0.9 + chance(mall, index, 'price') * 0.2) / 10) * 10)
  const amount = Math.max(100, Math.round(price * 0.01 * between(3, 15, mall, index, 'off') / 100)
    * 100)
  // Some coupons want more than the item costs, as real ones do: they are no part of its price.
  const reached = chance(mall, index, 'reached') < 0.8
  const coupon = listed ? listed.coupon : chance(mall, index, 'coupon') < 0.4 && amount * 2 < price
    ? { amount, threshold: reached ? Math.floor(price / 2) : price * 2 } : null
  const groupPrice = chance(mall, index, 'group') < manner.groupShare
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
    sales: Math.floor(10 ** (chance(mall, index, 'sales') * 5)),
    ...opinions(mall, index),
    shop: listed?.shop
      ?? `${product.brand}${SHOPS[between(0, SHOPS.length - 1, mall, index, 'shop')]}`,
    commissionBps: between(1, 30, mall, index, 'commission') * 50,
  }
}

/** Of seven reviews six are good or seven: 96 % are none. */
function opinions(mall: SourceName, index: number): Pick<SimOffer, 'reviews' | 'positivePercent'> {
  const reviews = Math.floor(10 ** (chance(mall, index, 'reviews') * 5))
  const good = Math.round(reviews * between(80, 100, mall, index, 'rating') / 100)
  return { reviews, positivePercent: Math.round(100 * good / reviews) }
}

const SHOPS = ['旗舰店', '专卖店', '官方店', '优选店'] as const
