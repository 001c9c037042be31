/**
 * Up to six items side by side: what each says of price, standing and make, which cell of a row is
 * the best, what nobody knows, and which item a person would take in each mode.
 */
import type { Item } from '../../adapters/contract.ts'
import { MODES } from '../contract/affiliate-fields.ts'
import { withoutCommission, type Candidate } from './candidate.ts'
import { attributeRows } from './compare/attribute-rows.ts'
import { ROWS, type Row } from './compare/rows.ts'
import { sizeRows } from './compare/size-rows.ts'
import { statedRows } from './compare/stated-rows.ts'
import { twinsOf } from './compare/twins.ts'
import { verdict } from './compare/verdicts.ts'
import { factsOf } from '../language/facts.ts'
import { itemIdOf } from './views.ts'

const VALUE_LENGTH_MAX = 200
const ROWS_MAX = 60

export type Comparison = ReturnType<typeof compare>

/** Items in the order in which they were asked for; `missing` is passed on. */
export function compare(items: readonly Item[], missing: readonly string[] = []) {
  const candidates = items.map((item): Candidate => ({
    item_id: itemIdOf(item.source, item.id),
    item: withoutCommission(item), facts: factsOf(item),
  }))
  const twins = twinsOf(candidates)
  const attributes = attributeRows(candidates)
  // Where the goods' own attributes say it, a number without a name says no more.
  const rows: readonly Row[] = [...ROWS, ...attributes.length > 0 ? attributes
    : sizeRows(candidates), ...statedRows(candidates, attributes)]
  return {
    items: candidates.map(({ item_id, item }) => ({ item_id, title: item.title })),
    rows: [...rows.map((row) => rowOf(row, candidates)), ...twins.row ? [twins.row] : []]
      .filter(({ cells }) => cells.some(({ value }) => value !== null)).slice(0, ROWS_MAX),
    verdicts: MODES.map((mode) => verdict(mode, candidates, twins.same)),
    missing: [...missing],
  }
}

function rowOf(row: Row, candidates: readonly Candidate[]) {
  const ranks = candidates.map((candidate) => row.rank?.(candidate) ?? null)
  const known = ranks.filter((rank) => rank !== null)
  const best = Math.max(...known)
  // Where all are alike none is the best.
  const isDecided = known.some((rank) => rank < best)
  return {
    attribute: row.attribute,
    ...row.better && { better: row.better },
    cells: candidates.map((candidate, at) => ({
      item_id: candidate.item_id,
      value: row.value(candidate)?.slice(0, VALUE_LENGTH_MAX) ?? null,
      best: isDecided && ranks[at] === best,
    })),
  }
}
