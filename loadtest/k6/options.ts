/** What all profiles have in common: open arrivals, thresholds for each name, one summary. */
import type { Options, Scenario } from 'k6/options'
import { plan, type Relation, type ScriptSummary } from './plan.ts'

/** Arrivals that could not begin in time, because all virtual users were waiting: one in. */
const DROPPED_ONE_IN = 100

/** Calls of the protocol itself, which the operation table does not know. */
const PROTOCOL_P99_MS = 250

export interface Arrival {
  /** Function of the profile that is one iteration. */
  readonly exec: string
  /** Iterations a second. */
  readonly rate?: number
  readonly seconds?: number
  readonly startSeconds?: number
  /** Virtual users, all there from the beginning; as many as are needed without it. */
  readonly users?: number
}

/** Iterations come at their rate whether or not earlier ones have ended. */
export function arrivals(
  { exec, rate = plan.rate, seconds = plan.seconds, startSeconds = 0, users }: Arrival,
): Scenario {
  return {
    executor: 'constant-arrival-rate',
    exec,
    // In tenths, since k6 takes whole numbers only.
    rate: Math.max(1, Math.round(rate * 10)),
    timeUnit: '10s',
    duration: `${seconds}s`,
    startTime: `${startSeconds}s`,
    preAllocatedVUs: users ?? Math.min(plan.vus, Math.max(10, Math.ceil(rate / 10))),
    maxVUs: users ?? plan.vus,
    gracefulStop: '30s',
  }
}

/** One iteration by one user, at a time. */
export const once = (exec: string, startSeconds = 0): Scenario => ({
  executor: 'per-vu-iterations', exec, vus: 1, iterations: 1, startTime: `${startSeconds}s`,
  maxDuration: `${plan.seconds * 2 + 60}s`,
})

export type Thresholds = NonNullable<Options['thresholds']>

export interface Profile {
  readonly scenarios: Record<string, Scenario>
  /**
   * Names of calls that must be right and quick: an operation, with `mcp` before it or its part
   * in the profile after it. Thresholds take no commas in names.
   */
  readonly names: readonly string[]
  readonly thresholds?: Thresholds
}

export function profileOptions({ scenarios, names, thresholds = {} }: Profile): Options {
  return {
    scenarios,
    thresholds: {
      dropped_iterations: [`count<=${Math.ceil((plan.rate * plan.seconds) / DROPPED_ONE_IN)}`],
      ...Object.fromEntries(names.flatMap((name) => [
        [`http_req_duration{name:${name}}`, [`p(99)<${limitOf(name)}`]],
        [`http_req_failed{name:${name}}`, ['rate==0']],
        [`checks{name:${name}}`, ['rate==1']],
      ])),
      ...thresholds,
    },
    systemTags: ['name', 'scenario', 'status', 'expected_response', 'error_code'],
    summaryTrendStats: ['min', 'med', 'avg', 'p(95)', 'p(99)', 'max', 'count'],
    userAgent: 'agentmall-load',
    setupTimeout: '60s',
  }
}

export function limitOf(name: string): number {
  const entry = plan.mix[name.replace(/^mcp /, '').split(' ')[0] as string]
  return entry?.p99Ms ?? PROTOCOL_P99_MS * plan.slack
}

/** Hands everything measured to the runner; nothing goes to standard output but samples. */
export const summaryWith = (relations: readonly Relation[] = []) =>
  ({ metrics, state }: Omit<ScriptSummary, 'relations'>): Record<string, string> => {
    const summary: ScriptSummary = { metrics, state, relations }
    return { [plan.summaryFile]: JSON.stringify(summary) }
  }
