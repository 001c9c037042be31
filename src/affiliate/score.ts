/**
 * How good an answer a group is: parts of 100 points that add up to its score. Points are quarters,
 * so that they add up exactly in every language. Commission is no part: a Rankable has none.
 */
import { isOpen } from './candidate.ts'
import { openPrice, type Group } from './merge.ts'
import { goodsOf, wordShare, type Asked, type Goods } from '../language/relevance.ts'
import {
  ratingRaw, salesRaw, shopRaw, termsRaw, priceRaw,
} from './score/signals.ts'
import { stateOf, type State } from '../language/wishes.ts'
import type { Mode, Understanding, Wish } from '../language/understanding.ts'

export const POLICY_VERSION = '2026-11-1'

export type PartName =
  'goods' | 'words' | 'wishes' | 'price' | 'rating' | 'sales' | 'shop' | 'terms'

/** Each adds up to 100. In cheapest nothing but the price tells equally fitting items apart. */
export const WEIGHTS: Readonly<Record<Mode, Readonly<Partial<Record<PartName, number>>>>> = {
  value: { goods: 40, words: 12, wishes: 22, price: 12, rating: 6, sales: 3, shop: 2, terms: 3 },
  cheapest: { goods: 40, words: 10, wishes: 18, price: 32 },
  quality: { goods: 40, words: 12, wishes: 20, price: 2, rating: 15, sales: 5, shop: 4, terms: 2 },
}

export interface Part {
  readonly name: PartName
  readonly weight: number
  /** 0..1 */
  readonly raw: number
  readonly points: number
}

/** In this order, whatever else is true of them. */
export type Tier = 'thing' | 'conditional' | 'other'

export interface Scored {
  readonly group: Group
  readonly goods: Goods
  readonly tier: Tier
  /** Of each wish in `must`. */
  readonly states: readonly State[]
  readonly parts: readonly Part[]
  /** 0..100: exactly the sum of the points. */
  readonly score: number
}

/**
 * The share of its other parts that counts, and of the goods themselves. No sum of a lower tier
 * reaches that of a higher one: 0.9 × 40 > 0.4 × 40 + 0.3 × 60 > 0.25 × 60.
 */
const TIERS = {
  thing: { goods: 1, others: 1 },
  conditional: { goods: 0.4, others: 0.3 },
  other: { goods: 0, others: 0.25 },
} as const
const PERHAPS = 0.9
const TIER_ORDER = ['thing', 'conditional', 'other'] as const

export interface ScoreContext {
  readonly asked: Asked
  readonly understood: Understanding
  readonly mode: Mode
}

/** The best first. */
export function score(groups: readonly Group[], context: ScoreContext): Scored[] {
  const judged = groups.map((group) => judge(group, context))
  const prices = judged.filter(({ tier }) => tier === 'thing').map(({ group }) => openPrice(group))
    .filter((price) => price !== null)
  const lowest = Math.min(...prices)
  return judged.map((one) => withParts(one, context, lowest)).sort(inOrder)
}

type Judged = Omit<Scored, 'parts' | 'score'>

const GOODS_ORDER = ['asked', 'perhaps', 'other'] as const

function judge(group: Group, { asked, understood, mode }: ScoreContext): Judged {
  const all = group.offers.map(({ facts, item }) => goodsOf(asked, facts, item.source))
  const goods = GOODS_ORDER.find((one) => all.includes(one)) ?? 'other'
  const isConditional = mode === 'cheapest' && openPrice(group) === null
  return {
    group, goods,
    tier: goods === 'other' ? 'other' : isConditional ? 'conditional' : 'thing',
    states: understood.must.map((wish) => groupState(wish, group)),
  }
}

/** One product: what one of its titles says is true of all. */
function groupState(wish: Wish, { offers }: Group): State {
  const states = offers.map(({ facts }) => stateOf(wish, facts))
  return states.includes('met') ? 'met' : states.includes('against') ? 'against' : 'unknown'
}

/** Every signal is of the whole group, so that it does not change with the cheapest offer. */
function withParts(judged: Judged, context: ScoreContext, lowest: number): Scored {
  const { group, goods, tier, states } = judged
  const { asked, understood, mode } = context
  const raws: Record<PartName, () => number> = {
    goods: () => TIERS[tier].goods * (tier !== 'other' && goods === 'perhaps' ? PERHAPS : 1),
    words: () => Math.max(...group.offers.map(({ facts }) => wordShare(asked, facts, goods))),
    wishes: () => wishesRaw(group, states, understood.prefer),
    price: () => priceRaw(group, lowest, understood.budget, mode),
    rating: () => ratingRaw(group),
    sales: () => salesRaw(group),
    shop: () => shopRaw(group),
    terms: () => termsRaw(group),
  }
  const parts = (Object.entries(WEIGHTS[mode]) as [PartName, number][]).map(([name, weight]) => {
    const raw = raws[name]() * (name === 'goods' ? 1 : TIERS[tier].others)
    return { name, weight, raw: Math.round(raw * 1000) / 1000, points: quarters(weight * raw) }
  })
  return { ...judged, parts, score: parts.reduce((sum, { points }) => sum + points, 0) }
}

const quarters = (points: number): number => Math.round(points * 4) / 4

const STATE_RAW: Readonly<Record<State, number>> = { met: 1, unknown: 0.35, against: 0 }
const PREFERRED = 0.4

/** A wish counts 1, a preference 0.4: who does not say that it suits may still suit. */
function wishesRaw(group: Group, states: readonly State[], prefer: readonly Wish[]): number {
  const preferred = prefer.map((wish) => (groupState(wish, group) === 'met' ? 1 : 0.5))
  const weight = states.length + preferred.length * PREFERRED
  if (weight === 0) return 1
  const sum = states.reduce((all, state) => all + STATE_RAW[state], 0)
    + preferred.reduce((all, raw) => all + raw * PREFERRED, 0)
  return sum / weight
}

/** Equal scores: the cheaper first, then by id. */
function inOrder(left: Scored, right: Scored): number {
  const [one, other] = [left.group.offers[0], right.group.offers[0]]
  return TIER_ORDER.indexOf(left.tier) - TIER_ORDER.indexOf(right.tier)
    || right.score - left.score
    || Number(isOpen(other.item.price)) - Number(isOpen(one.item.price))
    || one.item.price.payable - other.item.price.payable
    || (one.item_id < other.item_id ? -1 : 1)
}
