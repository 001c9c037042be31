/**
 * Which groups answer a sentence, and how good an answer each is: parts of 100 points that add up
 * to its score. Points are quarters, so that they add up exactly in every language. Commission is
 * no part: a Rankable has none.
 */
import { goodsPrice } from '../../adapters/price.ts'
import type { Audience } from '../goods/taxonomy.ts'
import { audiencesSaid } from '../language/audience.ts'
import { isForUnsaid } from '../language/audience-slots.ts'
import { bandOf, BANDS_MAX, boundsOf, type Bounds } from '../language/bounds.ts'
import type { Facts } from '../language/facts.ts'
import { fold } from '../language/fold.ts'
import {
  fitOfFacts, groupOf, HANDFUL, lesserOf, orderOf, type Plan, surestKind,
} from '../language/fit.ts'
import { type Asked, type Goods, goodsOf, wordShare } from '../language/relevance.ts'
import { says } from '../language/contains-word.ts'
import type { Mode, Understanding, Wish } from '../language/understanding.ts'
import { priceFor } from '../language/unit-price.ts'
import { isRefused, nearnessOf, type State, stateOf } from '../language/constraints.ts'
import { type OfferGroup, isOpen, openPrice, payableOf } from './merge.ts'
import {
  priceRaw, type Priced, ratingRaw, salesRaw, shopRaw, termsRaw, statedRatingRaw,
} from './signals.ts'

export const POLICY_VERSION = '2026-11-3'

interface NearMiss {
  readonly group: OfferGroup
  /** Fen. */
  readonly over: number
}

export interface Selection {
  readonly kept: readonly OfferGroup[]
  /** Over the budget, the nearest first. */
  readonly near: readonly NearMiss[]
  /** How many groups are left out since a wish refuses them, or since they are too cheap. */
  readonly refused: number
  readonly tooCheap: number
}

/** Groups that answer a sentence: neither refused, nor of other goods, nor out of its budget. */
export function select(
  groups: readonly OfferGroup[], asked: Asked, plan: Plan, understood: Understanding,
): Selection {
  const ofGoods = groups.filter((group) => group.offers.some(({ facts, item }) =>
    goodsOf(asked, facts, item.source) !== 'other'))
  const allowed = ofGoods.filter((group) => !plan.refusals.some((wish) =>
    group.offers.some(({ facts }) => isRefused(wish, facts))))
  const priced = allowed.map((group) => {
    const price = pieceOf(group, understood)
    const { min, max } = boundsFor(group, understood)
    return { group, price, min, max, band: bandOf(price, { min, max }, understood.budget) }
  })
  const kept = priced.filter(({ band }) => band !== undefined)
  const others = priced.filter(({ band }) => band === undefined)
  return {
    kept: kept.map(({ group }) => group),
    near: others.filter(({ price, max }) => price > max)
      .map(({ group, price, max }) => ({ group, over: price - max }))
      .sort((left, right) => left.over - right.over || byLead(left.group, right.group)),
    refused: ofGoods.length - allowed.length,
    tooCheap: others.filter(({ price, min }) => price < min).length,
  }
}

/** What one of as many as are bought costs: they come with one delivery. */
function pieceOf(group: OfferGroup, { quantity }: Understanding): number {
  const { freight } = group.offers[0].item.price
  const count = Math.max(1, quantity?.count ?? 1)
  return payableOf(group) - Math.floor((freight ?? 0) * (1 - 1 / count))
}

/** Where a unit may cost so much, a pack may cost as much as its units. */
function boundsFor(group: OfferGroup, understood: Understanding): Bounds {
  const { min, max } = boundsOf(understood)
  const unit = understood.per?.max === undefined ? null : comparedPrice(group, understood)
  const most = unit === null ? Infinity : payableOf(group) * (understood.per?.max ?? 0) / unit
  return { min, max: Math.min(max, Math.floor(most)) }
}

