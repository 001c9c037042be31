/** 大米一斤不超过五块, 鸡蛋一个一块五以内: what a unit of goods may cost limits no pack of them. */
import { profileOf } from '../profile.ts'
import type { PerUnit } from '../understanding.ts'
import type { BudgetClause } from './budget.ts'
import { overlaps, type Place } from './claims.ts'
import { type FoundPer, unitNamed } from './per-unit.ts'

const FEN = 100
const BESIDE = /^[ ,;:的]*$/
/** 一个, "per roll"; "each" is of whatever they have. */
const COUNTED = new RegExp('(?:每一?|一|单|[/／])(?!块(?:钱|[\\d一二两三四五六七八九以之左]|$))(\\p{Script=Han})'
  + '|(?:per|an?|each|/) ?(bottle|can|box|pack|packet|roll|carton|jar|case|tub|tube|piece|one)(?![a-z])', 'u')
/** Goods come in packs where half of all have so many, or none is sold by itself. */
const PACK_MIN = 10

/** The unit that a clause limits, with what it may cost. */
export function unitLimitOf(
  text: string, clause: BudgetClause, per: FoundPer | null, kinds: readonly string[],
): PerUnit | undefined {
  if (clause.max === null) return undefined
  const unit = per?.per && isBeside(text, clause, per) ? per.per
    : clause.per === 'each' ? packedUnit(text.slice(clause.start, clause.end), kinds) : undefined
  return unit && { ...unit, max: Math.round(clause.max * FEN) }
}

const isBeside = (text: string, clause: Place, per: Place): boolean => overlaps(clause, per)
  || BESIDE.test(clause.start >= per.end ? text.slice(per.end, clause.start)
    : text.slice(clause.end, per.start))

/** Eggs are counted, and bought by the box; a bag is bought by itself. */
function packedUnit(said: string, kinds: readonly string[]): PerUnit | undefined {
  const found = COUNTED.exec(said)
  const name = found?.[1] ?? (found?.[2] === 'one' || found?.[2] === 'piece' ? undefined : found?.[2])
  const counted = kinds.flatMap((kind) => profileOf(kind).attributes.flatMap(({ values }) => {
    const unit = unitNamed(values[0]?.unit ?? '')
    const [least, half] = [values[0]?.low ?? 0, values[values.length >> 1]?.low ?? 0]
    const isPacked = unit?.unit === 'piece' || unit?.unit === 'pack'
    return isPacked && (least > 1 || half >= PACK_MIN) ? [unit] : []
  }))
  if (name === undefined) return counted[0]
  const asked = unitNamed(name)
  return asked && counted.some(({ unit }) => unit === asked.unit) ? asked : undefined
}
