/**
 * A run from k6's summary: its calls, thresholds and relations, and the line that says it. Curves
 * over time are k6's own page; here is what that page does not judge.
 */
import type { Profile } from './profiles.ts'
import type { Relation, ScriptSummary } from '../k6/plan.ts'

/** Milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export interface Calls {
  readonly name: string
  readonly count: number
  readonly failed: number
  /** Null without a call. */
  readonly latency: Latency | null
}

/** A part of a run whose rate grows; see the profile `breakpoint`. */
export interface Step {
  /** Calls a second. */
  readonly rate: number
  readonly failed: number
  readonly p95: number
}

export interface Judgement {
  /** `http_req_duration{name:search_goods} p(99)<250` */
  readonly what: string
  readonly measured: string
  readonly ok: boolean
}

/** What `run.json` keeps. */
export interface RunRecord {
  readonly profile: string
  readonly about: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly machine: string
  readonly baseUrls: readonly string[]
  readonly rate: number
  readonly seconds: number
  readonly ok: boolean
  readonly judgements: readonly Judgement[]
  /** Counts that the profile made. */
  readonly counts: Readonly<Record<string, number>>
  readonly total: Calls
  readonly calls: readonly Calls[]
  /** In order; none but where the rate grows. */
  readonly steps: readonly Step[]
  /** What happened, by seconds since the beginning. */
  readonly marks: readonly { readonly at: number, readonly text: string }[]
  /** Resident memory of the nodes. */
  readonly memory: readonly { readonly at: number, readonly mb: number }[]
}

type Metrics = ScriptSummary['metrics']