const byLead = ({ offers: [left] }: OfferGroup, { offers: [right] }: OfferGroup): number =>
  Number(isOpen(right.item.price)) - Number(isOpen(left.item.price))
  || (left.item_id < right.item_id ? -1 : 1)

export type PartName =
  'goods' | 'words' | 'wishes' | 'price' | 'rating' | 'sales' | 'shop' | 'terms'

type PartWeights = Readonly<Partial<Record<PartName, number>>>

/** Where prices are compared, nothing else counts: what is only preferred makes nothing cheaper. */
const PRICE_WEIGHTS: PartWeights = { goods: 40, price: 60 }
/** Each adds up to 100. */
export const WEIGHTS: Readonly<Record<Mode, PartWeights>> = {
  value: { goods: 40, words: 12, wishes: 22, price: 12, rating: 6, sales: 3, shop: 2, terms: 3 },
  cheapest: PRICE_WEIGHTS,
  quality: { goods: 40, words: 10, wishes: 18, price: 14, rating: 12, sales: 2, shop: 3, terms: 1 },
}

/** How goods are spoken of, and the number that they state. */
const REVIEWED = /口碑|好评|reviewed/i
const STATED = /评分|评价|rated/i
/** By the rating that is stated, be it of many or few. */
const RATED: PartWeights = { goods: 40, rating: 60 }
/** 最贵的, 评分最高的 and 销量最好的 are asked for by that alone. */
const BEST_BY: readonly (readonly [said: RegExp, weights: PartWeights])[] = [
  [/最贵|expensive|priciest|dearest/i, PRICE_WEIGHTS],
  [REVIEWED, { goods: 40, rating: 40, sales: 20 }],
  [STATED, RATED],
  [/销量|卖得|best.?sell/i, { goods: 40, sales: 60 }],
]

/** Cheap and well rated. */
const VALUE_RATED: PartWeights =
  { goods: 40, words: 8, wishes: 18, price: 12, rating: 20, sales: 2 }

function weightsOf({ per, mode: asked }: Understanding, mode: Mode): PartWeights {
  if (per !== null) return PRICE_WEIGHTS
  if (mode === 'value' && asked?.spans.some(({ text }) =>
    REVIEWED.test(text) || STATED.test(text))) return VALUE_RATED
  const best = mode !== 'quality' ? undefined : BEST_BY.find(([said]) =>
    asked?.spans.some(({ text }) => said.test(text)))
  return best?.[1] ?? WEIGHTS[mode]
}

export interface Part {
  readonly name: PartName
  readonly weight: number
  /** 0..1 */
  readonly raw: number
  readonly points: number
}

/** Always in this order. */
export type FitTier = 'thing' | 'partial' | 'conditional' | 'other'

export interface ScoredOffer {
  readonly group: OfferGroup
  readonly goods: Goods
  readonly tier: FitTier
  /** How far its price is from the one that was about named; up to 1 it is within. */
  readonly band: number
  /** How many of the wishes it fulfils, the more the better. */
  readonly order: number
  /** How near it comes to the sizes and colours that it has not. */
  readonly near: number
  /** For a partial one: how many steps it is behind the best partial one. */
  readonly lack: number
  /** Of each wish in `must`. */
  readonly states: readonly State[]
  readonly parts: readonly Part[]
  /** 0..100: exactly the sum of the points. */
  readonly score: number
}

/**
 * The share of its other parts that counts, and of the goods themselves. No sum of a lower tier
 * reaches that of a higher one, nor that of what lacks more one that lacks less:
 * 0.9 × 40 > 0.8 × 40 + 0.03 × 60, 0.045 × 40 = 0.03 × 60, 0.485 × 40 > 0.25 × 40 + 0.12 × 60,
 * 0.225 × 40 > 0.14 × 60.
 */
