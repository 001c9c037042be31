/** From all goods of the kinds that are meant: those that fit, in order, and what was given up. */
import { fitOf, groupOf, HANDFUL, nearNote, orderOf, type Plan } from '../language/fit.ts'
import type { Say } from '../language/answer-language.ts'
import { yuanText } from '../contract/money.ts'
import type { Candidate } from './candidates.ts'
import type { GoodsFilter, Sort } from './query.ts'
import { taxonomy } from './taxonomy.ts'

export interface Relaxed {
  readonly kind: 'typo' | 'most_words' | 'none_here'
  readonly note: string
  /** Wishes that the items need not fulfil. */
  readonly dropped: readonly string[]
}

/** How an answer came about, for who asks. */
export interface Explanation {
  /** Chinese names of the kinds that were meant, the likeliest first. */
  readonly head: readonly string[]
  readonly wishes: readonly string[]
  readonly refused: readonly string[]
  /** Of each item on the page. */
  readonly points: readonly {
    readonly product_id: number, readonly points: number, readonly lacks: readonly string[],
  }[]
}

export interface Result {
  readonly total: number
  readonly productIds: readonly number[]
  readonly relaxed?: Relaxed
  readonly explain?: Explanation
}

export interface Choice extends GoodsFilter {
  readonly sort: Sort
  readonly offset: number
  readonly count: number
  readonly explain?: boolean
  /** How far a price lies outside what was about named; 0 within it. */
  readonly bandOf?: (price: number) => number
}

interface Ranked {
  readonly item: Candidate
  readonly value: number
  /** Model, brand and whom it is for: what no other goods stand in for. */
  readonly firm: number
  /** All that orders before rank and price; of what is chosen, less that of the best. */
  readonly order: number
  readonly rank: number
  readonly unmet: readonly string[]
}

/** How well an item fits; undefined for what is refused. */
export type Ranker = (item: Candidate) => Ranked | undefined

/** Ranks an item once. */
export function rankerFor(plan: Plan, choice: Choice, say: Say): Ranker {
  const known = new Map<Candidate, Ranked | undefined>()
  return (item) => {
    if (!known.has(item)) known.set(item, rankedOf(plan, item, choice, say))
    return known.get(item)
  }
}

export function choose(
  plan: Plan, candidates: readonly Candidate[], choice: Choice, say: Say,
  rank: Ranker = rankerFor(plan, choice, say),
): Result {
  const { sort, offset, count } = choice
  const isOrdered = sort !== 'relevance'
  const there = candidates.filter((item) => inPlace(item, choice)
    // A title that names all goods is found by none of them.
    && !(item.kind === undefined && item.facts.isStuffed))
  const priced = there.filter((item) => inRange(item, choice))
  const fitting = priced.flatMap((item) => rank(item) ?? [])
  const main = fitting.filter(({ item }) =>
    item.kind === undefined || plan.mainKinds.has(item.kind))
  // By price only what is surely meant: the cheapest telephone is no toy.
  const isMain = (isOrdered || plan.isOpen) && main.length > 0
  const { kept, exact } = chosenOf(plan, isMain ? main : fitting, main.length > 0 ? main : fitting,
    inOrder(sort))
  const ordered = apart(kept.toSorted(inOrder(sort))).sort(inOrder(sort))
  const shown = plan.isOpen && !isOrdered ? inTurns(ordered) : ordered
  const page = shown.slice(offset, offset + count)
  const found = {
    total: kept.length, productIds: page.map(({ item }) => item.productId),
    ...(choice.explain && { explain: explanation(plan, page) }),
  }
  if (kept.length === 0) return { relaxed: noneNote(there, choice, say), ...found }
  const named = (unmet: readonly string[]): string[] =>
    unmet.filter((name) => !plan.missingBrands.includes(name))
  const unmet = named(ordered[0]?.unmet ?? [])
  if (unmet.length > 0) {
    const near = nearOf(shownOf(plan, page), unmet, say)
    return { relaxed: mostNote(unmet, say, near), ...found }
  }
  // Several goods are shown in turns.
  if (plan.isOpen) return found
  const dropped = [...new Set(kept.slice(exact).flatMap((one) => named(one.unmet)))]
  return dropped.length === 0 ? found : { relaxed: someNote(exact, dropped, say), ...found }
}

