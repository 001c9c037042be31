/** Money is given back until its provider confirms, and asked for where no notice came. */
import { SourceError } from '../../adapters/contract.ts'
import type { Logger } from '../log.ts'
import type { PaymentProvider } from '../orders/payment-provider.ts'
import { BY_HAND, type PaymentRecord, type Payments } from '../orders/payments.ts'
import { readOrder } from '../orders/record.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import type { Worker } from './lease.ts'
import { createLedgerClocks, type LedgerClocks } from './ledger-clocks.ts'
import { dueOrders, forEachDue, settleDue, type DueOrder } from './due-orders.ts'

export interface PaymentWorkerOptions {
  readonly ledger: RedisClient
  readonly payments: Payments
  /** By the name that is kept with a payment. */
  readonly providers: readonly PaymentProvider[]
  readonly log: Logger
  readonly clocks?: LedgerClocks
}

const EVERY_MS = 1000
/** Of a tick: each is a call to a provider of some seconds at worst, and a lease lasts six. */
const CALLS_MAX = 32

/** After so many attempts that were not confirmed, the next comes so much later. */
const BACKOFF_MS = [2000, 10_000, 60_000, 600_000, 3_600_000] as const
/** Nobody but a person can do it: looked at again in case that a provider was configured. */
const BY_HAND_MS = 3_600_000

export function refundsWorker(options: PaymentWorkerOptions): Worker {
  const { ledger, log, clocks = createLedgerClocks({ ledger, log }) } = options
  return {
    name: 'refunds',
    everyMs: EVERY_MS,
    async tick() {
      // By a clock that is a day ahead the next attempt would be planned for tomorrow.
      const due = await dueOrders(ledger, keys.refunds, clocks)
      await forEachDue(due.slice(0, CALLS_MAX), log, ({ orderNo }) => giveBack(options, orderNo))
      return due.length > CALLS_MAX
    },
  }
}

async function giveBack(options: PaymentWorkerOptions, orderNo: string): Promise<void> {
  const { payments } = options
  const owed = await payments.owed(orderNo)
  if (owed.length === 0) return await payments.endReturns(orderNo)
  for (const [payment, amount] of owed) await giveBackOne(options, payment, amount)
}

async function giveBackOne(
  { payments, providers, log }: PaymentWorkerOptions, payment: PaymentRecord, amount: number,
): Promise<void> {
  const { orderNo, paymentId, currency, via, tries } = payment
  const provider = providers.find(({ name }) => name === via)
  const later = BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)] ?? BY_HAND_MS
  if (!provider) {
    return await payments.noteReturn(orderNo, payment, undefined,
      via === BY_HAND ? 'by_hand' : 'not_configured', BY_HAND_MS)
  }
  const refundId = payments.refundId(orderNo, payment)
  const outcome = await provider.refund({ refundId, paymentId, orderNo, amount, currency })
    .catch((error: unknown) => {
      const kind = error instanceof SourceError ? error.kind : 'failed'
      log.warn({ order_no: orderNo, provider: via, kind, tries: tries + 1 }, 'refund not made')
      return kind
    })
  // Looked at once more at once: there may be other money of the order, or nothing left.
  if (outcome === 'refunded') await payments.noteReturn(orderNo, payment, amount, refundId, 0)
  else await payments.noteReturn(orderNo, payment, undefined, outcome, later)
}

/** How long before the end of its window a provider is asked for the last time. */
const LAST_LOOK_MS = 5000
const PENDING_MS = 15_000
/** Then, for money whose notice was lost, so long after the end of the window. */
const LATE_LOOKS_MS = [60_000, 600_000, 3_600_000, 86_400_000] as const

/** Asks the provider about orders whose payer was sent to it. */
export function paymentChecksWorker(
  { ledger, payments, provider, mode, log }: Omit<PaymentWorkerOptions, 'providers' | 'clocks'> & {
    readonly provider: PaymentProvider
    readonly mode: Mode
  },
): Worker {
  async function check(entry: DueOrder): Promise<void> {
    const { orderNo } = entry
    for (const payment of await provider.query(orderNo)) {
      if (payment.orderNo === orderNo) await payments.record(payment, provider.name, mode)
    }
    const order = await readOrder(ledger, orderNo)
    const laterMs = order && nextCheckMs(order, await redisTimeMs(ledger))
    await settleDue(ledger, keys.paymentChecks, entry, laterMs)
  }
  return {
    name: 'payment-checks',
    everyMs: EVERY_MS,
    async tick() {
      const due = await dueOrders(ledger, keys.paymentChecks)
      await forEachDue(due.slice(0, CALLS_MAX), log, async (entry) => {
        try {
          await check(entry)
        } catch (error) {
          await settleDue(ledger, keys.paymentChecks, entry, PENDING_MS)
          throw error
        }
      })
      return due.length > CALLS_MAX
    },
  }
}

/** Undefined when it is not asked any more. Exported for its test. */
export function nextCheckMs(
  { status, expiresAt }: { status: string, expiresAt: number }, now: number,
): number | undefined {
  const lastLook = expiresAt - LAST_LOOK_MS
  if (status === 'pending_payment' && now < lastLook) return Math.min(PENDING_MS, lastLook - now)
  return LATE_LOOKS_MS.map((late) => expiresAt + late - now).find((left) => left > 0)
}