const TIERS = {
  thing: { goods: 1, others: 1 },
  /** Lacks a wish that others fulfil, or that none does; or only resembles goods not sold. */
  partial: { goods: 0.8, others: 0.03 },
  conditional: { goods: 0.25, others: 0.12 },
  other: { goods: 0, others: 0.14 },
} as const
const UNCERTAIN_WEIGHT = 0.9
/** For each step that goods are behind others. */
const LACK_STEP = 0.045
/** From here on steps order goods of the same points. */
const LACK_STEPS_MAX = 7
export const TIER_ORDER = ['thing', 'partial', 'conditional', 'other'] as const

export interface ScoreContext {
  readonly plan: Plan
  readonly asked: Asked
  readonly understood: Understanding
  readonly mode: Mode
}

/** The best first. */
export function score(groups: readonly OfferGroup[], context: ScoreContext): ScoredOffer[] {
  const judged = byOrder(groups.map((group) => judge(group, context)), context.plan)
  const rangeOf = rangesOf(judged, context)
  const audiences = audiencesSaid(fold(context.understood.sentence))
    .map(({ audience }) => audience)
  const within = { ...context, audiences }
  return judged.map((one) => withParts(one, within, rangeOf(one)))
    .sort((left, right) => inOrder(left, right, context.understood))
}

interface PriceRange { readonly lowest: number, readonly highest: number }

/** Of what is compared with each other: of several kinds that may be meant each by itself. */
function rangesOf(
  judged: readonly Judged[], { plan, understood, mode }: ScoreContext,
): (one: Judged) => PriceRange {
  const isByKind = plan.isOpen && mode !== 'cheapest' && understood.per === null
  const nameOf = ({ group: { offers: [{ facts }] } }: Judged): string =>
    isByKind ? surestKind(facts) ?? '' : ''
  const prices = new Map<string, number[]>()
  for (const one of judged) {
    const price = one.tier === 'thing' ? comparedPrice(one.group, understood) : null
    if (price !== null) prices.set(nameOf(one), [...prices.get(nameOf(one)) ?? [], price])
  }
  return (one) => {
    const known = prices.get(nameOf(one)) ?? []
    return { lowest: Math.min(...known), highest: Math.max(...known) }
  }
}

/** What anybody pays, for the unit that was asked for: 按张算. */
function comparedPrice(group: OfferGroup, { per }: Understanding): number | null {
  const price = openPrice(group)
  if (per === null || price === null) return price
  const { facts, item } = group.offers[0]
  return priceFor(facts, goodsPrice(item.price), per)
}

type Judged = Omit<ScoredOffer, 'parts' | 'score'>

const GOODS_ORDER = ['asked', 'perhaps', 'other'] as const

function judge(group: OfferGroup, { asked, plan, understood, mode }: ScoreContext): Judged {
  const all = group.offers.map(({ facts, item }) => goodsOf(asked, facts, item.source))
  const goods = GOODS_ORDER.find((one) => all.includes(one)) ?? 'other'
  const band = bandOf(pieceOf(group, understood), boundsOf(understood), understood.budget)
    ?? BANDS_MAX
  const isConditional = mode === 'cheapest' && openPrice(group) === null
  const fits = group.offers.map(({ facts }) => fitOfFacts(plan, facts) ?? NOTHING)
  return {
    group, goods, band, lack: 0,
    order: Math.max(...fits.map((fit) => orderOf(fit, band))),
    near: Math.max(...fits.map(({ near }) => Math.round(near * NEAR_PARTS))),
    tier: goods === 'other' ? 'other' : isConditional ? 'conditional'
      : understood.unsold && !group.offers.some(({ facts }) => saysAll(asked, facts))
        ? 'partial' : 'thing',
    states: understood.must.map((wish) => groupState(wish, group)),
  }
}

const saysAll = ({ words }: Asked, { text }: Facts): boolean =>
  words.length > 0 && words.every((word) => says(text, word))

/** What comes as near but for so little is as near. */
const NEAR_PARTS = 100
const NOTHING = { value: 0, unknown: 0, words: 0, near: 0 }

