/**
 * A row for each line of the specifications themselves: goods whose kind nobody knows state facts
 * as well, under names that only their seller chose. Values stand as they are; none is the better.
 */
import { fold } from '../../language/fold.ts'
import type { Candidate } from '../candidate.ts'
import type { Row } from './rows.ts'

/** Rows of their own have these. */
const ELSEWHERE = new Set(['品类', '品牌', '型号'])
const NAME_LENGTH_MAX = 60
const STATED_MAX = 24

export function statedRows(candidates: readonly Candidate[], covered: readonly Row[]): Row[] {
  const names = new Map(candidates.flatMap(({ item }) => item.spec_list ?? [])
    .filter(({ name }) => !ELSEWHERE.has(name)
      && !covered.some(({ attribute }) => fold(attribute).startsWith(`${fold(name)} (`)))
    .map(({ name }) => [fold(name), name]))
  return [...names].slice(0, STATED_MAX).map(([key, name]): Row => ({
    attribute: name.slice(0, NAME_LENGTH_MAX),
    value: ({ item }) => (item.spec_list ?? []).filter((one) => fold(one.name) === key)
      .map(({ value }) => value).join(', ') || null,
  }))
}
