/** Signals: the worth of a group's numbers, each from 0 to 1. */
import type { Budget, Mode } from '../language/understanding.ts'
import { isOpen, type OfferGroup } from './merge.ts'

/** The assumed rating of an unknown product, and how many reviews outweigh it. */
const USUAL_RATING = 4.4
const USUAL_WEIGHT = 30
/** A rating without a count of reviews is worth some. */
const UNCOUNTED_REVIEWS = 20
const RATING_MIN = 3.5
const SALES_LOG_MAX = 6
const UNKNOWN_SALES = 0.2
const OUTSIDE_ABOUT = 0.5
/** For a price that only some pay. */
const CONDITIONAL = 0.7

export interface Priced {
  /** Fen, for what is compared; null where only some pay it, or nobody knows. */
  readonly price: number | null
  readonly lowest: number
  readonly highest: number
  readonly budget: Budget | null
  readonly mode: Mode
}

/** 1 for the lowest, about 0.6 for twice as much, 0.3 for ten times. */
export function priceRaw(
  group: OfferGroup, { price: open, lowest, highest, budget, mode }: Priced,
): number {
  const paid = group.offers[0].item.price.payable
  const price = open ?? paid
  // For a search for the best a high price is a sign of quality.
  const raw = mode === 'quality' ? shareBetween(price, lowest, highest)
    : 1 / (1 + Math.log(Math.max(1, price / lowest)))
  const isOutside = mode !== 'cheapest' && budget?.kind === 'about'
    && (paid < (budget.min ?? 0) || paid > (budget.max ?? Infinity))
  return raw * (isOutside ? OUTSIDE_ABOUT : 1) * (open === null ? CONDITIONAL : 1)
}

const shareBetween = (price: number, lowest: number, highest: number): number =>
  highest > lowest ? Math.min(1, Math.max(0, Math.log(price / lowest) / Math.log(highest / lowest)))
    : 1

interface Rated {
  /** 0..5, drawn towards the usual where there are few reviews. */
  readonly rating: number
  readonly count: number
}

/** Reviews of all offers together; none where no offer has any. */
export function ratedOf({ offers }: OfferGroup): Rated | null {
  let [sum, count, isKnown] = [USUAL_RATING * USUAL_WEIGHT, USUAL_WEIGHT, false]
  for (const { item: { rating, reviews } } of offers) {
    const percent = reviews?.positive_percent ?? null
    const value = rating ?? (percent === null ? null : percent / 20)
    if (value === null) continue
    const weight = reviews?.count ?? UNCOUNTED_REVIEWS
    sum += value * weight
    count += weight
    isKnown = true
  }
  return isKnown ? { rating: sum / count, count: count - USUAL_WEIGHT } : null
}

const ratingShare = (rating: number): number =>
  Math.min(1, Math.max(0, (rating - RATING_MIN) / (5 - RATING_MIN)))

export const ratingRaw = (group: OfferGroup): number =>
  ratingShare(ratedOf(group)?.rating ?? USUAL_RATING - 0.2)

const TIE = 0.1

/** As the offer that is shown tells it; of equal ones that of more reviews comes first. */
export const statedRatingRaw = (group: OfferGroup): number =>
  ratingShare(group.offers[0].item.rating ?? 0) * (1 - TIE) + ratingRaw(group) * TIE

export const salesOf = ({ offers }: OfferGroup): number | null => {
  const known = offers.map(({ item }) => item.sales).filter((sales) => sales !== null)
  return known.length === 0 ? null : Math.max(...known)
}

export function salesRaw(group: OfferGroup): number {
  const sales = salesOf(group)
  return sales === null ? UNKNOWN_SALES : Math.min(1, Math.log10(1 + sales) / SALES_LOG_MAX)
}

const SHOPS: readonly (readonly [RegExp, number])[] = [
  [/官方|自营|旗舰店|official|flagship/i, 0.9], [/专卖店|authorized/i, 0.7], [/专营店/, 0.6],
]
const ANY_SHOP = 0.4
const NO_SHOP = 0.2

/** The curated shelf first, then the brand's own shops. */
export const shopRaw = ({ offers }: OfferGroup): number =>
  Math.max(...offers.map(({ item: { source, shop } }) => source === 'shelf' ? 1
    : shop === null ? NO_SHOP : SHOPS.find(([pattern]) => pattern.test(shop))?.[1] ?? ANY_SHOP))

/** A price without conditions, coupon and unknown freight is worth more. */
export const termsRaw = ({ offers }: OfferGroup): number =>
  Math.max(...offers.map(({ item: { price } }) => Math.max(0, 1
    - (isOpen(price) ? 0 : 0.6) - (price.coupon ? 0.2 : 0)
    - (price.freight === null ? 0.2 : price.freight > 0 ? 0.1 : 0))))
