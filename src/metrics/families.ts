/** What this process measured, as families of Prometheus. */
import {
  FACES, measures, OUTCOMES, type Histogram, type RequestSeries, webhookLagMs,
} from '../measures.ts'

type Labels = Readonly<Record<string, string | number>>

export interface MetricSample {
  readonly labels: Labels
  readonly value: number
  /** Where it is another than the family's: `_bucket`, `_sum`, `_count`. */
  readonly metricName?: string
}

/** Plain data, as prom-client's registry takes and gives it. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly values: readonly MetricSample[]
}

/** They are there from the start, so that the first one of them already is an increase. */
const KNOWN_FROM_START = new Set(['ok', 'internal', 'unavailable'])

export function measuredFamilies(): MetricFamily[] {
  const { roundTrips, caches, keysCreated, limited, mallCalls, shelfLag } = measures
  return [
    counter('agentmall_requests_total', 'Requests by operation, face and outcome', requestCounts()),
    {
      name: 'agentmall_request_seconds', type: 'histogram',
      help: 'From the head of a request to the end of its answer',
      values: eachSeries(({ seconds }, labels) =>
        (seconds.counts.every((count) => count === 0) ? []
          : samplesOf('agentmall_request_seconds', seconds, labels))),
    },
    counter('agentmall_redis_round_trips_total',
      'Writes to a Redis; commands of one turn of the event loop go together', byName(
        'role', Object.entries(roundTrips))),
    {
      name: 'agentmall_commit_group_size', type: 'histogram',
      help: 'Calls that were made durable together',
      values: samplesOf('agentmall_commit_group_size', measures.commitSize, {}),
    },
    {
      name: 'agentmall_commit_wait_seconds', type: 'histogram',
      help: 'From asking for a durable write to knowing what became of it',
      values: samplesOf('agentmall_commit_wait_seconds', measures.commitWait, {}),
    },
    counter('agentmall_cache_hits_total', 'Found in a cache', byName(
      'cache', Object.entries(caches).map(([name, { hits }]) => [name, hits]))),
    counter('agentmall_cache_misses_total', 'Not found in a cache', byName(
      'cache', Object.entries(caches).map(([name, { misses }]) => [name, misses]))),
    counter('agentmall_keys_created_total', 'API keys given out', byName('kind', keysCreated)),
    counter('agentmall_limited_total', 'Calls refused for a limit', byName('policy', limited)),
    counter('agentmall_mall_calls_total', 'Calls to platforms', [...mallCalls].map(
      ([name, value]) => {
        const [source = '', outcome = ''] = name.split(' ')
        return { labels: { source, outcome }, value }
      })),
    counter('agentmall_webhook_attempts_total', 'Attempts at webhook deliveries',
      byName('outcome', measures.webhookAttempts)),
    counter('agentmall_unreadable_entries_total',
      'Entries of event streams that were passed over, since nobody can read them',
      byName('stream', measures.unreadableEntries)),
    {
      name: 'agentmall_webhook_wait_seconds', type: 'histogram',
      help: 'From an event\'s place in an endpoint\'s queue to the end of its first attempt',
      values: samplesOf('agentmall_webhook_wait_seconds', measures.webhookWait, {}),
    },
    {
      name: 'agentmall_webhook_lag_ms', type: 'gauge',
      help: 'How long the webhook endpoint that waits longest for this node waits',
      values: [{ labels: {}, value: webhookLagMs() }],
    },
    {
      name: 'agentmall_shelf_replica_lag_seconds', type: 'gauge',
      help: 'Since when a replica of the shelf is not known to have all that the primary has',
      values: byName('replica', shelfLag),
    },
    {
      name: 'agentmall_ledger_clocks_held', type: 'gauge',
      help: 'Masters of the ledger whose clock jumped: orders are not closed or completed by it',
      values: [{ labels: {}, value: measures.clocksHeld }],
    },
  ]
}

const counter = (name: string, help: string, values: readonly MetricSample[]): MetricFamily =>
  ({ name, help, type: 'counter', values })

const byName = (label: string, entries: Iterable<readonly [string, number]>): MetricSample[] =>
  Array.from(entries, ([name, value]) => ({ labels: { [label]: name }, value }))

function eachSeries(
  samples: (series: RequestSeries, labels: Labels) => MetricSample[],
): MetricSample[] {
  return FACES.flatMap((face) => [...measures.requests.byFace[face]]
    .flatMap(([operation, series]) => samples(series, { operation, face })))
}

const requestCounts = (): MetricSample[] => eachSeries(({ outcomes }, labels) =>
  OUTCOMES.flatMap((outcome, at) => {
    const value = outcomes[at] ?? 0
    return value > 0 || KNOWN_FROM_START.has(outcome)
      ? [{ labels: { ...labels, outcome }, value }] : []
  }))

function samplesOf(
  name: string, { bounds, counts, sum }: Histogram, labels: Labels,
): MetricSample[] {
  let count = 0
  const buckets = [...counts].map((own, at): MetricSample => ({
    metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' },
    value: count += own,
  }))
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
