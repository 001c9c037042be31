/**
 * From the meaning of a sentence and the offers of all sources to the answer of a smart search.
 * Pure: the same items in any order, with any commissions, give the same bytes.
 */
import type { Item } from '../../../adapters/contract.ts'
import { goodsPrice } from '../../../adapters/price.ts'
import { boundsOf, isLimited } from '../../language/bounds.ts'
import { groupOf, type Plan, planOf, valueOf } from '../../language/fit.ts'
import { askedOf } from '../../language/relevance.ts'
import { type Say, sayFor } from '../../language/answer-language.ts'
import type { Mode, Understanding } from '../../language/understanding.ts'
import { priceView } from '../items.ts'
import { areVariants } from '../match.ts'
import {
  type OfferCandidate, candidatesOf, merge, type Offer, openPrice, type Rankable,
} from '../merge.ts'
import { POLICY_VERSION, score, type ScoredOffer, select, TIER_ORDER } from '../score.ts'
import { salesOf } from '../signals.ts'
import { clarify, QUESTIONS_MAX, relaxedNotes } from './notes.ts'
import { type ReasonContext, reasonsFor, wishName } from './reasons.ts'

export interface Buy {
  tool: string | null
  arguments: Record<string, string | number>
  purchase_url: string | null
}

export interface RankOptions {
  readonly pageSize: number
  /** Sources without an answer. */
  readonly unanswered?: readonly string[]
  /** Sources that need a key, where none was asked. */
  readonly needKey?: readonly string[]
  /** How an item is bought; it gets no commission either. */
  readonly buy: (item: Rankable) => Buy
}

const DEFAULT_MODE: Mode = 'value'
const IMAGES_MAX = 3
const OFFERS_MAX = 10
const NEAR_MAX = 5
const RELAXED_MAX = 5
const TERM_LENGTH_MAX = 60

export type RankedResult = ReturnType<typeof rank>

export function rank(understood: Understanding, items: readonly Item[], options: RankOptions) {
  const { parts } = understood
  if (parts.length < 2) return rankOne(understood, items, options)
  const pageSize = Math.ceil(options.pageSize / parts.length)
  return interleaved(summary(understood, understood.mode?.value ?? DEFAULT_MODE),
    parts.map((part) => rankOne(part, items, { ...options, pageSize })), options.pageSize)
}

/** The first of each of the goods, then the second of each. */
function interleaved(
  understood: Ranked['understood'], answers: readonly Ranked[], pageSize: number,
): Ranked {
  const inTurn = <T>(lists: readonly (readonly T[])[]): T[] =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, at) =>
      lists.flatMap((list) => list.slice(at, at + 1))).flat()
  const [first] = answers as [Ranked]
  return {
    ...first, understood,
    items: distinct(inTurn(answers.map(({ items }) => items)), ({ item_id }) => item_id)
      .slice(0, pageSize),
    near_misses: distinct(inTurn(answers.map(({ near_misses }) => near_misses)),
      ({ item_id }) => item_id).slice(0, NEAR_MAX),
    relaxed: distinct(inTurn(answers.map(({ relaxed }) => relaxed)), (note) => note)
      .slice(0, RELAXED_MAX),
    // What goods cost differs, and the question is the same.
    clarify: distinct(inTurn(answers.map(({ clarify: questions }) => questions)),
      (one) => one.split(/[?？]/)[0] ?? one)
      .slice(0, QUESTIONS_MAX),
  }
}

const distinct = <T>(all: readonly T[], keyOf: (one: T) => string): T[] =>
  [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].toReversed()

type Ranked = ReturnType<typeof rankOne>

function rankOne(understood: Understanding, items: readonly Item[], options: RankOptions) {
  const { pageSize, unanswered = [], needKey = [], buy } = options
  const mode = understood.mode?.value ?? DEFAULT_MODE
  const say = sayFor(understood)
  const asked = askedOf(understood)
  const plan = planOf(understood)
  const groups = merge(candidatesOf(items), worthOf(understood, plan))
  const selection = select(groups, asked, plan, understood)
  const isBrandMissing = plan.isOnlyBrand && plan.missingBrands.length > 0
  const all = isBrandMissing ? [] : withoutStrangers(
    score(selection.kept, { asked, plan, understood, mode }), understood)
  const scored = plan.isOpen ? someOfEach(all, plan, pageSize) : all
  const context = contextOf(scored, understood, plan, say)
  return {
    understood: summary(understood, mode),
    items: pageOf(scored, pageSize).map((one) => itemView(one, context, buy)),
    near_misses: selection.near.slice(0, NEAR_MAX).map(({ group: { offers: [lead] }, over }) => ({
      item_id: lead.item_id, title: lead.item.title,
      final_price: goodsPrice(lead.item.price), payable: lead.item.price.payable,
      over_budget: over,
    })),
    relaxed: relaxedNotes({ understood, plan, scored, selection, unanswered, needKey, say })
      .slice(0, RELAXED_MAX),
    clarify: clarify({
      understood, plan, scored, needKey, near: selection.near.length, say,
    }),
    ranking_policy: { version: POLICY_VERSION, commission_used: false as const },
  }
}

