/**
 * What of a sentence is read for values of the goods: not what is a price, a brand or a number of
 * pieces, unless a value has it in its name.
 */
import { valuesNamed, type NamedValues } from '../values.ts'
import { masked, overlaps, type Place } from './claims.ts'
import { TAKEN, type Draft } from './draft.ts'

type IsAlone = (start: number, end: number) => boolean

/** Without what is a price, a brand, a number of pieces or somebody, but for what is kept. */
export function readable(
  { text, clauses, quantities, keywords, ignored }: Draft,
  kept?: 'counted' | 'branded' | 'celebrated',
): string {
  const taken: readonly Place[] = [...clauses, ...kept === 'counted' ? [] : quantities,
    ...kept === 'branded' ? [] : keywords.filter(({ role }) => role === 'brand'),
    ...ignored.filter(({ why }) => why !== 'filler'
      && !(kept === 'celebrated' && why === 'occasion'))]
  return masked(text, taken, TAKEN)
}

/** 四个格子 of a box is no number of boxes. */
export function countedIn(draft: Draft, kind: string, isAlone: IsAlone): NamedValues[] {
  if (draft.quantities.length === 0) return []
  return valuesNamed(kind, readable(draft, 'counted'), isAlone).filter(({ start, end }) =>
    draft.quantities.some((one) => start <= one.start && end > one.end))
}

/** 教师节 of a card says what it is for, and of other goods only when they are given. */
export function occasionsIn(draft: Draft, kind: string, isAlone: IsAlone): NamedValues[] {
  const occasions = draft.ignored.filter(({ why }) => why === 'occasion')
  if (occasions.length === 0) return []
  return valuesNamed(kind, readable(draft, 'celebrated'), isAlone)
    .filter(({ start, end, values }) => values.some(({ attribute }) => attribute !== null)
      && occasions.some((one) => overlaps(one, { start, end })))
}

/** 惠普 of cartridges is what they are made for, and not who makes them. */
export function brandsIn(draft: Draft, kind: string, isAlone: IsAlone): NamedValues[] {
  const brands = draft.keywords.filter(({ role }) => role === 'brand')
  if (brands.length === 0) return []
  return valuesNamed(kind, readable(draft, 'branded'), isAlone).filter(({ start, end, values }) =>
    values.some(({ attribute }) => attribute !== null)
    && brands.some((brand) => brand.start === start && end <= brand.end))
}
