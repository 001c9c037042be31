/**
 * The same searches over UCP and over REST, side by side. An iteration is one search. The profile
 * of the platform is the service's own: it declares everything, and a sandbox reads loopback.
 */
import { rest, searchUcp } from '../call.ts'
import { arrivals, profileOptions, summaryWith } from '../options.ts'
import { pick, plan } from '../plan.ts'

const rate = plan.rate / 2

export const options = profileOptions({
  scenarios: {
    ucp: arrivals({ exec: 'overUcp', rate }), rest: arrivals({ exec: 'overRest', rate }),
  },
  names: ['search_goods ucp', 'search_goods'],
})

const SIZE = 20

export function overUcp(): void {
  searchUcp({ query: pick(plan.words), pagination: { limit: SIZE } })
}

export function overRest(): void {
  rest('search_goods', { q: pick(plan.words), price_max: undefined, page_size: SIZE })
}

export const handleSummary = summaryWith()
