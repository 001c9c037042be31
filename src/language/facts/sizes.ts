/** What an item says in numbers: 1.7L, 500毫升, 12+256G, 200×230cm, 27英寸, 46度, 6个月以上. */
import { masked } from '../read/claims.ts'
import { valuesIn, type FoundValues, type Range } from '../measures.ts'
import { SIZE_UNITS, type SizeUnit } from '../units.ts'

export type Unit = SizeUnit

/** Unit → its values; 12GB+512GB has two. */
export type Sizes = ReadonlyMap<Unit, ReadonlySet<number>>

/** Unit → what is said of it, ranges included: 6-12个月. */
export type Values = ReadonlyMap<string, readonly Range[]>

interface FoundSizes {
  readonly values: Values
  /** The text with the sizes that were read made blank. */
  readonly rest: string
}

const COMPARED: ReadonlySet<string> = new Set(SIZE_UNITS)

export function sizesIn(text: string, isDevice: boolean): FoundSizes {
  const found = withoutStages(valuesIn(text, isDevice), text)
  const values = new Map<string, Range[]>()
  for (const { unit, low, high } of found.flatMap((one) => one.values)) {
    const known = values.get(unit)
    if (known) known.push({ low, high })
    else values.set(unit, [{ low, high }])
  }
  return { values, rest: masked(text, found.filter(isSize)) }
}

/** What two items are compared by. */
export function sizesOf(values: Values): Sizes {
  const sizes = new Map<Unit, ReadonlySet<number>>()
  for (const [unit, ranges] of values) {
    if (!COMPARED.has(unit)) continue
    // 6-12岁 ends when they are thirteen.
    const ends = ranges.flatMap(({ low, high }) => unit === 'month' ? [low] : [low, high])
    sizes.set(unit as Unit, new Set(ends.filter((end) => end > 0 && end < Infinity)))
  }
  return sizes
}

/** A title with an age names schools as places of use only: 6-12岁 ... 幼儿园. */
function withoutStages(found: readonly FoundValues[], text: string): readonly FoundValues[] {
  const isAge = ({ values }: FoundValues): boolean => values.some(({ unit }) => unit === 'month')
  const isWritten = ({ start, end }: FoundValues): boolean => /\d/.test(text.slice(start, end))
  return found.some((one) => isAge(one) && isWritten(one))
    ? found.filter((one) => !isAge(one) || isWritten(one)) : found
}

const isSize = ({ values }: FoundValues): boolean =>
  values.some(({ unit }) => COMPARED.has(unit))
