/** From all goods of the kinds that are meant: those that fit, in order, and what was given up. */
import { fitOf, groupOf, type Plan } from '../language/fit.ts'
import type { Say } from '../language/say.ts'
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
}

interface Ranked {
  readonly item: Candidate
  readonly value: number
  readonly rank: number
  readonly unmet: readonly string[]
}

export function choose(
  plan: Plan, candidates: readonly Candidate[], choice: Choice, say: Say,
): Result {
  const { min = 0, max = Infinity, category, supply, sort, offset, count } = choice
  const isOrdered = sort !== 'relevance'
  const inPlace = candidates.filter((item) =>
    // A title that names all goods is found by none of them.
    !(item.kind === undefined && item.facts.isStuffed)
    && (category === undefined || item.category === category)
    && (supply === undefined || item.supply === supply))
  const priced = inPlace.filter(({ price }) => price >= min && price <= max)
  const fitting = priced.flatMap((item): Ranked[] => {
    const fit = plan.slots.length + plan.refusals.length + plan.prefer.length === 0
      ? { value: 0, rank: 2 * (plan.kinds.get(item.kind ?? '') ?? 0.5), states: [] }
      : fitOf(plan, item.facts, item.kind)
    if (!fit) return []
    const unmet = plan.slots.filter((_, at) => fit.states[at] !== 'met').map(({ name }) => name)
    return [{ item, value: fit.value, rank: fit.rank + item.weight * 0.3, unmet }]
  })
  const main = fitting.filter(({ item }) =>
    item.kind === undefined || plan.mainKinds.has(item.kind))
  const best = new Map<number, number>()
  for (const { item, value } of main.length > 0 ? main : fitting) {
    const group = groupOf(plan, item.kind)
    best.set(group, Math.max(best.get(group) ?? 0, value))
  }
  // By price only what is surely meant: the cheapest telephone is no toy.
  const isMain = (isOrdered || plan.isOpen) && main.length > 0
  const kept = (isMain ? main : fitting).filter(({ item, value }) =>
    value >= (best.get(groupOf(plan, item.kind)) ?? 0))
  const ordered = apart(kept.sort(inOrder(sort))).sort(inOrder(sort))
  const shown = plan.isOpen && !isOrdered ? inTurns(ordered) : ordered
  const page = shown.slice(offset, offset + count)
  const found = {
    total: kept.length, productIds: page.map(({ item }) => item.productId),
    ...(choice.explain && { explain: explanation(plan, page) }),
  }
  if (kept.length === 0) return { ...found, relaxed: noneNote(inPlace, choice, say) }
  const unmet = kept[0]?.unmet.filter((name) => !plan.missingBrands.includes(name)) ?? []
  return unmet.length === 0 ? found : { ...found, relaxed: mostNote(unmet, say) }
}

const explanation = (plan: Plan, page: readonly Ranked[]): Explanation => ({
  head: [...plan.mainKinds].flatMap((kind) => taxonomy().kinds.get(kind)?.name_zh ?? []),
  wishes: plan.slots.map(({ name }) => name),
  refused: plan.refusals.map(({ anyOf }) => anyOf.join('/')),
  points: page.map(({ item, value, rank, unmet }) =>
    ({ product_id: item.productId, points: Math.round(100 * (value + rank)) / 100, lacks: unmet })),
})

const inOrder = (sort: Sort) => (a: Ranked, b: Ranked): number =>
  (sort === 'price_asc' ? a.item.price - b.item.price
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

function noneNote(inPlace: readonly Candidate[], { min, max }: Choice, say: Say): Relaxed {
  const prices = inPlace.map(({ price }) => price)
  const isPriced = prices.length > 0 && (min !== undefined || max !== undefined)
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  return {
    kind: 'none_here', dropped: [],
    note: isPriced ? say(`这个价格范围内没有；现有价格从${yuanText(low)}到${yuanText(high)}。`,
      `None at this price; there are some from ${yuanText(low)} to ${yuanText(high)}.`)
      : say('这里没有符合条件的商品。', 'Nothing here fits; give up a condition.'),
  }
}

const mostNote = (dropped: readonly string[], say: Say): Relaxed => ({
  kind: 'most_words', dropped: dropped.slice(0, 12),
  note: say(`没有商品满足全部条件；这些不满足或没有说明：${dropped.join('、')}。`,
    `Nothing fulfils every wish; these do not, or do not say: ${dropped.join(', ')}.`),
})