/** What takes no reading of what an item says. */
export const inPlace = (item: Candidate, { categories, supply }: GoodsFilter): boolean =>
  (!categories || categories.includes(item.category))
  && (supply === undefined || item.supply === supply)

export const inRange = (
  { price }: Candidate, { min = 0, max = Infinity }: GoodsFilter,
): boolean => price >= min && price <= max

function rankedOf(
  plan: Plan, item: Candidate, { bandOf }: Choice, say: Say,
): Ranked | undefined {
  const fit = plan.slots.length + plan.refusals.length + plan.prefer.length === 0
    ? { value: 0, firm: 0, unknown: 0, words: 0, near: 0, states: [],
      rank: 2 * (plan.kinds.get(item.kind ?? '') ?? 0.5) }
    : fitOf(plan, item.facts, item.kind)
  if (!fit) return undefined
  const band = bandOf?.(item.price) ?? 0
  const unmet = [...new Set(plan.slots.filter(({ isSoft }, at) =>
    !isSoft && fit.states[at] !== 'met').map(({ name }) => name))]
  return {
    item, value: fit.value, firm: fit.firm, order: orderOf(fit, band),
    rank: fit.rank + item.weight * 0.3,
    unmet: band > 1 ? [...unmet, say('价格', 'price')] : unmet,
  }
}

/**
 * What fits best of each of the goods that are meant. Where that is less than a handful, all that
 * lacks nothing but words follows it, and of what lacks a wish so much as makes a handful.
 */
function chosenOf(
  plan: Plan, fitting: readonly Ranked[], likely: readonly Ranked[],
  compare: (a: Ranked, b: Ranked) => number,
): { readonly kept: readonly Ranked[], readonly exact: number } {
  const exact: Ranked[] = []
  const near: Ranked[] = []
  for (const group of new Set(fitting.map(({ item }) => groupOf(plan, item.kind)))) {
    const isOfGroup = ({ item }: Ranked): boolean => groupOf(plan, item.kind) === group
    const of = fitting.filter(isOfGroup)
    const best = bestOf(likely.filter(isOfGroup))
    const first = of.filter(({ order }) => order >= best.order)
    // 牛仔裤 3XL is a pair of jeans: dungarees of the size are no better answer.
    const less = (one: Ranked): Ranked => ({ ...one, order: isLikely(plan, one)
      ? one.order - best.order : Math.min(0, one.order - best.order) })
    exact.push(...first.map(less))
    if (first.length >= HANDFUL) continue
    const rest = likely.filter((one) => isOfGroup(one)
      && one.order < best.order && one.firm >= best.firm)
    const same = rest.filter(({ value }) => value >= best.value)
    const others = plan.isOpen ? []
      : apart(rest.filter(({ value }) => value < best.value).sort(compare)).sort(compare)
    const missing = Math.max(0, HANDFUL - first.length - same.length)
    near.push(...[...same, ...others.slice(0, missing)].map(less))
  }
  return { kept: [...exact, ...near], exact: exact.length }
}

/** From this share of the likeliest kind on goods come first by what else they fulfil. */
const LIKELY_SHARE = 0.45
const isLikely = ({ kinds }: Plan, { item: { kind } }: Ranked): boolean =>
  kind === undefined || (kinds.get(kind) ?? 0) >= LIKELY_SHARE

const bestOf = (ranked: readonly Ranked[]): Pick<Ranked, 'order' | 'value' | 'firm'> =>
  ranked.reduce((best, one) => one.order > best.order ? one : best,
    { order: -1, value: -1, firm: -1 } as Pick<Ranked, 'order' | 'value' | 'firm'>)

