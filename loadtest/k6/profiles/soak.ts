/** A bit of everything for a long time; the report has the memory of the nodes beside it. */
import { BUYING_NAMES, BUYING_THRESHOLDS, buySomething } from '../buying.ts'
import { CONVERSATION_NAMES, converse, READING_NAMES, readSomething } from '../visits.ts'
import { arrivals, profileOptions, summaryWith } from '../options.ts'
import { pick, pickWeighted } from '../plan.ts'

export const options = profileOptions({
  scenarios: { soak: arrivals({ exec: 'soak' }) },
  names: [...READING_NAMES, ...BUYING_NAMES, ...CONVERSATION_NAMES],
  thresholds: BUYING_THRESHOLDS,
})

export const soak = (): unknown => pickWeighted<() => unknown>([
  [80, readSomething],
  [15, buySomething],
  [5, () => converse(pick(['handshake', 'modern'] as const))],
])()

export const handleSummary = summaryWith()
