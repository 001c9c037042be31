/** Which groups answer a sentence: what it refuses and its budget; and what had to be given up. */
import { isOpen } from '../candidate.ts'
import type { Group } from '../merge.ts'
import { goodsOf, type Asked } from '../../language/relevance.ts'
import { isRefused } from '../../language/wishes.ts'
import type { Understanding } from '../../language/understanding.ts'
import { yuanText } from '../../money.ts'
import { wishName } from './words.ts'

export interface NearMiss {
  readonly group: Group
  /** Fen. */
  readonly over: number
}

export interface Selection {
  readonly kept: readonly Group[]
  /** Over the budget, the nearest first. */
  readonly near: readonly NearMiss[]
  /** What was given up, in our own words. */
  readonly relaxed: readonly string[]
}

/** How far outside 300左右 an item may lie. */
const ABOUT_SLACK = 0.25

export function select(
  groups: readonly Group[], asked: Asked, understood: Understanding,
): Selection {
  const relaxed: string[] = []
  const isThing = (group: Group): boolean => group.offers.some(({ facts, item }) =>
    goodsOf(asked, facts, item.source) !== 'other')
  const wanted = withoutRefused(groups, isThing, understood, relaxed)
  const bounds = boundsOf(understood)
  const priced = wanted.map((group) => ({ group, price: priceOf(group) }))
  const near = priced.filter(({ group, price }) => price > bounds.max && isThing(group))
    .map(({ group, price }) => ({ group, over: price - bounds.said }))
    .sort((left, right) => left.over - right.over || byLead(left.group, right.group))
  const within = priced.filter(({ price }) => price <= bounds.max)
  const above = within.filter(({ price }) => price >= bounds.min)
  const isTooCheap = !above.some(({ group }) => isThing(group))
    && within.some(({ group }) => isThing(group)) && near.length === 0
  if (isTooCheap) {
    relaxed.push(`Nothing costs ${yuanText(bounds.min)} or more; cheaper ones are shown.`)
  }
  return { kept: (isTooCheap ? within : above).map(({ group }) => group), near, relaxed }
}

/** What is refused is left out, unless nothing else was found. */
function withoutRefused(
  groups: readonly Group[], isThing: (group: Group) => boolean,
  { must_not }: Understanding, relaxed: string[],
): readonly Group[] {
  if (must_not.length === 0) return groups
  const refusedBy = (group: Group) => must_not.filter((wish) =>
    group.offers.some(({ facts }) => isRefused(wish, facts)))
  const kept = groups.filter((group) => refusedBy(group).length === 0)
  if (kept.some(isThing) || !groups.some(isThing)) return kept
  const names = new Set(groups.filter(isThing).flatMap(refusedBy).map(wishName))
  relaxed.push(`All that was found has what was refused: ${[...names].join(', ')}.`.slice(0, 200))
  return groups
}

/** Of one piece, in fen; `said` is the upper bound without slack. */
function boundsOf({ budget, quantity }: Understanding) {
  if (!budget) return { min: 0, max: Infinity, said: Infinity }
  const pieces = budget.per === 'total' ? Math.max(1, quantity?.count ?? 1) : 1
  const slack = budget.kind === 'about' ? ABOUT_SLACK : 0
  const said = (budget.max ?? Infinity) / pieces
  return {
    min: (budget.min ?? 0) / pieces * (1 - slack),
    max: said * (1 + slack),
    said: Math.floor(said),
  }
}

export const limitOf = (understood: Understanding): number => boundsOf(understood).said

const priceOf = ({ offers: [{ item: { price } }] }: Group): number => price.payable

const byLead = ({ offers: [left] }: Group, { offers: [right] }: Group): number =>
  Number(isOpen(right.item.price)) - Number(isOpen(left.item.price))
  || (left.item_id < right.item_id ? -1 : 1)
