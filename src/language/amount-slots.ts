/** How many pieces of goods are bought at once, as far as packs differ in it. */
import { haveUnit } from './profile.ts'
import type { Slot } from './slot.ts'
import type { Understanding } from './understanding.ts'

const ONE_EACH = /(?:一|1|每|单) ?([瓶罐盒包袋支桶])/
const PACKED = ['瓶', '罐', '盒', '包', '袋', '支', '只', '桶'] as const
/** 一箱, 一筒: many at once. */
const BULK = /^[箱筒提]$/
const BULK_MIN = 6

/** 一瓶150 is no pack of twelve, and 三箱 are no three single cartons; two of one bottle are 两瓶. */
export function amountSlots(
  { quantity, budget }: Understanding, kinds: readonly string[],
): readonly Slot[] {
  const each = budget?.per === 'each' ? budget.spans.flatMap(({ text }) =>
    ONE_EACH.exec(text)?.[1] ?? [])[0] : undefined
  const unit = quantity?.unit ?? each
  const count = quantity?.count ?? 1
  if (!unit) return []
  const isBulk = BULK.test(unit)
  const counters = PACKED.filter((one) => (isBulk || one === unit) && haveUnit(kinds, one))
  const fits = (low: number): boolean => isBulk ? low >= BULK_MIN : low === count || low === 1
  return counters.length === 0 ? [] : [{ kind: 'amount', name: `${isBulk ? '一' : count}${unit}`,
    state: ({ pack: { count, pieces } }) => {
      const stated = [count, pieces].filter((one) => one !== null)
      return stated.length === 0 ? 'unknown' : stated.some(fits) ? 'met' : 'against'
    } }]
}
