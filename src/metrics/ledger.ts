/** What the ledger says of its outboxes and orders: the same, whichever process asks. */
import { monotonicMs, withDeadline } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { runMany } from '../redis/slots.ts'
import { outboxStates, type OutboxState } from '../workers/outbox-state.ts'
import type { Family, Sample } from './families.ts'

/** Looking costs the ledger about a thousand small reads: scrapers in a hurry get the last look. */
const CACHE_MS = 5000
const LOOK_MS_MAX = 2000
/** An unpaid order is closed in the minute after its window. */
const OVERDUE_MS = 60_000

interface Look {
  readonly states: readonly OutboxState[]
  readonly overdue: number
}

export function createLedgerLook(
  { ledger, log }: { ledger: RedisClient, log: Logger },
): () => Promise<Family[]> {
  let looked: { readonly at: number, readonly look: Promise<Look | undefined> } | undefined
  return async () => {
    if (!looked || monotonicMs() - looked.at >= CACHE_MS) {
      const late = (): Error => new Error('the ledger is late')
      const look = withDeadline(lookAt(ledger), LOOK_MS_MAX, late).catch((error: Error) => {
        log.warn({ error: error.message }, 'metrics without the ledger')
        return undefined
      })
      looked = { at: monotonicMs(), look }
    }
    return familiesOf(await looked.look)
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

/** What the ledger cannot say just now is left out, or NaN: 0 would be a lie. */
function familiesOf(look: Look | undefined): Family[] {
  const gauge = (name: string, help: string, values: Sample[]): Family =>
    ({ name: `agentmall_${name}`, help, type: 'gauge', values })
  const byConsumer = (read: (state: OutboxState) => number): Sample[] =>
    (look?.states ?? []).map((state) =>
      ({ labels: { consumer: state.consumer }, value: read(state) }))
  return [
    gauge('outbox_lag_entries', 'Events that the consumer has not done yet',
      byConsumer(({ lagEntries }) => lagEntries)),
    gauge('outbox_lag_ms', 'Age of the oldest of them', byConsumer(({ lagMs }) => lagMs)),
    gauge('outbox_aside', 'Events that it could not do and set aside',
      byConsumer(({ aside }) => aside)),
    gauge('orders_overdue', 'Orders still unpaid more than a minute after their window',
      [{ labels: {}, value: look?.overdue ?? NaN }]),
  ]
}
