/** 大米一斤不超过五块, 鸡蛋一个一块五以内: what a unit of goods may cost limits no pack of them. */
import { taxonomy } from '../../goods/taxonomy.ts'
import { profileOf } from '../profile.ts'
import type { PerUnit } from '../understanding.ts'
import type { BudgetClause } from './budget.ts'
import { overlaps, type Place } from './claims.ts'
import { type FoundPer, unitNamed } from './per-unit.ts'
import { writtenUnit } from '../units.ts'

const FEN = 100
const BESIDE = /^[ ,;:的]*$/
/** 一个 and 每包; "each" is of the pieces that they have. */
const COUNTED = new RegExp('(?:每一?|一|单|[/／])(?!块(?:钱|[\\d一二两三四五六七八九以之左]|$))(\\p{Script=Han})'
  + '|(?<![a-z])(each|apiece)(?![a-z])|(?:per|an?|/) ?'
  + '(bottle|can|box|pack|packet|roll|carton|jar|case|tub|tube|piece|one)(?![a-z])', 'u')
const PIECE: ReadonlySet<string> = new Set(['each', 'apiece', 'piece', 'one', '个'])

/** The unit that a clause limits, with what it may cost. */
export function unitLimitOf(
  text: string, clause: BudgetClause, per: FoundPer | null, kinds: readonly string[],
): PerUnit | undefined {
  if (clause.max === null) return undefined
  const unit = per?.per && isBeside(text, clause, per) ? per.per
    : clause.per === 'each' && clause.min === null
      ? packedUnit(text.slice(clause.start, clause.end), clause.max * FEN, kinds) : undefined
  return unit && { ...unit, max: Math.round(clause.max * FEN) }
}

const isBeside = (text: string, clause: Place, per: Place): boolean => overlaps(clause, per)
  || BESIDE.test(clause.start >= per.end ? text.slice(per.end, clause.start)
    : text.slice(clause.end, per.start))

/**
 * Eggs are counted, and bought by the box; a bag is bought by itself, and water either way: a
 * price below that of all packs is one of a bottle.
 */
function packedUnit(said: string, most: number, kinds: readonly string[]): PerUnit | undefined {
  const [, ...groups] = COUNTED.exec(said) ?? []
  const name = groups.find((one) => one !== undefined)
  if (name === undefined) return undefined
  const units = kinds.map((kind) => profileOf(kind).attributes.flatMap(({ values }) => {
    const [first] = values
    const isCheaper = most < (taxonomy().kinds.get(kind)?.price?.min ?? 0)
    const isPacked = values.length > 0 && (values.every(({ low }) => low > 1)
      || (isCheaper && values.some(({ low }) => low > 1)))
    const isMeant = first && (PIECE.has(name) ? unitNamed(first.unit)?.unit === 'piece'
      : writtenUnit(name).unit === first.unit)
    return isPacked && isMeant ? unitNamed(PIECE.has(name) ? first.unit : name) ?? [] : []
  })[0])
  const found = units.filter((unit) => unit !== undefined)
  return found.length * 2 >= units.length ? found[0] : undefined
}
