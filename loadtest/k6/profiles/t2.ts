/**
 * One agent of tier t2 at its limit beside many of t1 and many callers without a key. In the
 * first half it is silent. The 99th percentile of the others may at most double.
 */
import exec from 'k6/execution'
import { Counter } from 'k6/metrics'
import { rest } from '../call.ts'
import { arrivals, profileOptions, summaryWith } from '../options.ts'
import { pickItem, plan } from '../plan.ts'

const BUSY = 'get_goods_detail t2'
const T1 = 'get_goods_detail t1'
const KEYLESS = 'get_goods_detail keyless'
/** Well below what each may do: nothing of theirs is refused. */
const T1_RATE_EACH = 10
const KEYLESS_RATE = 60
const KEYLESS_ADDRESSES = 30
const half = plan.seconds / 2
const { rate_per_s, burst } = plan.tier

const granted = new Counter('t2_granted')
const refused = new Counter('t2_refused')

const others = (phase: string, startSeconds: number) => ({
  [`${phase}_t1`]: arrivals({
    exec: 't1', rate: T1_RATE_EACH * plan.otherKeys.length, seconds: half, startSeconds,
  }),
  // Users are given addresses in turn, and calls to users in turn.
  [`${phase}_keyless`]: arrivals({
    exec: 'keyless', rate: KEYLESS_RATE, seconds: half, startSeconds, users: KEYLESS_ADDRESSES,
  }),
})
const phased = (phase: string, who: string): string =>
  `http_req_duration{scenario:${phase}_${who}}`

export const options = profileOptions({
  scenarios: {
    ...others('alone', 0),
    ...others('beside', half),
    busy: arrivals({ exec: 'busy', seconds: half, startSeconds: half }),
  },
  names: [T1, KEYLESS, BUSY],
  thresholds: {
    // Declared so that each phase is in the summary.
    ...Object.fromEntries(['alone', 'beside'].flatMap((phase) => ['t1', 'keyless']
      .map((who) => [phased(phase, who), ['p(99)>=0']]))),
    t2_granted: [`count<=${burst + Math.ceil(rate_per_s * (half + 1))}`, 'count>0'],
    t2_refused: ['count>0'],
  },
})

const detail = (key: string | null, name: string, expect: readonly string[] = []) =>
  rest('get_goods_detail', { sku_id: pickItem().sku_id }, { key, name, expect })

export function t1(): void {
  const turn = exec.scenario.iterationInTest % plan.otherKeys.length
  detail(plan.otherKeys[turn] as string, T1)
}

export const keyless = (): void => { detail(null, KEYLESS) }

export function busy(): void {
  const { error } = detail(plan.keys[0] as string, BUSY, ['rate_limited'])
  if (!error) granted.add(1)
  if (error === 'rate_limited') refused.add(1)
}

export const handleSummary = summaryWith(['t1', 'keyless'].map((who) => ({
  what: `p99 of ${who} callers beside t2 at its limit, against without it`,
  metric: phased('beside', who), against: phased('alone', who), stat: 'p(99)', atMost: 2,
})))
