/** The price of 100 ml, 100 g or a piece, where the title says how much it is. */
import type { Facts } from '../../language/facts.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import type { PerUnit } from '../../language/understanding.ts'

export interface UnitPrice {
  readonly fen: number
  readonly per: '100ml' | '100g' | 'piece' | '100 sheets'
}

/** What is used up; of a kettle nobody asks what 100 ml of it cost. */
const CONSUMABLE = new Set([12, 13, 14, 15, 16, 17, 18, 22, 23, 24])
/** Bags and socks are bought by the piece; a massage gun with six heads is one. */
const COUNTED = new Set([...CONSUMABLE, 5, 9])
/** What holds things, in the same categories. */
const VESSEL =
  /(?:bottle|cup|kettle|bowl|box|feeder|warmer|machine|fountain|bag|pot|basin|dispenser)s?$/
const PIECES_MIN = 2
const SHEETS_MIN = 200

export function unitPriceOf(facts: Facts, payable: number): UnitPrice | undefined {
  const { kinds, sizes, pack, isAccessory } = facts
  // A set holds several things, and a gift none of a known size.
  if (isAccessory || pack.bundles.has('with more') || pack.bundles.has('set')) return undefined
  const isOf = (categories: ReadonlySet<number>): boolean => [...kinds.keys()].every((kind) =>
    categories.has(taxonomy().kinds.get(kind)?.category_id ?? 0) && !VESSEL.test(kind))
  const count = pack.count ?? 1
  if (isOf(CONSUMABLE)) {
    for (const [unit, per] of [['ml', '100ml'], ['g', '100g']] as const) {
      const [size, ...more] = sizes.get(unit) ?? []
      if (size !== undefined && size > 0 && more.length === 0) {
        return { fen: Math.round(payable * 100 / (size * count)), per }
      }
    }
  }
  const pieces = count * (pack.pieces ?? 1)
  if (pieces < PIECES_MIN || !isOf(COUNTED) || sizes.has('ml') || sizes.has('g')) return undefined
  // A price that is no whole fen says more of a hundred.
  return pieces >= SHEETS_MIN ? { fen: Math.round(payable * 100 / pieces), per: '100 sheets' }
    : { fen: Math.round(payable / pieces), per: 'piece' }
}

/** Liquids are stated by weight as well: a litre is about a kilogram. */
const EITHER = { g: ['g', 'ml'], ml: ['ml', 'g'] } as const

/** Fen for the unit that was asked for, not rounded; null where the title does not say. */
export function priceFor(
  { sizes, pack, isAccessory }: Facts, payable: number, { unit, amount }: PerUnit,
): number | null {
  if (isAccessory || pack.bundles.has('with more') || pack.bundles.has('set')) return null
  const count = pack.count ?? 1
  if (unit === 'pack') return payable / count
  if (unit === 'piece') return payable / (count * (pack.pieces ?? 1))
  for (const name of EITHER[unit]) {
    const [size, ...more] = sizes.get(name) ?? []
    if (size !== undefined && size > 0) {
      return more.length === 0 ? payable * amount / (size * count) : null
    }
  }
  return null
}
