/** What a run came to: thresholds, relations, and one line that says it. */
import type { Profile } from './profiles.ts'
import type { Relation, ScriptSummary } from './plan.ts'
import type { Bin, Calls } from './samples.ts'

export interface Judgement {
  /** `http_req_duration{name:search_goods} p(99)<250` */
  readonly what: string
  readonly measured: string
  readonly ok: boolean
}

/** Everything the report shows, and what `run.json` keeps. */
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
  /** What happened, by seconds since the beginning. */
  readonly marks: readonly { readonly at: number, readonly text: string }[]
  /** Resident memory of the nodes. */
  readonly memory: readonly { readonly at: number, readonly mb: number }[]
}

type Metrics = ScriptSummary['metrics']

/** Counters that k6 has by itself. */
const BUILT_IN = /^(http_reqs|iterations|data_(sent|received)|dropped_iterations)$|\{/
/** A rate that holds for so long is over what the service carries, and no hiccup. */
const BROKEN_BINS = 3
/** Broken thresholds that the line names; the report has all. */
const BROKEN_TOLD = 3
const LATE_MS = 500
const FAILED_SHARE = 0.01

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

/** The highest rate before answers came late or failed for good; undefined where none did. */
export function breakingPoint(bins: readonly Bin[]): number | undefined {
  const isBroken = ({ latency, failed, rate }: Bin): boolean =>
    (latency?.p95 ?? Infinity) > LATE_MS || failed > rate * FAILED_SHARE
  const at = bins.findIndex((_, index) => {
    const next = bins.slice(index, index + BROKEN_BINS)
    return next.length === BROKEN_BINS && next.every(isBroken)
  })
  return at < 0 ? undefined : Math.max(0, ...bins.slice(0, at).map(({ rate }) => rate))
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

function carriedText({ total: { bins }, judgements, rate }: RunRecord): string {
  if (judgements.every(({ ok }) => ok)) return `did not break up to ${rate}/s`
  const carried = breakingPoint(bins) ?? Math.max(0, ...bins.map((bin) => bin.rate))
  return `carried ${Math.round(carried)}/s before it broke`
}

function broken(judgements: readonly Judgement[]): string[] {
  const all = judgements.filter(({ ok }) => !ok)
    .map(({ what, measured }) => `NOT ${what} (${measured})`)
  const more = all.length - BROKEN_TOLD
  return [...all.slice(0, BROKEN_TOLD), ...(more > 0 ? [`and ${more} more`] : [])]
}

/** As many digits as mean something. */
export const numberText = (value: number): string =>
  (Number.isInteger(value) || Math.abs(value) >= 100 ? String(Math.round(value))
    : Number(value.toPrecision(2)).toString())
