/**
 * How well a product answers a generated sentence, from the generator's own structures: no title
 * is read for it. 3 is the right kind with all that was asked for, each lacking wish costs one,
 * 1 is the least for the right kind; what is refused or over the budget is 0.
 */
import type { UniverseProduct } from '../../goods/universe.ts'

export interface Wanted {
  readonly kinds: readonly string[]
  /** Attribute → value, with its unit. */
  readonly values?: Readonly<Record<string, string>>
  readonly refused?: Readonly<Record<string, string>>
  readonly features?: readonly string[]
  readonly brand?: string
  readonly model?: string
  /** Fen. */
  readonly max?: number
}

export type Grade = 0 | 1 | 2 | 3

export function gradeOf(product: UniverseProduct, fen: number, wanted: Wanted): Grade {
  const { kinds, values = {}, refused = {}, features = [], brand, model, max = Infinity } = wanted
  if (!kinds.includes(product.kind.kind) || fen > max) return 0
  const text = (name: string): string | undefined =>
    product.attributes.find(({ attribute }) => attribute.name_zh === name)?.text
  if (Object.entries(refused).some(([name, value]) => text(name) === value)) return 0
  if (model !== undefined && product.model !== model) return 0
  const lacking = Object.entries(values).filter(([name, value]) => text(name) !== value).length
    + features.filter((feature) => !product.features.includes(feature)).length
    + (brand !== undefined && product.brand.zh !== brand ? 2 : 0)
  return Math.max(1, 3 - lacking) as Grade
}

/** Discounted gain of the grades in their order, over that of the best order; null without gain. */
export function ndcg(grades: readonly number[], all: readonly number[], depth: number):
number | null {
  const gain = (list: readonly number[]): number => list.slice(0, depth)
    .reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
  const ideal = gain(all.toSorted((left, right) => right - left))
  return ideal === 0 ? null : gain(grades) / ideal
}
