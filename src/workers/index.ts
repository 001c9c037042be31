/** The work that follows orders, done by whichever node holds each worker's lease. */
import type { Affiliate } from '../affiliate/affiliate.ts'
import type { SandboxShops } from '../affiliate/shop-pages.ts'
import type { Config } from '../config.ts'
import type { Earnings } from '../earnings/earnings.ts'
import type { Logger } from '../log.ts'
import { buildStatusIndex } from '../orders/by-status.ts'
import type { Orders } from '../orders/orders.ts'
import { createSandboxPayments } from '../orders/payment-provider.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Doorbell } from '../redis/doorbell.ts'
import type { Durable } from '../redis/durable.ts'
import { expireTrial } from '../accounts/trials.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { runMany } from '../redis/send.ts'
import { startConsumer } from './consumer.ts'
import { driverWorker, expiryWorker, fadingWorker } from './due-orders.ts'
import { startWorker, type Worker } from './lease.ts'
import { mallCommissionWorker, MallOrdersWorker } from './mall-orders.ts'
import { archiveWorker } from './order-archive.ts'
import { ORDER_EFFECTS, orderEffects } from './order-effects.ts'
import { paymentChecksWorker, refundsWorker } from './payments.ts'
import { SettlementWorker } from './settlement.ts'
import { trimWorker } from './outboxes.ts'
import { startWebhookWorkers } from './webhooks.ts'
import type { Events } from '../events/events.ts'
import type { PlatformMessages } from '../events/platforms.ts'
import type { Secrets } from '../secrets/derive.ts'

interface WorkerServices {
  readonly config: Pick<Config, 'sandboxStepMs' | 'archiveAfterDays'>
  readonly log: Logger
  readonly ledger: RedisClient
  readonly counters: RedisClient
  readonly orders: Orders
  readonly durable: Durable
  readonly doorbell: Doorbell
  readonly affiliate: Pick<Affiliate, 'sources' | 'modeOf'>
  readonly sandboxShops?: SandboxShops
  /** Of the service: which books are settled when a month is over. */
  readonly earnings: Pick<Earnings, 'mode'>
  readonly events: Pick<Events, 'outbound' | 'ring' | 'ringFollowers'>
  readonly secrets: Pick<Secrets, 'seal'>
  /** Makes what platforms are told of orders. */
  readonly platforms?: PlatformMessages
}

const EVERY_MS = 600_000

export interface RunningWorkers {
  /** Has webhook endpoints of a shard looked at soon. */
  wakeWebhooks(shard: number): void
  stop(): Promise<void>
}

export function startWorkers(services: WorkerServices): RunningWorkers {
  const { config, ledger, orders, durable, affiliate, sandboxShops = {}, log } = services
  const { earnings: { mode }, events: { outbound, ring, ringFollowers } } = services
  const workers = [
    expiryWorker({ ledger, orders, log }),
    fadingWorker({ ledger, log }),
    trialsWorker({ ledger, durable }),
    ...paymentWorkers(services),
    driverWorker({ ledger, orders, stepMs: config.sandboxStepMs, log }),
    trimWorker({ ledger, consumers: [ORDER_EFFECTS], log }),
    new SettlementWorker({ ledger, durable, mode, log, onSettled: ringFollowers }),
    statusIndexWorker(ledger),
    ...orders.archive ? [archiveWorker({
      ledger, durable, archive: orders.archive, days: config.archiveAfterDays, log,
    })] : [],
    ...[...affiliate.sources.values()].filter(({ capabilities }) => capabilities.orders)
      .flatMap((source) => [
        // Each host's simulators have purchases of their own, which nobody else can read.
        new MallOrdersWorker({
          source, mode: affiliate.modeOf(source.name), ledger, log,
          instance: sandboxShops[source.name]?.instance,
        }),
        mallCommissionWorker({ source: source.name, ledger, durable, ring, log }),
      ]),
  ]
  const running = [
    ...workers.map((worker) => startWorker(worker, services)),
    startConsumer(orderEffects({ ...services, ring }), services),
  ]
  const webhooks = startWebhookWorkers({ ...services, mode, outbound, ring })
  return {
    wakeWebhooks: (shard) => webhooks.wake(shard),
    async stop() {
      await Promise.all([...running, webhooks].map((worker) => worker.stop()))
    },
  }
}

/** Has nothing to do but on a ledger that older code wrote to, and there once. */
const statusIndexWorker = (ledger: RedisClient): Worker => ({
  name: 'status-index',
  everyMs: 60_000,
  begin: () => buildStatusIndex(ledger),
  tick: async () => false,
})

/** Pretended money goes back, too, on a service that went live since it was taken. */
function paymentWorkers({ ledger, orders, log }: WorkerServices): Worker[] {
  const { payments, provider, mode } = orders
  const pretended = createSandboxPayments()
  const providers = [pretended, ...provider && provider.name !== pretended.name ? [provider] : []]
  return [
    refundsWorker({ ledger, payments, providers, log }),
    ...provider && mode === 'live'
      ? [paymentChecksWorker({ ledger, payments, provider, mode, log })] : [],
  ]
}

export function trialsWorker(
  { ledger, durable }: { ledger: RedisClient, durable: Pick<Durable, 'run' | 'send'> },
): Worker {
  return {
    name: 'trials',
    everyMs: EVERY_MS,
    async begin() {
      if (await ledger.exists(keys.trialsNoted) === 1) return
      for await (const hashes of scanNames(ledger, scans.bindings)) {
        const trials = await runMany(ledger, hashes.map((hash) =>
          ['get', keys.binding(hash)] as const)) as (string | null)[]
        for (const [index, trial] of trials.entries()) {
          if (trial !== null) await expireTrial({ ledger, durable }, trial, hashes[index] ?? '')
        }
      }
      await durable.send('set', keys.trialsNoted, '1')
    },
    tick: async () => false,
  }
}
