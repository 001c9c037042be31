/** All that one process tells of itself. */
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import type { Registry } from 'prom-client'
import { measuredFamilies, type MetricFamily, type MetricSample } from './families.ts'

/** Between two looks at the event loop, in milliseconds. */
const RESOLUTION_MS = 20
const QUANTILES = [0.5, 0.9, 0.99, 1]

// Made by the first scrape: watching the process is not free, and many are never asked.
let watched: { readonly registry: Registry, readonly delay: IntervalHistogram } | undefined

/** What cannot be said just now, such as a mean of nothing, is left out. */
export async function processFamilies(): Promise<MetricFamily[]> {
  watched ??= await watch()
  const { registry, delay } = watched
  const usual = await registry.getMetricsAsJSON() as unknown as MetricFamily[]
  return [...measuredFamilies(), loopDelay(delay), ...usual].map((family) => ({
    ...family, values: family.values.filter(({ value }) => Number.isFinite(value)),
  }))
}

async function watch(): Promise<NonNullable<typeof watched>> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return { registry, delay }
}

let lastDelay: readonly MetricSample[] = []

/** Of the time since the last scrape, or before it where nothing was seen since. */
function loopDelay(delay: IntervalHistogram): MetricFamily {
  if (delay.count > 0) {
    lastDelay = QUANTILES.map((quantile) => ({
      labels: { quantile },
      // The monitor counts the time between its own looks with it.
      value: Math.max(0, delay.percentile(quantile * 100) / 1e9 - RESOLUTION_MS / 1000),
    }))
    delay.reset()
  }
  return {
    name: 'agentmall_event_loop_delay_seconds', type: 'gauge',
    help: 'How late the event loop was since the last scrape', values: lastDelay,
  }
}
