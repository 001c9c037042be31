/**
 * Searches over all platforms, half of them never made before; from the middle on two platforms
 * are slow. No answer waits longer than the fan-out's deadline, and none fails.
 */
import exec from 'k6/execution'
import { Counter } from 'k6/metrics'
import { rest } from '../call.ts'
import { disturb } from '../control.ts'
import { arrivals, limitOf, once, profileOptions, summaryWith } from '../options.ts'
import { pick, plan } from '../plan.ts'

const SMART = 'cps_smart_search'
const half = plan.seconds / 2

const partial = new Counter('smart_partial')
const complete = new Counter('smart_complete')

export const options = profileOptions({
  scenarios: {
    healthy: arrivals({ exec: 'search', seconds: half }),
    slow: arrivals({ exec: 'search', seconds: half, startSeconds: half }),
    disturbance: once('disturbance', half),
  },
  names: [SMART],
  thresholds: {
    'http_req_duration{scenario:healthy}': [`p(99)<${limitOf(SMART)}`],
    'http_req_duration{scenario:slow}': [`p(99)<${limitOf(SMART)}`],
    smart_complete: ['count>0'],
    smart_partial: plan.control ? ['count>0'] : ['count>=0'],
  },
})

export function search(): void {
  const isNew = Math.random() < 0.5
  const unique = isNew ? ` q${exec.instance.currentTestRunDuration.toString(36)}` : ''
  const { data, error } = rest(SMART, { query: `${pick(plan.words)}${unique}` })
  if (error) return
  if (data.partial) partial.add(1)
  else complete.add(1)
}

export const disturbance = (): void => { disturb('slow') }

export const handleSummary = summaryWith()
