/**
 * Reads at a rate that grows until answers are late or fail. The run ends there; the runner says
 * at which rate. `RATE` is what is reached at the end if nothing breaks.
 */
import { profileOptions, summaryWith } from '../options.ts'
import { plan } from '../plan.ts'
import { READING_NAMES, readSomething } from '../reading.ts'

const LATE_MS = 500
/** Until answers are few enough to mean something. */
const WARM_UP = '5s'

const base = profileOptions({ scenarios: {}, names: READING_NAMES })

export const options = {
  ...base,
  scenarios: {
    breakpoint: {
      executor: 'ramping-arrival-rate',
      exec: 'climb',
      startRate: Math.max(1, Math.round(plan.rate / 20)),
      timeUnit: '1s',
      preAllocatedVUs: plan.vus,
      maxVUs: plan.vus,
      stages: [{ target: Math.round(plan.rate), duration: `${plan.seconds}s` }],
      gracefulStop: '5s',
    },
  },
  thresholds: {
    http_req_duration: [stopAt(`p(95)<${LATE_MS}`)],
    http_req_failed: [stopAt('rate<0.01')],
    // All virtual users wait: the rate is no longer kept.
    dropped_iterations: [stopAt(`count<${Math.ceil(plan.rate / 10)}`)],
  },
}

function stopAt(threshold: string) {
  return { threshold, abortOnFail: true, delayAbortEval: WARM_UP }
}

export const climb = (): unknown => readSomething()

export const handleSummary = summaryWith()
