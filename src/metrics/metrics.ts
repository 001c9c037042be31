/** What an operator's scraper reads: figures of every process of the service and of the ledger. */
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { MetricFamily, MetricSample } from './families.ts'
import { createLedgerLook } from './ledger.ts'
import { createMemoryLook, type MemoryOptions } from './memory.ts'
import { processFamilies } from './process.ts'

/** What one of several processes on a port said; nothing where it did not answer in time. */
export interface ProcessReport {
  /** 1, 2, …: a process that takes another's place takes its number, too. */
  readonly process: number
  readonly families: readonly MetricFamily[] | undefined
}

export interface Metrics {
  /** In Prometheus's text format. */
  read(): Promise<{ type: string, text: string }>
}

export interface MetricsOptions {
  readonly ledger: RedisClient
  readonly log: Logger
  /** Replicas that each master of a cluster should have. */
  readonly replicas?: number
  /** What tells of memory and disk; without it nothing does. */
  readonly memory?: MemoryOptions
  /** Asks every process that shares the port; without it this is the only one. */
  readonly askAll?: (() => Promise<readonly ProcessReport[]>) | undefined
}

export function createMetrics({
  ledger, log, replicas = 0, memory, askAll,
}: MetricsOptions): Metrics {
  const look = createLedgerLook({ ledger, log, replicas })
  const memoryLook = memory ? createMemoryLook(memory) : async () => []
  return {
    async read() {
      const [own, shared, memories] = await Promise.all([
        askAll ? askAll().then(inOne) : processFamilies(), look(), memoryLook(),
      ])
      const { Registry } = await import('prom-client')
      const registry = new Registry()
      for (const family of [...own, ...shared, ...memories]) {
        // The registry asks a metric for nothing but its name and these values.
        registry.registerMetric({ name: family.name, get: async () => family } as never)
      }
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

/**
 * Sums would fall when a process ends, which looks like a restart of all; so each keeps its
 * series, under its number.
 */
function inOne(reports: readonly ProcessReport[]): MetricFamily[] {
  const merged = new Map<string, MetricFamily & { readonly values: MetricSample[] }>()
  const up: MetricSample[] = []
  for (const { process, families } of reports) {
    up.push({ labels: { process }, value: families ? 1 : 0 })
    for (const family of families ?? []) {
      const known = merged.get(family.name) ?? { ...family, values: [] }
      merged.set(family.name, known)
      for (const sample of family.values) {
        known.values.push({ ...sample, labels: { ...sample.labels, process } })
      }
    }
  }
  const help = 'Whether a process told what it measured'
  return [{ name: 'agentmall_process_up', help, type: 'gauge', values: up }, ...merged.values()]
}
