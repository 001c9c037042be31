/** A row for each dimension that a title states: storage, volume, screen, power. */
import type { Candidate } from '../candidate.ts'
import type { Unit } from '../../language/facts/sizes.ts'
import type { Row } from './rows.ts'

const NAMES: Readonly<Record<Unit, string>> = {
  ml: 'volume (ml)', g: 'weight (g)', gb: 'memory and storage (GB)', mm: 'length (mm)',
  inch: 'diagonal (inch)', w: 'power (W)', mah: 'battery (mAh)', hz: 'frequency (Hz)',
  degree: 'degree', shoe: 'shoe size', month: 'months', year: 'years', person: 'people',
  grade: 'grade', layer: 'layers', hour: 'hours', grit: 'grit', page: 'pages', percent: 'percent',
}
/** More of it is better, whatever else is true. */
const MORE_IS_BETTER: ReadonlySet<Unit> = new Set(['gb', 'mah', 'hz', 'hour'])

/** In the order of the table, so that equal items give equal rows. */
export const sizeRows = (candidates: readonly Candidate[]): Row[] =>
  (Object.keys(NAMES) as Unit[]).filter((unit) =>
    candidates.some(({ facts }) => facts.sizes.has(unit))).map((unit) => ({
    attribute: NAMES[unit],
    value: ({ facts }) => [...facts.sizes.get(unit) ?? []].sort((left, right) => left - right)
      .join(' + ') || null,
    ...MORE_IS_BETTER.has(unit) && {
      rank: ({ facts }: Candidate) => {
        const values = facts.sizes.get(unit)
        return values ? Math.max(...values) : null
      },
    },
  }))
