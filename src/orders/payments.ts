/**
 * Money taken for orders. A payment is recorded once by its provider's id, in the order's own
 * partition, and in the same call pays its order or is kept as a stray: too late, twice, of another
 * amount, currency or mode, or for no order that there is. Strays and refunds are given back by
 * the refunds worker until the provider confirms.
 */
import { isoTime } from '../contract/time.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { channels, ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { OrderDriver } from './driver.ts'
import { ROWS } from './moves.ts'
import type { TakenPayment } from './payment.ts'

export const STRAY_REASONS = [
  'unknown', 'mode', 'currency', 'amount', 'second', 'closed', 'late',
] as const
/** Why a payment paid no order. */
export type StrayReason = (typeof STRAY_REASONS)[number]

export type PaymentStatus = 'applied' | 'stray' | 'returned'

/** What was recorded of it; `known`: it was recorded before, and nothing was changed. */
export type Recorded =
  | { readonly outcome: 'paid' }
  | { readonly outcome: 'stray', readonly why: StrayReason }
  | { readonly outcome: 'known', readonly status: PaymentStatus }

export interface PaymentRecord extends TakenPayment {
  /** Names it in the ledger: provider and id. */
  readonly name: string
  /** Which provider took it; `operator` where a person noted it. */
  readonly via: string
  readonly status: PaymentStatus
  readonly why?: StrayReason
  /** When it was recorded, ms, Redis's clock. */
  readonly at: number
  readonly returned?: number
  readonly returnedAt?: number
  /** Attempts to give it back that were not confirmed, and what stood in the way of the last. */
  readonly tries: number
  readonly note?: string
}

/** Of payments that a person noted: only a person can give them back. */
export const BY_HAND = 'operator'

/** How long a day can be reconciled after it. */
const TAKEN_MS = 100 * 86_400_000

const paymentRecord = defineScript('payment-record',
  ['order', 'events', 'unpaid', 'due', 'outbox', 'payments', 'taken', 'refunds',
    'trial_held', 'by_status'],
  ['order_no', 'payment', 'amount', 'currency', 'mode', 'given', 'row', 'due_ms', 'keep_ms',
    'doorbell', 'partition'],
  ([outcome, detail]: ['paid' | 'stray' | 'known', string]) => (
    outcome === 'paid' ? { outcome }
      : outcome === 'stray' ? { outcome, why: detail } : { outcome, status: detail }) as Recorded)

const paymentReturn = defineScript('payment-return', ['payments', 'order', 'refunds', 'failed'],
  ['order_no', 'payment', 'amount', 'trouble', 'later_ms'],
  ([code]: ['returned' | 'noted' | 'done' | 'owed']) => code)

export interface Payments {
  /** Repeating it is harmless. `mode` is that of the money, not of the order. */
  record(payment: TakenPayment, via: string, mode: Mode): Promise<Recorded>
  /** What was taken for an order number, oldest first. */
  of(orderNo: string): Promise<PaymentRecord[]>
  /** What has to go back of it now, in the smallest unit; 0 for nothing. */
  owed(orderNo: string): Promise<readonly (readonly [PaymentRecord, amount: number])[]>
  /** Notes that it went back, as `note` says, or without an amount that it did not. */
  noteReturn(
    orderNo: string, payment: PaymentRecord, amount: number | undefined, note: string,
    laterMs: number,
  ): Promise<void>
  /** Ends the looks at an order's money, unless something has to go back after all. */
  endReturns(orderNo: string): Promise<void>
  /** Always the same for a payment: it is given back once, in part or whole. */
  refundId(orderNo: string, payment: PaymentRecord): string
}

/** Where an order number lives; one that is none of ours has its money in the first partition. */
export const partitionFor = (orderNo: string): number => partitionOfOrder(orderNo) ?? 0

