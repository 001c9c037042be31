/** Which groups answer a sentence: neither refused, nor of other goods, nor out of its budget. */
import { bandOf, boundsOf } from '../../language/bounds.ts'
import type { Plan } from '../../language/fit.ts'
import { goodsOf, type Asked } from '../../language/relevance.ts'
import type { Understanding } from '../../language/understanding.ts'
import { isRefused } from '../../language/wishes.ts'
import { isOpen } from '../candidate.ts'
import type { Group } from '../merge.ts'

export interface NearMiss {
  readonly group: Group
  /** Fen. */
  readonly over: number
}

export interface Selection {
  readonly kept: readonly Group[]
  /** Over the budget, the nearest first. */
  readonly near: readonly NearMiss[]
  /** How many were left out because they have what is refused, or are too cheap. */
  readonly refused: number
  readonly tooCheap: number
}

export function select(
  groups: readonly Group[], asked: Asked, plan: Plan, understood: Understanding,
): Selection {
  const things = groups.filter((group) => group.offers.some(({ facts, item }) =>
    goodsOf(asked, facts, item.source) !== 'other'))
  const wanted = things.filter((group) => !plan.refusals.some((wish) =>
    group.offers.some(({ facts }) => isRefused(wish, facts))))
  const { min, max } = boundsOf(understood)
  const priced = wanted.map((group) => {
    const price = priceOf(group)
    return { group, price, band: bandOf(price, { min, max }, understood.budget) }
  })
  const kept = priced.filter(({ band }) => band !== undefined)
  const others = priced.filter(({ band }) => band === undefined)
  return {
    kept: kept.map(({ group }) => group),
    near: others.filter(({ price }) => price > max)
      .map(({ group, price }) => ({ group, over: price - max }))
      .sort((left, right) => left.over - right.over || byLead(left.group, right.group)),
    refused: things.length - wanted.length,
    tooCheap: others.filter(({ price }) => price < min).length,
  }
}

export const priceOf = ({ offers: [{ item: { price } }] }: Group): number => price.payable

const byLead = ({ offers: [left] }: Group, { offers: [right] }: Group): number =>
  Number(isOpen(right.item.price)) - Number(isOpen(left.item.price))
  || (left.item_id < right.item_id ? -1 : 1)
