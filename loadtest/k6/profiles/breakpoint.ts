/**
 * Reads at a rate that grows until answers are late or fail. The run ends there; the runner says
 * at which rate. `RATE` is what is reached at the end if nothing breaks.
 */
import exec from 'k6/execution'
import { profileOptions, summaryWith } from '../options.ts'
import { plan } from '../plan.ts'
import { READING_NAMES, readSomething } from '../visits.ts'

const LATE_MS = 500
/** Until answers are few enough to mean something. */
const WARM_UP = '5s'
/** Parts of the climb, each with its own figures: the runner reads the breaking point from them. */
const STEPS = 60
const STEP_MS = plan.seconds * 1000 / STEPS

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
    // Declared so that each step is in the summary.
    ...Object.fromEntries(Array.from({ length: STEPS }, (_, step) => [
      [`http_req_duration{step:${step}}`, ['max>=0']],
      [`http_req_failed{step:${step}}`, ['rate>=0']],
    ]).flat()),
    http_req_duration: [stopAt(`p(95)<${LATE_MS}`)],
    http_req_failed: [stopAt('rate<0.01')],
    // All virtual users wait: the rate is no longer kept.
    dropped_iterations: [stopAt(`count<${Math.ceil(plan.rate / 10)}`)],
  },
}

function stopAt(threshold: string) {
  return { threshold, abortOnFail: true, delayAbortEval: WARM_UP }
}

export function climb(): void {
  exec.vu.metrics.tags['step'] =
    String(Math.min(STEPS - 1, Math.floor(exec.instance.currentTestRunDuration / STEP_MS)))
  readSomething()
}

export const handleSummary = summaryWith()
