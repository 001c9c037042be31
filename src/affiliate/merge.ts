/**
 * Items that are the same product become one group with an offer each. Every two of a group match,
 * so that no chain of weak matches joins different products; the surest pairs join first, and ids
 * decide between equals, so that the order of arrival does not matter.
 */
import type { Breakdown, Item } from '../../adapters/contract.ts'
import { type Facts, factsOf } from '../language/facts.ts'
import { itemIdOf } from './items.ts'
import { match, type OfferMatch, SAME } from './match.ts'

export interface Offer extends OfferCandidate {
  /** With the first offer. */
  readonly match: OfferMatch
}

export interface OfferGroup {
  /**
   * First those that fulfil most wishes, of them those without conditions, and of these the
   * cheapest.
   */
  readonly offers: readonly [Offer, ...Offer[]]
}

const ITSELF: OfferMatch = { confidence: 1, reasons: [] }

/** How many of the wishes an offer fulfils, as far as it states. */
type Worth = (candidate: OfferCandidate) => number

export function merge(candidates: readonly OfferCandidate[], worth: Worth = () => 0): OfferGroup[] {
  const sorted = candidates.toSorted(byId)
  const { edges, matches } = edgesOf(sorted)
  const members = new Map<number, number[]>(sorted.map((_, at) => [at, [at]]))
  const groupOf = sorted.map((_, at) => at)
  for (const [left, right] of edges) {
    const [into, from] = [groupOf[left] as number, groupOf[right] as number]
    if (into === from) continue
    const [some, others] = [members.get(into) ?? [], members.get(from) ?? []]
    if (!some.every((one) => others.every((other) => matches.has(keyOf(one, other))))) continue
    for (const other of others) groupOf[other] = into
    members.set(into, [...some, ...others])
    members.delete(from)
  }
  return [...members.values()].map((indices) => groupFrom(indices, sorted, matches, worth))
}

type Edge = readonly [left: number, right: number, confidence: number]

function edgesOf(candidates: readonly OfferCandidate[]) {
  const edges: Edge[] = []
  const matches = new Map<number, OfferMatch>()
  for (const [left, { facts }] of candidates.entries()) {
    for (let right = left + 1; right < candidates.length; right += 1) {
      const found = match(facts, (candidates[right] as OfferCandidate).facts)
      if (found.confidence < SAME) continue
      edges.push([left, right, found.confidence])
      matches.set(keyOf(left, right), found)
    }
  }
  // Indices are in the order of ids.
  edges.sort((one, other) => other[2] - one[2] || one[0] - other[0] || one[1] - other[1])
  return { edges, matches }
}

const keyOf = (one: number, other: number): number =>
  Math.min(one, other) * 65_536 + Math.max(one, other)

function groupFrom(
  indices: readonly number[], candidates: readonly OfferCandidate[],
  matches: ReadonlyMap<number, OfferMatch>, worth: Worth,
): OfferGroup {
  const sorted = indices.toSorted((left, right) => {
    const [one, other] = [candidates[left] as OfferCandidate, candidates[right] as OfferCandidate]
    return worth(other) - worth(one) || byPrice(one, other)
  })
  const first = sorted[0] as number
  const [lead, ...others] = sorted.map((index): Offer => ({
    ...candidates[index] as OfferCandidate,
    match: index === first ? ITSELF : matches.get(keyOf(first, index)) ?? ITSELF,
  }))
  return { offers: [lead as Offer, ...others] }
}

const byId = (left: OfferCandidate, right: OfferCandidate): number =>
  (left.item_id < right.item_id ? -1 : left.item_id > right.item_id ? 1 : 0)

/** Prices without conditions first. */
const byPrice = (left: OfferCandidate, right: OfferCandidate): number =>
  Number(isOpen(right.item.price)) - Number(isOpen(left.item.price))
  || left.item.price.payable - right.item.price.payable || byId(left, right)

/** The total of its first offer. */
export const payableOf = ({ offers: [{ item: { price } }] }: OfferGroup): number => price.payable

/** What anybody pays for it; null where every offer has conditions. */
export const openPrice = ({ offers: [lead] }: OfferGroup): number | null =>
  (isOpen(lead.item.price) ? lead.item.price.payable : null)

// Candidates: an item without its commission, and its facts.

/** An item with a commission is not assignable: so no rank can depend on one. */
export type Rankable = Omit<Item, 'commission' | 'coupon_url'> & {
  readonly commission?: never
  readonly coupon_url?: never
}

export interface OfferCandidate {
  readonly item_id: string
  readonly item: Rankable
  readonly facts: Facts
}

export function withoutCommission(item: Item): Rankable {
  const { commission: _commission, coupon_url: _link, ...rest } = item
  return rest
}

/** Every item once; of two that claim one id the cheaper, whichever came first. */
export function candidatesOf(items: readonly Item[]): OfferCandidate[] {
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