/** Where all that was asked for is refused or out of the budget, other goods are no answer. */
function withoutStrangers(
  scored: readonly ScoredOffer[], understood: Understanding,
): readonly ScoredOffer[] {
  const isNarrowed = isLimited(understood) || understood.must_not.length > 0
  const [first, next] = understood.kinds
  const isSure = first !== undefined
    && first.confidence >= (next?.confidence ?? 0) * SURE_SHARE
  return isNarrowed && scored.every(({ tier, goods }) =>
    tier === 'other' || (isSure && goods !== 'asked')) ? [] : scored
}
/** So much likelier than the next is a kind that is meant. */
const SURE_SHARE = 3

/** How many of the wishes an offer within the budget fulfils, as far as it states. */
function worthOf(understood: Understanding, plan: Plan): (candidate: OfferCandidate) => number {
  const { max } = boundsOf(understood)
  return ({ item, facts }) => item.price.payable <= max ? valueOf(plan, facts) : -1
}

const PER_KIND = 2

/** Of a wish that names no goods, the best of several kinds; of several goods, some of each. */
function someOfEach(scored: readonly ScoredOffer[], plan: Plan, pageSize: number): ScoredOffer[] {
  const goods = new Set(plan.groups.values()).size
  const perGoods = Math.ceil(pageSize / goods)
  const perKind = Math.max(PER_KIND, Math.ceil(pageSize / plan.mainKinds.size))
  const isSeveral = goods > 1
  const seen = new Map<string, number>()
  const chosen = scored.filter(({ group: { offers: [{ facts }] } }) => {
    const [kind = ''] = facts.kinds.keys()
    const name = isSeveral ? String(groupOf(plan, kind)) : kind
    seen.set(name, (seen.get(name) ?? 0) + 1)
    return (seen.get(name) ?? 0) <= (isSeveral ? perGoods : perKind)
  })
  // Few kinds have what fits: more of these fill the page.
  return isSeveral || chosen.length >= pageSize ? chosen
    : [...chosen, ...scored.filter((one) => !chosen.includes(one))]
}

function summary(understood: Understanding, mode: Mode) {
  const { keywords, category, budget, quantity, must, must_not } = understood
  return {
    terms: named(keywords.map(({ folded }) => folded.slice(0, TERM_LENGTH_MAX))),
    category_id: category?.value ?? null,
    budget_min: budget?.min ?? null,
    budget_max: budget?.max ?? null,
    qty: quantity?.count ?? null,
    wanted: named(must.map(wishName)),
    refused: named(must_not.map(wishName)),
    unclear: named(understood.unclear.map(({ text }) => text.slice(0, TERM_LENGTH_MAX))),
    mode,
  }
}

const named = (words: readonly string[]): string[] =>
  [...new Set(words)].filter((word) => word !== '')

function contextOf(
  scored: readonly ScoredOffer[], understood: Understanding, plan: Plan, say: Say,
): ReasonContext {
  const things = scored.filter(({ tier }) => tier === 'thing')
  const prices = things.map(({ group }) => openPrice(group)).filter((price) => price !== null)
  return {
    understood, recipients: plan.recipients, say, products: prices.length,
    lowest: prices.length > 0 ? Math.min(...prices) : null,
  }
}

function itemView(scored: ScoredOffer, context: ReasonContext, buy: RankOptions['buy']) {
  const { group, score: points, parts } = scored
  const { offers } = group
  const [lead] = offers
  const { item_id, item: { title, images, price, shop, rating } } = lead
  return {
    item_id, title,
    images: images.slice(0, IMAGES_MAX),
    price: priceView(price, lead.facts),
    final_price: goodsPrice(price),
    shop, sales: salesOf(group), rating,
    score: points,
    score_parts: parts.map((part) => ({ ...part })),
    reasons: reasonsFor(scored, context),
    buy: buy(lead.item),
    offers: offers.slice(0, OFFERS_MAX).map((offer) => offerView(offer, buy)),
  }
}

const offerView = (offer: Offer, buy: RankOptions['buy']) => ({
  item_id: offer.item_id,
  source: offer.item.source,
  shop: offer.item.shop,
  price: priceView(offer.item.price, offer.facts),
  buy: buy(offer.item),
  match: { confidence: offer.match.confidence, reasons: [...offer.match.reasons] },
})

// The page: no product's sizes and colours fill it.

/** Each further variant of a product is shown only if it is better than other goods by so much. */
const VARIANT_POINTS = 5
/** Pages of the ranking that are considered: a lower item is no better than a variant. */
const PAGES = 4

/** In the order of the ranking. A lower tier fills no page before a variant of a higher one. */
function pageOf(scored: readonly ScoredOffer[], pageSize: number): ScoredOffer[] {
  const considered = scored.slice(0, PAGES * pageSize)
  const judged = considered.map((one, at) => {
    const before = considered.slice(0, at).filter((other) => isVariantOf(one, other)).length
    return { one, at, points: one.score - VARIANT_POINTS * before }
  })
  return judged.sort((left, right) =>
    TIER_ORDER.indexOf(left.one.tier) - TIER_ORDER.indexOf(right.one.tier)
    || right.points - left.points || left.at - right.at)
    .slice(0, pageSize).sort((left, right) => left.at - right.at).map(({ one }) => one)
}

const isVariantOf = ({ group: left }: ScoredOffer, { group: right }: ScoredOffer): boolean =>
  areVariants(left.offers[0].facts, right.offers[0].facts)