export function createPayments({ ledger, durable, secrets, driver }: {
  readonly ledger: RedisClient
  readonly durable: Durable
  readonly secrets: Pick<Secrets, 'id'>
  readonly driver: OrderDriver
}): Payments {
  const runReturn = async (
    orderNo: string, args: { payment: string, amount: number | '', trouble: string, later: number },
  ): Promise<void> => {
    const partition = partitionFor(orderNo)
    await durable.run(paymentReturn, {
      payments: keys.payments(partition, orderNo),
      order: keys.order(partition, orderNo),
      refunds: keys.refunds(partition),
      failed: keys.refundsFailed(partition),
    }, {
      order_no: orderNo, payment: args.payment, amount: args.amount, trouble: args.trouble,
      later_ms: args.later,
    })
  }

  async function of(orderNo: string): Promise<PaymentRecord[]> {
    return paymentsOf(orderNo,
      await ledger.hgetall(keys.payments(partitionFor(orderNo), orderNo)))
  }

  return {
    async record({ orderNo, paymentId, amount, currency, paidAt }, via, mode) {
      const partition = partitionFor(orderNo)
      return await durable.run(paymentRecord, {
        order: keys.order(partition, orderNo),
        events: keys.events(partition, orderNo),
        unpaid: keys.unpaid(partition),
        due: keys.due(partition),
        outbox: keys.outbox(partition),
        payments: keys.payments(partition, orderNo),
        taken: keys.paymentsTaken(partition),
        refunds: keys.refunds(partition),
        trial_held: keys.trialHeld(partition),
        by_status: keys.byStatus(partition),
      }, {
        order_no: orderNo,
        payment: `${via}:${paymentId}`,
        amount,
        currency,
        mode,
        given: JSON.stringify({ via, paymentId, amount, currency, paidAt } satisfies Given),
        row: ROWS.pay,
        due_ms: driver.next('paid')?.afterMs ?? '',
        keep_ms: TAKEN_MS,
        doorbell: channels.doorbell(partition),
        partition,
      })
    },
    of,
    async owed(orderNo) {
      const [payments, [status, paidWith, refund]] = await Promise.all([of(orderNo),
        ledger.hmget(keys.order(partitionFor(orderNo), orderNo), 'status', 'payment', 'refund')])
      const isOver = status === 'refunded' || status === 'closed'
      return payments.flatMap((payment) => {
        if (payment.status === 'stray') return [[payment, payment.amount] as const]
        const isRefunded = isOver && payment.status === 'applied' && payment.name === paidWith
        const amount = Math.min(Number(refund ?? payment.amount), payment.amount)
        return isRefunded ? [[payment, amount] as const] : []
      })
    },
    noteReturn: (orderNo, payment, amount, note, laterMs) => runReturn(orderNo, {
      payment: payment.name, amount: amount ?? '', trouble: note, later: laterMs,
    }),
    endReturns: (orderNo) =>
      runReturn(orderNo, { payment: '', amount: '', trouble: '', later: 0 }),
    refundId: (orderNo, { name }) => `RF${secrets.id('refund', orderNo, name)}`,
  }
}

type Given = Pick<PaymentRecord, 'via' | 'paymentId' | 'amount' | 'currency' | 'paidAt'>

export function paymentsOf(orderNo: string, fields: Record<string, string>): PaymentRecord[] {
  return Object.keys(fields).filter((name) => name.endsWith('.given'))
    .map((field): PaymentRecord => {
      const name = field.slice(0, -'.given'.length)
      const text = (part: string): string | undefined => fields[`${name}.${part}`]
      const [why, returned, returnedAt, note] =
        ['why', 'returned', 'returned_at', 'note'].map(text)
      return {
        ...JSON.parse(text('given') ?? '{}') as Given,
        name,
        orderNo,
        status: text('status') as PaymentStatus,
        at: Number(text('at')),
        tries: Number(text('tries') ?? 0),
        ...(why !== undefined && { why: why as StrayReason }),
        ...(returned !== undefined && { returned: Number(returned) }),
        ...(returnedAt !== undefined && { returnedAt: Number(returnedAt) }),
        ...(note !== undefined && { note }),
      }
    })
    .toSorted((a, b) => a.at - b.at)
}

/** As an operator is shown it. */
export const paymentView = (payment: PaymentRecord) => ({
  order_no: payment.orderNo,
  payment: payment.name,
  status: payment.status,
  ...(payment.why !== undefined && { why: payment.why }),
  amount: payment.amount,
  currency: payment.currency,
  recorded_at: isoTime(payment.at),
  ...(payment.returned !== undefined && { returned: payment.returned }),
  ...(payment.returnedAt !== undefined && { returned_at: isoTime(payment.returnedAt) }),
  ...(payment.tries > 0 && { tries: payment.tries }),
  ...(payment.note !== undefined && { note: payment.note }),
})
