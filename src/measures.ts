/**
 * What this process has done since it started, in plain numbers: counting costs nanoseconds, and
 * `metrics/` makes Prometheus's families of them when somebody asks. One for the whole process,
 * as its memory is.
 */
import { ERRORS } from './contract/errors.ts'
import { monotonicMs } from './contract/time.ts'

/** How often values fell into which bucket. */
export class Histogram {
  readonly bounds: readonly number[]
  /** Of each bucket alone; the last one has what is above every bound. */
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  record(value: number): void {
    const { bounds } = this
    let at = 0
    while (at < bounds.length && value > (bounds[at] as number)) at += 1
    this.counts[at] = (this.counts[at] as number) + 1
    this.sum += value
  }
}

/** From a kept answer to the deadline of a request. */
const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** `refused` is for statuses of 400 and more that no error of the table stands behind. */
export const OUTCOMES = [
  'ok', ...Object.keys(ERRORS), 'protocol_error', 'origin_refused', 'client_gone', 'refused',
]
const OUTCOME_PLACES: ReadonlyMap<string, number> =
  new Map(OUTCOMES.map((outcome, at) => [outcome, at]))
const REFUSED = OUTCOMES.indexOf('refused')

export const FACES = ['rest', 'mcp'] as const
export type Face = (typeof FACES)[number]

/** The requests for one operation over one face. */
export class RequestSeries {
  readonly seconds = new Histogram(SECONDS)
  /** In the order of OUTCOMES. */
  readonly outcomes = new Float64Array(OUTCOMES.length)
}

/** Requests that are for no operation: documents, pages, unknown addresses. */
const OTHER = 'other'

export class Requests {
  readonly byFace: Readonly<Record<Face, Map<string, RequestSeries>>> =
    { rest: new Map([[OTHER, new RequestSeries()]]), mcp: new Map([[OTHER, new RequestSeries()]]) }

  /** Names that are counted by themselves; a request that gives any other is `other`. */
  expect(operations: readonly string[]): void {
    for (const face of FACES) {
      for (const name of operations) {
        if (!this.byFace[face].has(name)) this.byFace[face].set(name, new RequestSeries())
      }
    }
  }

  record(face: Face, operation: string, outcome: string, seconds: number): void {
    const all = this.byFace[face]
    const series = all.get(operation) ?? all.get(OTHER) as RequestSeries
    const at = OUTCOME_PLACES.get(outcome) ?? REFUSED
    series.outcomes[at] = (series.outcomes[at] as number) + 1
    series.seconds.record(seconds)
  }
}

/** Whole answers, ids of a search, texts of items, API keys, answers of platforms. */
const CACHES = ['answers', 'results', 'items', 'keys', 'shared_answers'] as const
export type CacheName = (typeof CACHES)[number]

export const ROLES = ['shelf', 'ledger', 'counters'] as const
export type Role = (typeof ROLES)[number]

const fromNames = <Name extends string, T>(names: readonly Name[], make: () => T) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, T>

/** Counts by names that stand in our own code, and so are few. */
export class Tally<Key extends string = string> extends Map<Key, number> {
  add(name: Key): void {
    this.set(name, (this.get(name) ?? 0) + 1)
  }
}

export const measures = {
  requests: new Requests(),
  /** Writes to a Redis; what is sent in one turn of the event loop is one. */
  roundTrips: fromNames(ROLES, () => 0),
  /** Calls that were made durable together. */
  commitSize: new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256]),
  /** From asking for a durable write to knowing what became of it. */
  commitWait: new Histogram(SECONDS),
  caches: fromNames(CACHES, () => ({ hits: 0, misses: 0 })),
  /** Calls refused for a limit, by the limit's policy. */
  limited: new Tally(),
  /** API keys given out, by kind. */
  keysCreated: new Tally(),
  /** Calls to platforms, by `source outcome`. */
  mallCalls: new Tally<`${string} ${string}`>(),
  /** Attempts at webhook deliveries, by what became of the endpoint. */
  webhookAttempts: new Tally(),
  /** From an event's place in a queue to the end of its first attempt. */
  webhookWait: new Histogram(SECONDS),
  /** How long the endpoint that waits longest for this node waits, ms, by shard; and since when. */
  webhookLag: new Map<number, { readonly ms: number, readonly at: number }>(),
  /** Readings of stream entries that mean nothing to this version, by the kind of stream. */
  unreadableEntries: new Tally(),
  /** How far each replica of the shelf was behind when it was last looked at, in seconds. */
  shelfLag: new Map<string, number>(),
  /** Masters of the ledger whose clock jumped, and by which nothing is closed or completed. */
  clocksHeld: 0,
}

/** A shard that no tick has spoken for is another node's by now. */
const LAG_FRESH_MS = 10_000

/** How long the webhook endpoint that waits longest for this node waits, ms. */
export function webhookLagMs(): number {
  const now = monotonicMs()
  return Math.max(0, ...[...measures.webhookLag.values()]
    .filter(({ at }) => now - at < LAG_FRESH_MS).map(({ ms }) => ms))
}

/** Returns what it was given, for use on the way. */
export function countHit(cache: CacheName, isHit: boolean): boolean {
  if (isHit) measures.caches[cache].hits += 1
  else measures.caches[cache].misses += 1
  return isHit
}