/** A group that fulfils fewer wishes than the best of its goods comes after it, or not at all. */
function byOrder(judged: readonly Judged[], plan: Plan): Judged[] {
  const groups = new Map<number, Judged[]>()
  for (const one of judged) {
    if (one.tier === 'other') continue
    const name = Math.min(...one.group.offers.map(({ facts }) => groupOf(plan, surestKind(facts))))
    groups.set(name, [...groups.get(name) ?? [], one])
  }
  const others = judged.filter(({ tier }) => tier === 'other')
  return [...[...groups.values()].flatMap(byBest), ...others]
}

/** Goods that may be others are worth less than those that lack a colour. */
const DOUBT = orderOf({ value: 6, unknown: 0, words: 0 }, BANDS_MAX)
/** A price beside the one that was about named is worse than either, and more so the farther. */
const outOfBounds = (band: number): number => band > 1
  ? orderOf({ value: 4 + 2 * band, unknown: 0, words: 0 }, BANDS_MAX) : 0

function byBest(judged: readonly Judged[]): Judged[] {
  const sure = judged.filter(({ goods }) => goods === 'asked')
  const best = Math.max(...(sure.length > 0 ? sure : judged).map(({ order }) => order))
  const isBest = (one: Judged): boolean => one.order >= best
    && (one.goods === 'asked' || sure.length === 0)
  const level = judged.filter(isBest)
  // Where nothing has a size, the nearest size stands for it.
  const nearest = Math.max(...level.map(({ near }) => near))
  const first = level.filter(({ near }) => near >= nearest)
  if (first.length >= HANDFUL && first.length === level.length) return first
  const worth = ({ goods, order, band }: Judged): number =>
    order - (goods === 'perhaps' ? DOUBT : 0) - outOfBounds(band)
  const rest = (level.length < HANDFUL ? judged : level)
    .filter((one) => !first.includes(one))
    .sort((left, right) => worth(right) - worth(left) || right.near - left.near)
  let steps = first[0]?.tier === 'partial' ? 1 : 0
  return [...first, ...rest.map((one, at): Judged => {
    const before = rest[at - 1]
    if (before && (worth(before) > worth(one) || before.near > one.near)) steps += 1
    return { ...one, tier: one.tier === 'thing' ? 'partial' : one.tier, lack: steps }
  })]
}

/** One product: a statement of one of its titles is true of all. */
export function groupState(wish: Wish, { offers }: OfferGroup): State {
  const states = offers.map(({ facts }) => stateOf(wish, facts))
  return states.includes('met') ? 'met' : states.includes('against') ? 'against' : 'unknown'
}

/** Every signal is of the whole group, so that it does not change with the cheapest offer. */
function withParts(
  judged: Judged, context: ScoreContext & { readonly audiences: readonly Audience[] },
  { lowest, highest }: PriceRange,
): ScoredOffer {
  const { group, goods, tier, lack, states } = judged
  const { asked, audiences, understood, mode } = context
  const weights = weightsOf(understood, mode)
  const raws: Record<PartName, () => number> = {
    goods: () => tier === 'partial'
      ? TIERS.partial.goods - Math.min(lack, LACK_STEPS_MAX) * LACK_STEP
      : TIERS[tier].goods * (tier !== 'other' && goods === 'perhaps' ? UNCERTAIN_WEIGHT : 1),
    words: () => Math.max(...group.offers.map(({ facts }) => wordShare(asked, facts, goods))),
    wishes: () => wishesRaw(group, states, understood)
      * (isForUnsaidOnly(group, audiences) ? UNSAID : 1),
    price: () => priceOf(group, { lowest, highest, budget: understood.budget, mode }, understood),
    rating: () => weights === RATED ? statedRatingRaw(group) : ratingRaw(group),
    sales: () => salesRaw(group),
    shop: () => shopRaw(group),
    terms: () => termsRaw(group),
  }
  const others = tier === 'partial' && lack >= LACK_STEPS_MAX ? 0 : TIERS[tier].others
  const parts = (Object.entries(weights) as [PartName, number][]).map(([name, weight]) => {
    const raw = raws[name]() * (name === 'goods' ? 1 : others)
    return { name, weight, raw: Math.round(raw * 1000) / 1000, points: quarters(weight * raw) }
  })
  return { ...judged, parts, score: parts.reduce((sum, { points }) => sum + points, 0) }
}

