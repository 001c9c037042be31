/** What a node tells Prometheus: its own process, and the ledger's outboxes as it finds them. */
import { monotonicMs, withDeadline } from './clock.ts'
import type { Logger } from './log.ts'
import type { RedisClient } from './redis/connect.ts'
import { everyPartition } from './redis/doorbell.ts'
import { ledger as keys } from './redis/keys.ts'
import { runMany } from './redis/slots.ts'
import { redisTimeMs } from './redis/replies.ts'
import { outboxStates, type OutboxState } from './workers/outbox-state.ts'

export interface Metrics {
  /** In Prometheus's text format. What the ledger cannot say just now is left out. */
  read(): Promise<{ type: string, text: string }>
}

/** Looking costs the ledger about a thousand small reads: scrapers in a hurry get the last look. */
const CACHE_MS = 5000
const LOOK_MS_MAX = 2000
/** An unpaid order is closed in the minute after its window. */
const OVERDUE_MS = 60_000

interface Look {
  readonly states: readonly OutboxState[]
  readonly overdue: number
}

export function createMetrics({ ledger, log }: { ledger: RedisClient, log: Logger }): Metrics {
  // Made by the first scrape: watching the process is not free, and many nodes are never asked.
  let made: ReturnType<typeof createGauges> | undefined
  let looked: { readonly at: number, readonly look: Promise<Look | undefined> } | undefined

  function look(): Promise<Look | undefined> {
    if (looked && monotonicMs() - looked.at < CACHE_MS) return looked.look
    const late = (): Error => new Error('the ledger is late')
    const look = withDeadline(lookAt(ledger), LOOK_MS_MAX, late).catch((error: Error) => {
      log.warn({ error: error.message }, 'metrics without the ledger')
      return undefined
    })
    looked = { at: monotonicMs(), look }
    return look
  }

  return {
    async read() {
      made ??= createGauges()
      const [gauges, found] = await Promise.all([made, look()])
      gauges.set(found)
      return { type: gauges.registry.contentType, text: await gauges.registry.metrics() }
    },
  }
}

async function lookAt(ledger: RedisClient): Promise<Look> {
  const now = await redisTimeMs(ledger)
  const [states, overdue] = await Promise.all([
    outboxStates(ledger),
    runMany(ledger, everyPartition().map((partition) =>
      ['zcount', keys.unpaid(partition), '-inf', now - OVERDUE_MS] as const)),
  ])
  return { states, overdue: overdue.reduce<number>((sum, count) => sum + Number(count), 0) }
}

async function createGauges() {
  const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name: `agentmall_${name}`, help, labelNames, registers: [registry] })
  const entries = gauge('outbox_lag_entries', 'Events that the consumer has not done yet', [
    'consumer'])
  const age = gauge('outbox_lag_ms', 'Age of the oldest of them', ['consumer'])
  const aside = gauge('outbox_aside', 'Events that it could not do and set aside', ['consumer'])
  const overdue = gauge('orders_overdue',
    'Orders still unpaid more than a minute after their window', [])
  return {
    registry,
    set(look: Look | undefined): void {
      for (const one of [entries, age, aside, overdue]) one.reset()
      // A gauge without labels is 0 after a reset, and 0 would be a lie.
      if (!look) return overdue.set(NaN)
      for (const { consumer, ...state } of look.states) {
        entries.set({ consumer }, state.lagEntries)
        age.set({ consumer }, state.lagMs)
        aside.set({ consumer }, state.aside)
      }
      overdue.set(look.overdue)
    },
  }
}
