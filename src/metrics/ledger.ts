/** What the ledger says of its outboxes and orders: the same, whichever process asks. */
import { monotonicMs, withDeadline } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { mastersShortOf, runMany } from '../redis/send.ts'
import { outboxState, type OutboxState } from '../workers/outboxes.ts'
import type { MetricFamily } from './families.ts'

/** Looking costs the ledger about a thousand small reads: scrapers in a hurry get the last look. */
const CACHE_MS = 5000
const LOOK_MS_MAX = 2000
/** An unpaid order is closed in the minute after its window. */
const OVERDUE_MS = 60_000

/** Money that could not be given back in this time, or that nobody tried to give back in that. */
const REFUND_FAILING_MS = 3_600_000
const REFUND_IDLE_MS = 600_000

interface Look extends OutboxState {
  readonly overdue: number
  readonly refunds: number
  readonly refundsOverdue: number
}

export function createLedgerLook(
  { ledger, log, replicas }: { ledger: RedisClient, log: Logger, replicas: number },
): () => Promise<MetricFamily[]> {
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
    return [...familiesOf(await looked.look), {
      name: 'agentmall_ledger_masters_short', type: 'gauge',
      help: 'Masters of the ledger with fewer available replicas than LEDGER_REPLICAS',
      values: [{ labels: {}, value: mastersShortOf(ledger, replicas) }],
    }]
  }
}

async function lookAt(ledger: RedisClient): Promise<Look> {
  const now = await redisTimeMs(ledger)
  const count = async (list: (partition: number) => string, until: number | '+inf') =>
    (await runMany(ledger, everyPartition().map((partition) =>
      ['zcount', list(partition), '-inf', until] as const)))
      .reduce<number>((sum, some) => sum + Number(some), 0)
  const [state, overdue, refunds, failing, idle] = await Promise.all([
    outboxState(ledger),
    count(keys.unpaid, now - OVERDUE_MS),
    count(keys.refunds, '+inf'),
    count(keys.refundsFailed, now - REFUND_FAILING_MS),
    count(keys.refunds, now - REFUND_IDLE_MS),
  ])
  return { ...state, overdue, refunds, refundsOverdue: failing + idle }
}

/** What the ledger cannot say just now is NaN: 0 would be a lie. */
function familiesOf(look: Look | undefined): MetricFamily[] {
  const gauge = (name: string, help: string, value = NaN): MetricFamily =>
    ({ name: `agentmall_${name}`, help, type: 'gauge', values: [{ labels: {}, value }] })
  return [
    gauge('outbox_lag_entries', 'Events whose effects are not done yet', look?.lagEntries),
    gauge('outbox_lag_ms', 'Age of the oldest of them', look?.lagMs),
    gauge('outbox_aside', 'Events whose effects failed for good and were set aside', look?.aside),
    gauge('outbox_ahead_partitions', 'Partitions whose consumer is beyond the end of the outbox',
      look?.ahead),
    gauge('orders_overdue', 'Orders still unpaid more than a minute after their window',
      look?.overdue),
    gauge('refunds_waiting', 'Orders of which money has to go back', look?.refunds),
    gauge('refunds_overdue', 'Those where it failed for an hour, or nobody tried for ten minutes',
      look?.refundsOverdue),
  ]
}