function priceOf(
  group: OfferGroup, among: Omit<Priced, 'price'>, understood: Understanding,
): number {
  const price = comparedPrice(group, understood)
  if (understood.per === null) return priceRaw(group, { ...among, price })
  return price === null ? 0 : priceRaw(group, { ...among, price, budget: null, mode: 'cheapest' })
}

const quarters = (points: number): number => Math.round(points * 4) / 4

const STATE_RAW: Readonly<Record<State, number>> = { met: 1, unknown: 0.35, against: 0 }
const PREFERRED = 0.4
/** 67 W is near a wish for 65 W; 20 W is not. */
const NEAR_RAW = 0.4
const nearness = ({ offers }: OfferGroup, wish: Wish | undefined): number => !wish?.measure ? 0
  : Math.max(...offers.map(({ facts }) => nearnessOf(wish, facts)))

/** What a title shows is seen at once; a feature may stand in the description alone. */
const NEARLY = 0.85
function metRaw({ offers }: OfferGroup, wish: Wish | undefined): number {
  const features = [...wish?.values?.values() ?? []].flat()
  if (features.length === 0 || features.some(({ attribute }) => attribute !== null)) return 1
  return offers.some(({ facts }) => features.some(({ text }) => says(facts.stated, text)))
    ? 1 : NEARLY
}

/** Less than was asked, where goods of the kind never have more, costs no points. */
function lesserRaw(group: OfferGroup, wish: Wish | undefined, state: State): number {
  const lesser = wish && lesserOf(wish)
  return lesser && groupState(lesser, group) === 'met' ? STATE_RAW.met : STATE_RAW[state]
}

/** A wish counts 1, a preference 0.4; an item that does not state it may still fulfil it. */
function wishesRaw(
  group: OfferGroup, states: readonly State[],
  { must, prefer, suited }: Understanding,
): number {
  const preferred = [...prefer, ...suited].map((wish) => (groupState(wish, group) === 'met'
    ? metRaw(group, wish) : 0.5))
  const weight = states.length + preferred.length * PREFERRED
  if (weight === 0) return 1
  const sum = states.reduce((all, state, at) =>
    all + (state === 'met' ? metRaw(group, must[at]) : lesserRaw(group, must[at], state))
    + (state === 'against' ? NEAR_RAW * nearness(group, must[at]) : 0), 0)
    + preferred.reduce((all, raw) => all + raw * PREFERRED, 0)
  return sum / weight
}

/** Less than a wish that others do not state. */
const UNSAID = 0.6
const isForUnsaidOnly = ({ offers }: OfferGroup, audiences: readonly Audience[]): boolean =>
  offers.every(({ facts }) => isForUnsaid(facts, surestKind(facts), audiences))

/** A sheet costs so little that points do not separate all prices. */
const byUnit = (left: ScoredOffer, right: ScoredOffer, understood: Understanding): number =>
  understood.per === null ? 0
    : (comparedPrice(left.group, understood) ?? Number.MAX_VALUE)
      - (comparedPrice(right.group, understood) ?? Number.MAX_VALUE)

/** Equal scores: the cheaper first, then by id. */
function inOrder(left: ScoredOffer, right: ScoredOffer, understood: Understanding): number {
  const [one, other] = [left.group.offers[0], right.group.offers[0]]
  return TIER_ORDER.indexOf(left.tier) - TIER_ORDER.indexOf(right.tier)
    || left.lack - right.lack || right.score - left.score
    || byUnit(left, right, understood)
    || Number(isOpen(other.item.price)) - Number(isOpen(one.item.price))
    || one.item.price.payable - other.item.price.payable
    || (one.item_id < other.item_id ? -1 : 1)
}