/** Counters that k6 has by itself. */
const BUILT_IN = /^(http_reqs|iterations|data_(sent|received)|dropped_iterations)$|\{/
/** A rate that holds for so long is over what the service carries, and no hiccup. */
const BROKEN_STEPS = 3
/** Broken thresholds that the line names; `run.json` has all. */
const BROKEN_NAMED = 3
const LATE_MS = 500
const FAILED_SHARE = 0.01
const CALLS = /^http_req_duration\{name:(.+)\}$/
const STEP = /^http_req_duration\{step:(\d+)\}$/

export function judge({ metrics, relations }: ScriptSummary): Judgement[] {
  const thresholds = Object.entries(metrics).flatMap(([name, { thresholds = {}, values }]) =>
    Object.entries(thresholds).map(([rule, { ok }]): Judgement => ({
      what: `${name} ${rule}`, measured: measuredOf(values, rule), ok,
    })))
  return [...thresholds, ...relations.map((relation) => related(metrics, relation))]
}

function measuredOf(values: Readonly<Record<string, number>>, rule: string): string {
  const stat = rule.split(/[<>=]/, 1)[0]?.trim() ?? ''
  const value = values[stat]
  return value === undefined ? '–' : numberText(value)
}

function related(metrics: Metrics, { what, metric, against, stat, atMost }: Relation): Judgement {
  const ratio = (metrics[metric]?.values[stat] ?? NaN) / (metrics[against]?.values[stat] ?? NaN)
  return { what: `${what} ≤ ${atMost} ×`, measured: `${ratio.toFixed(2)} ×`, ok: ratio <= atMost }
}

export const countsOf = (metrics: Metrics): Record<string, number> =>
  Object.fromEntries(Object.entries(metrics)
    .filter(([name, { type }]) => type === 'counter' && !BUILT_IN.test(name))
    .map(([name, { values }]): [string, number] => [name, values['count'] ?? 0])
    .toSorted(([a], [b]) => a.localeCompare(b)))

/** Of calls with this tag, or of all. */
function callsWith(metrics: Metrics, tag: string, name: string): Calls {
  const { count = 0, ...values } = metrics[`http_req_duration${tag}`]?.values ?? {}
  return {
    name, count,
    // `http_req_failed` is a rate of failures: what passes it has failed.
    failed: metrics[`http_req_failed${tag}`]?.values['passes'] ?? 0,
    latency: count === 0 ? null : {
      p50: values['med'] ?? NaN, p95: values['p(95)'] ?? NaN, p99: values['p(99)'] ?? NaN,
      max: values['max'] ?? NaN,
    },
  }
}

export const totalOf = (metrics: Metrics): Calls => callsWith(metrics, '', 'all calls')

/** By name; names that were not called are left out. */
export const callsOf = (metrics: Metrics): Calls[] => Object.keys(metrics)
  .flatMap((metric) => CALLS.exec(metric)?.[1] ?? [])
  .map((name) => callsWith(metrics, `{name:${name}}`, name))
  .filter(({ count }) => count > 0)
  .toSorted((a, b) => a.name.localeCompare(b.name))

/** `seconds`: how long all steps last together; those after the end of the run are left out. */
export function stepsOf(metrics: Metrics, seconds: number): Step[] {
  const numbers = Object.keys(metrics).flatMap((metric) => STEP.exec(metric)?.[1] ?? [])
    .toSorted((a, b) => Number(a) - Number(b))
  const width = seconds / numbers.length
  const steps = numbers.map((number): Step => {
    const { count, failed, latency } = callsWith(metrics, `{step:${number}}`, number)
    return { rate: count / width, failed: failed / width, p95: latency?.p95 ?? Infinity }
  })
  return steps.slice(0, 1 + steps.findLastIndex(({ rate }) => rate > 0))
}

/** The highest rate before answers came late or failed for good; undefined where none did. */
export function breakingPoint(steps: readonly Step[]): number | undefined {
  const isBroken = ({ p95, failed, rate }: Step): boolean =>
    p95 > LATE_MS || failed > rate * FAILED_SHARE
  const at = steps.findIndex((_, index) => {
    const next = steps.slice(index, index + BROKEN_STEPS)
    return next.length === BROKEN_STEPS && next.every(isBroken)
  })
  return at < 0 ? undefined : Math.max(0, ...steps.slice(0, at).map(({ rate }) => rate))
}

/** The run in one line. */
export function summaryLine(run: RunRecord, profile: Pick<Profile, 'breaks'>): string {
  const { total, counts, memory, judgements, seconds } = run
  const { p50 = NaN, p99 = NaN } = total.latency ?? {}
  const parts = [
    `${total.count.toLocaleString('en')} calls in ${seconds} s`,
    `${total.failed} failed`, `p50 ${numberText(p50)} ms`, `p99 ${numberText(p99)} ms`,
    ...(profile.breaks ? [carriedText(run)] : []),
    ...Object.entries(counts).map(([name, count]) => `${name} ${count}`),
    ...judgements.filter(({ what }) => what.endsWith('×'))
      .map(({ what, measured }) => `${what.split(',')[0]}: ${measured}`),
    ...(memory.length > 1 ? [`memory ${memory[0]?.mb} → ${memory.at(-1)?.mb} MB`] : []),
    ...broken(judgements),
  ]
  return `${run.profile} ${run.ok ? 'passed' : 'FAILED'}: ${parts.join(', ')}`
}

function carriedText({ steps, judgements, rate }: RunRecord): string {
  if (judgements.every(({ ok }) => ok)) return `did not break up to ${rate}/s`
  const carried = breakingPoint(steps) ?? Math.max(0, ...steps.map((step) => step.rate))
  return `carried ${Math.round(carried)}/s before it broke`
}

function broken(judgements: readonly Judgement[]): string[] {
  const all = judgements.filter(({ ok }) => !ok)
    .map(({ what, measured }) => `NOT ${what} (${measured})`)
  const more = all.length - BROKEN_NAMED
  return [...all.slice(0, BROKEN_NAMED), ...(more > 0 ? [`and ${more} more`] : [])]
}

/** As many digits as mean something. */
const numberText = (value: number): string =>
  (Number.isInteger(value) || Math.abs(value) >= 100 ? String(Math.round(value))
    : Number(value.toPrecision(2)).toString())