const explanation = (plan: Plan, page: readonly Ranked[]): Explanation => ({
  head: [...plan.mainKinds].flatMap((kind) => taxonomy().kinds.get(kind)?.name_zh ?? []),
  wishes: plan.slots.map(({ name }) => name),
  refused: plan.refusals.map(({ anyOf }) => anyOf.join('/')),
  points: page.map(({ item, value, rank, unmet }) =>
    ({ product_id: item.productId, points: Math.round(100 * (value + rank)) / 100, lacks: unmet })),
})

/** What lacks more comes after what lacks less, whatever it costs. */
const inOrder = (sort: Sort) => (a: Ranked, b: Ranked): number =>
  b.order - a.order || (sort === 'price_asc' ? a.item.price - b.item.price
    : sort === 'price_desc' ? b.item.price - a.item.price : 0)
  || b.rank - a.rank || a.item.productId - b.item.productId

/** More than sales and ratings make of a rank: all that fits as well comes before a variant. */
const VARIANT_STEP = 0.16

/** Each further variant of one product a step lower, so that no page is full of one product. */
function apart(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Map<string, number>()
  return ranked.map((one) => {
    const { group } = one.item
    if (group === undefined) return one
    const before = seen.get(group) ?? 0
    seen.set(group, before + 1)
    return before === 0 ? one : { ...one, rank: one.rank - VARIANT_STEP * before }
  })
}

/** The first of each kind, then the second of each. */
function inTurns(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Map<string | undefined, number>()
  return ranked.map((one) => {
    const turn = seen.get(one.item.kind) ?? 0
    seen.set(one.item.kind, turn + 1)
    return { one, turn }
  }).sort((left, right) => left.turn - right.turn).map(({ one }) => one)
}

function noneNote(there: readonly Candidate[], { min, max }: Choice, say: Say): Relaxed {
  const prices = there.map(({ price }) => price)
  const isPriced = prices.length > 0 && (min !== undefined || max !== undefined)
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  return {
    kind: 'none_here', dropped: [],
    note: isPriced ? say(`这个价格范围内没有；现有价格从${yuanText(low)}到${yuanText(high)}。`,
      `None at this price; there are some from ${yuanText(low)} to ${yuanText(high)}.`)
      : say('这里没有符合条件的商品。', 'Nothing here fits; give up a condition.'),
  }
}

const someNote = (count: number, dropped: readonly string[], say: Say): Relaxed => ({
  kind: 'most_words', dropped: dropped.slice(0, 12),
  note: say(`只有前 ${count} 件满足全部条件；其后的不满足或没有说明：${dropped.join('、')}。`,
    `Only the first ${count} fulfil every wish; those after do not, or do not say: ${
      dropped.join(', ')}.`),
})

/** Kinds of what is shown come near; those of which all is refused do not. */
function shownOf(plan: Plan, page: readonly Ranked[]): Plan {
  const shown = new Set(page.flatMap(({ item }) => item.kind ?? []))
  const main = [...plan.mainKinds].filter((kind) => shown.has(kind))
  return { ...plan, mainKinds: new Set(main.length > 0 ? main : shown) }
}

/** A name with a word that none of its goods has: what is here may be of another kind. */
function nearOf(plan: Plan, unmet: readonly string[], say: Say): string[] {
  const { slots } = plan
  const bareName = plan.bareName()
  const isKnown = !slots.some(({ kind, name, value, isSoft }) => unmet.includes(name)
    && !isSoft && (kind === 'word' || (kind === 'feature' && value === undefined)))
  return bareName === null || plan.isOpen || isKnown ? []
    : [nearNote(bareName, plan, say)]
}

const mostNote = (dropped: readonly string[], say: Say, near: string[]): Relaxed => ({
  kind: 'most_words', dropped: dropped.slice(0, 12),
  note: [...near, say(`没有商品满足全部条件；这些不满足或没有说明：${dropped.join('、')}。`,
    `Nothing fulfils every wish; these do not, or do not say: ${dropped.join(', ')}.`)].join(' '),
})
