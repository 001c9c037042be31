/** What is ranked: an item without its commission, and what is known of it. */
import type { Breakdown, Item } from '../../adapters/contract.ts'
import { factsOf, type Facts } from '../language/facts.ts'
import { itemIdOf } from './views.ts'

/** An item with a commission is not assignable: no rank can come to depend on one. */
export type Rankable = Omit<Item, 'commission' | 'coupon_url'> & {
  readonly commission?: never
  readonly coupon_url?: never
}

export interface Candidate {
  readonly item_id: string
  readonly item: Rankable
  readonly facts: Facts
}

export function withoutCommission(item: Item): Rankable {
  const { commission: _commission, coupon_url: _link, ...rest } = item
  return rest
}

/** Every item once; of two that claim one id the cheaper, whichever came first. */
export function candidatesOf(items: readonly Item[]): Candidate[] {
  const found = new Map<string, Rankable>()
  for (const item of items) {
    const id = itemIdOf(item.source, item.id)
    const known = found.get(id)
    const one = withoutCommission(item)
    if (!known || isBefore(one, known)) found.set(id, one)
  }
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([item_id, item]) => ({ item_id, item, facts: factsOf(item) }))
}

const isBefore = (left: Rankable, right: Rankable): boolean =>
  left.price.payable - right.price.payable < 0
  || (left.price.payable === right.price.payable && JSON.stringify(left) < JSON.stringify(right))

export const isOpen = (price: Breakdown): boolean => price.conditions.length === 0
