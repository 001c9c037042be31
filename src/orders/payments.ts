/**
 * Money taken for orders. A payment is recorded once by its provider's id, in the order's own
 * partition, and in the same call pays its order or is kept as a stray: too late, twice, of another
 * amount, currency or mode, or for no order that there is. Strays and refunds are given back by
 * the refunds worker until the provider confirms.
 */
import { isoTime, nowMs } from '../contract/time.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { channels, ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { OrderDriver } from './driver.ts'
import { MOVE_ROWS } from './moves.ts'
import type { PayLinks, PaymentProvider, TakenPayment } from './payment-provider.ts'
import { LRUCache } from 'lru-cache'
import { SourceError } from '../../adapters/contract.ts'
import { Refusal } from '../contract/errors.ts'
import type { OrderRecord } from './record.ts'

const STRAY_REASONS = [
  'unknown', 'mode', 'currency', 'amount', 'second', 'closed', 'late',
] as const
/** Why a payment paid no order. */
type StrayReason = (typeof STRAY_REASONS)[number]

type PaymentStatus = 'applied' | 'stray' | 'returned'

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

const paymentReturn = defineScript('payment-return',
  ['payments', 'order', 'refunds', 'failed', 'outbox'],
  ['order_no', 'payment', 'amount', 'trouble', 'later_ms', 'doorbell', 'partition'],
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

interface PaymentsOptions {
  readonly ledger: RedisClient
  readonly durable: Durable
  readonly secrets: Pick<Secrets, 'id'>
  readonly driver: OrderDriver
}

export class LedgerPayments implements Payments {
  private readonly options: PaymentsOptions

  constructor(options: PaymentsOptions) {
    this.options = options
  }

  async record(
    { orderNo, paymentId, amount, currency, paidAt }: TakenPayment, via: string, mode: Mode,
  ): Promise<Recorded> {
    const { durable, driver } = this.options
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
      row: MOVE_ROWS.pay,
      due_ms: driver.next('paid')?.afterMs ?? '',
      keep_ms: TAKEN_MS,
      doorbell: channels.doorbell(partition),
      partition,
    })
  }

  async of(orderNo: string): Promise<PaymentRecord[]> {
    return paymentsOf(orderNo,
      await this.options.ledger.hgetall(keys.payments(partitionFor(orderNo), orderNo)))
  }

  async owed(orderNo: string): Promise<(readonly [PaymentRecord, amount: number])[]> {
    const [payments, [status, paidWith, refund]] = await Promise.all([
      this.of(orderNo),
      this.options.ledger.hmget(keys.order(partitionFor(orderNo), orderNo),
        'status', 'payment', 'refund'),
    ])
    const isOver = status === 'refunded' || status === 'closed'
    return payments.flatMap((payment) => {
      if (payment.status === 'stray') return [[payment, payment.amount] as const]
      const isRefunded = isOver && payment.status === 'applied' && payment.name === paidWith
      const amount = Math.min(Number(refund ?? payment.amount), payment.amount)
      return isRefunded ? [[payment, amount] as const] : []
    })
  }

  async noteReturn(
    orderNo: string, payment: PaymentRecord, amount: number | undefined, note: string,
    laterMs: number,
  ): Promise<void> {
    await this.runReturn(orderNo,
      { payment: payment.name, amount: amount ?? '', trouble: note, later_ms: laterMs })
  }

  async endReturns(orderNo: string): Promise<void> {
    await this.runReturn(orderNo, { payment: '', amount: '', trouble: '', later_ms: 0 })
  }

  refundId(orderNo: string, { name }: PaymentRecord): string {
    return `RF${this.options.secrets.id('refund', orderNo, name)}`
  }

  private async runReturn(
    orderNo: string,
    given: { payment: string, amount: number | '', trouble: string, later_ms: number },
  ): Promise<void> {
    const partition = partitionFor(orderNo)
    await this.options.durable.run(paymentReturn, {
      payments: keys.payments(partition, orderNo),
      order: keys.order(partition, orderNo),
      refunds: keys.refunds(partition),
      failed: keys.refundsFailed(partition),
      outbox: keys.outbox(partition),
    }, {
      order_no: orderNo, doorbell: channels.doorbell(partition), partition, ...given,
    })
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

/** `closed`: the window has passed, or the order was cancelled. `url`: of the provider's page. */
export type PayResult =
  | { readonly outcome: 'paid' | 'already_paid' | 'closed' | 'not_found' }
  | { readonly outcome: 'redirect', readonly url: string }

interface PayingOptions {
  readonly durable: Pick<Durable, 'send' | 'read'>
  readonly payments: Payments
  readonly payLinks: PayLinks
  readonly provider: PaymentProvider | undefined
  readonly mode: Mode
  /** The order of a pay_url; undefined when the token is not its own. */
  payable(orderNo: string, token: string): Promise<OrderRecord | undefined>
}

/** What is left of the window for a notice that is under way when the provider stops. */
const MARGIN_MS_MAX = 30_000
const MARGIN_SHARE = 0.1
/** A notice that has not come after this is asked for. */
const FIRST_CHECK_MS = 15_000
/** Pages that a node remembers: a payer who presses again costs the provider nothing. */
const PAGES_MAX = 10_000

export function createPaying({
  durable, payable, payLinks, payments, provider, mode,
}: PayingOptions): (orderNo: string, token: string) => Promise<PayResult> {
  const pages = new LRUCache<string, string>({ max: PAGES_MAX })

  async function begin(order: OrderRecord, provider: PaymentProvider): Promise<PayResult> {
    const { orderNo, title, amount, createdAt, expiresAt } = order
    const known = pages.get(orderNo)
    if (known !== undefined) return { outcome: 'redirect', url: known }
    const margin = Math.min((expiresAt - createdAt) * MARGIN_SHARE, MARGIN_MS_MAX)
    // Listed before the provider knows of it: a crash between leaves a question, not lost money.
    if (mode === 'live') {
      await durable.send('zadd', keys.paymentChecks(partitionFor(orderNo)), 'NX',
        nowMs() + FIRST_CHECK_MS, orderNo)
    }
    const created = await provider.create({
      orderNo, title, amount, expiresAt: Math.floor(expiresAt - margin),
      returnUrl: payLinks.payUrl(orderNo),
    })
    if ('taken' in created) {
      return { outcome: outcomeOf(await payments.record(created.taken, provider.name, mode)) }
    }
    pages.set(orderNo, created.url, { ttl: Math.max(1, Math.floor(expiresAt - nowMs())) })
    return { outcome: 'redirect', url: created.url }
  }

  return async function pay(orderNo, token) {
    const order = await payable(orderNo, token)
    if (!order) return { outcome: 'not_found' }
    if (!provider || order.mode !== mode) throw new Refusal('not_configured')
    if (order.events.some(({ event }) => event === 'paid')) {
      // A master that was cut off may be the only one that has it: a payer sees only what is kept.
      const kept = keys.order(partitionFor(orderNo), orderNo)
      const paidAt = await durable.read('hget', kept, 'did:pay').catch((error: unknown) => {
        // Whatever keeps it from being read, it may be paid: the payer tries again.
        throw error instanceof Refusal ? error : new Refusal('unavailable', {}, error)
      })
      if (paidAt === null) throw new Refusal('unavailable')
      return { outcome: 'already_paid' }
    }
    if (order.status !== 'pending_payment' || order.expiresAt <= nowMs()) {
      return { outcome: 'closed' }
    }
    try {
      return await begin(order, provider)
    } catch (error) {
      if (error instanceof SourceError) throw new Refusal('unavailable', {}, error)
      throw error
    }
  }
}

function outcomeOf(recorded: Recorded): 'paid' | 'already_paid' | 'closed' {
  if (recorded.outcome === 'paid') return 'paid'
  return recorded.outcome === 'known' ? 'already_paid' : 'closed'
}
