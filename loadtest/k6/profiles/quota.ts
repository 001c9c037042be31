/**
 * A key that overspends over all nodes: its daily quota of platform calls, of which little is
 * left, and, as another agent, its rate. What is granted never exceeds what there is.
 */
import exec from 'k6/execution'
import { Counter } from 'k6/metrics'
import { rest } from '../call.ts'
import { arrivals, profileOptions, summaryWith } from '../options.ts'
import { plan, planned } from '../plan.ts'

const SPEND = ['cps_mallb_goods_search', 'cps_mallc_goods_search', 'cps_search_shops'] as const
const RATE_CALL = 'search_goods over its rate'
const OVER = 3
const left = planned(plan.quotaLeft, 'quota that is left')
const { rate_per_s, burst } = plan.tier
/** Tokens come back until the last call is decided. */
const rateLimit = burst + Math.ceil(rate_per_s * (plan.seconds + 1))

const quotaGranted = new Counter('quota_granted')
const quotaRefused = new Counter('quota_refused')
const quotaSpent = new Counter('quota_spent_in_vain')
const rateGranted = new Counter('rate_granted')
const rateRefused = new Counter('rate_refused')

export const options = profileOptions({
  scenarios: {
    daily_quota: arrivals({ exec: 'dailyQuota' }),
    rate: arrivals({ exec: 'overRate', rate: rate_per_s * OVER }),
  },
  names: [...SPEND, RATE_CALL],
  thresholds: {
    quota_granted: [`count<=${left}`],
    quota_refused: ['count>0'],
    rate_granted: [`count<=${rateLimit}`, `count>=${Math.floor(rate_per_s * plan.seconds)}`],
    rate_refused: ['count>0'],
  },
})

export function dailyQuota(): void {
  const turn = exec.scenario.iterationInTest
  const operation = SPEND[turn % SPEND.length] as string
  // Nobody asked this before, so that no answer is a kept one, which would cost nothing.
  const q = `q${exec.instance.currentTestRunDuration.toString(36)}x${turn}`
  const answer = rest(operation, { q }, {
    key: plan.keys[0] as string, expect: ['quota_exhausted'],
  })
  if (!answer.error) quotaGranted.add(1)
  else if (answer.error === 'quota_exhausted') quotaRefused.add(1)
  else quotaSpent.add(1)
}

export function overRate(): void {
  const answer = rest('search_goods', {}, {
    key: plan.otherKeys[0] as string, expect: ['rate_limited'], name: RATE_CALL,
  })
  if (!answer.error) rateGranted.add(1)
  if (answer.error === 'rate_limited') rateRefused.add(1)
}

export const handleSummary = summaryWith()
