/** Which of the ranked are shown, so that no page is full of one product's sizes and colours. */
import { areVariants } from '../match.ts'
import { TIER_ORDER, type Scored } from '../score.ts'

/** By so much each further variant of a product must be better than other goods to be shown. */
const VARIANT_POINTS = 5
/** Pages of the ranking that are looked at: what stands lower is no better than a variant. */
const PAGES = 4

/** In the order of the ranking. A lower tier fills no page before a variant of a higher one. */
export function pageOf(scored: readonly Scored[], pageSize: number): Scored[] {
  const looked = scored.slice(0, PAGES * pageSize)
  const judged = looked.map((one, at) => {
    const before = looked.slice(0, at).filter((other) => isVariantOf(one, other)).length
    return { one, at, points: one.score - VARIANT_POINTS * before }
  })
  return judged.sort((left, right) =>
    TIER_ORDER.indexOf(left.one.tier) - TIER_ORDER.indexOf(right.one.tier)
    || right.points - left.points || left.at - right.at)
    .slice(0, pageSize).sort((left, right) => left.at - right.at).map(({ one }) => one)
}

const isVariantOf = ({ group: left }: Scored, { group: right }: Scored): boolean =>
  areVariants(left.offers[0].facts, right.offers[0].facts)
