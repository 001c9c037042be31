/** Shoppers who look around: search, detail and shelf. An iteration is one call. */
import { arrivals, profileOptions, summaryWith } from '../options.ts'
import { READING_NAMES, readSomething } from '../visits.ts'

export const options = profileOptions({
  scenarios: { browse: arrivals({ exec: 'browse' }) },
  names: READING_NAMES,
})

export const browse = (): void => { readSomething() }

export const handleSummary = summaryWith()
