/** Which of the items are the same product, sold twice. */
import type { Candidate } from '../candidate.ts'
import { match, SAME } from '../match.ts'

export interface Twins {
  /** For each item the places of those that are the same. */
  readonly same: readonly (readonly number[])[]
  readonly row: {
    attribute: string
    better?: 'high' | 'low'
    cells: { item_id: string, value: string | null, best: boolean }[]
  } | null
}

export function twinsOf(candidates: readonly Candidate[]): Twins {
  const same = candidates.map((one, at) => candidates.flatMap((other, place) =>
    place !== at && isSame(one, other) ? [place] : []))
  const cells = candidates.map(({ item_id }, at) => ({
    item_id, best: false,
    value: [...new Set(same[at]?.map((place) => candidates[place]?.item_id))].join(', ')
      .slice(0, 200) || null,
  }))
  return { same, row: same.some((places) => places.length > 0)
    ? { attribute: 'same_product_as', cells } : null }
}

const isSame = (one: Candidate, other: Candidate): boolean =>
  one.item_id === other.item_id || match(one.facts, other.facts).confidence >= SAME
