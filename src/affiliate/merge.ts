/**
 * Items that are the same product become one group with an offer each. Every two of a group match,
 * so that no chain of weak matches joins what is different; the surest pairs join first, and ids
 * decide between equals, so that the order of arrival does not matter.
 */
import { isOpen, type Candidate } from './candidate.ts'
import { match, SAME, type Match } from './match.ts'

export interface Offer extends Candidate {
  /** With the first offer. */
  readonly match: Match
}

export interface Group {
  /**
   * First those that say most of what was wished, of them those that anybody gets, and of these
   * the cheapest.
   */
  readonly offers: readonly [Offer, ...Offer[]]
}

const ITSELF: Match = { confidence: 1, reasons: [] }

/** How much of what was wished an offer says that it has. */
type Worth = (candidate: Candidate) => number

export function merge(candidates: readonly Candidate[], worth: Worth = () => 0): Group[] {
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
  return [...members.values()].map((places) => groupFrom(places, sorted, matches, worth))
}

type Edge = readonly [left: number, right: number, confidence: number]

function edgesOf(candidates: readonly Candidate[]) {
  const edges: Edge[] = []
  const matches = new Map<number, Match>()
  for (const [left, { facts }] of candidates.entries()) {
    for (let right = left + 1; right < candidates.length; right += 1) {
      const found = match(facts, (candidates[right] as Candidate).facts)
      if (found.confidence < SAME) continue
      edges.push([left, right, found.confidence])
      matches.set(keyOf(left, right), found)
    }
  }
  // Places are in the order of ids.
  edges.sort((one, other) => other[2] - one[2] || one[0] - other[0] || one[1] - other[1])
  return { edges, matches }
}

const keyOf = (one: number, other: number): number =>
  Math.min(one, other) * 65_536 + Math.max(one, other)

function groupFrom(
  places: readonly number[], candidates: readonly Candidate[],
  matches: ReadonlyMap<number, Match>, worth: Worth,
): Group {
  const sorted = places.toSorted((left, right) => {
    const [one, other] = [candidates[left] as Candidate, candidates[right] as Candidate]
    return worth(other) - worth(one) || byPrice(one, other)
  })
  const first = sorted[0] as number
  const [lead, ...others] = sorted.map((place): Offer => ({
    ...candidates[place] as Candidate,
    match: place === first ? ITSELF : matches.get(keyOf(first, place)) ?? ITSELF,
  }))
  return { offers: [lead as Offer, ...others] }
}

export const byId = (left: Candidate, right: Candidate): number =>
  (left.item_id < right.item_id ? -1 : left.item_id > right.item_id ? 1 : 0)

/** What anybody pays comes before what only some pay. */
export const byPrice = (left: Candidate, right: Candidate): number =>
  Number(isOpen(right.item.price)) - Number(isOpen(left.item.price))
  || left.item.price.payable - right.item.price.payable || byId(left, right)

/** What anybody pays for it; null where every offer has conditions. */
export const openPrice = ({ offers: [lead] }: Group): number | null =>
  (isOpen(lead.item.price) ? lead.item.price.payable : null)
