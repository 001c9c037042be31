/** An order as it stands, whatever is in it: nothing of what is read here is believed. */
import { modeOf, type Mode } from '../contract/money.ts'
import { aftersalesOf, type AftersaleRecord } from '../orders/aftersale-record.ts'
import { paymentsOf, type PaymentRecord } from '../orders/payments.ts'
import type { OrderEvent } from '../orders/record.ts'
import type { AftersaleStatus, AftersaleType, Status } from '../orders/states.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { sealedUnder } from '../secrets/seal.ts'

const FIELDS = [
  'status', 'agent', 'fingerprint', 'product_id', 'qty', 'held', 'unit_price', 'freight', 'amount',
  'created_at', 'expires_at', 'given', 'after_id', 'after_status', 'after_type',
  'trial_held', 'mode', 'receiver', 'payment', 'refund', 'stray', 'given_back',
] as const
const NUMBERS = ['product_id', 'qty', 'held', 'unit_price', 'freight', 'amount', 'created_at',
  'expires_at'] as const

export interface StoredOrder {
  readonly orderNo: string
  readonly status: Status
  readonly agent: string
  readonly fingerprint: string
  readonly attempt: string
  readonly account: string
  readonly mode: Mode
  readonly productId: number
  readonly qty: number
  readonly held: number
  readonly unitPrice: number
  readonly freight: number
  readonly amount: number
  readonly createdAt: number
  readonly expiresAt: number
  readonly afterId: string | null
  readonly afterStatus: AftersaleStatus | null
  readonly afterType: AftersaleType | null
  readonly events: readonly OrderEvent[]
  readonly aftersales: readonly AftersaleRecord[]
  readonly payments: readonly PaymentRecord[]
  /** The name of the payment that it was paid with; null for none, or for one that was not kept. */
  readonly paidWith: string | null
  /** Fen that go back when it is refunded; null for all. */
  readonly refund: number | null
  /** Fen that paid no order, and fen of all payments that were given back. */
  readonly stray: number
  readonly givenBack: number
  /** Whether somebody looks at what has to go back. */
  readonly isRefundPlanned: boolean
  /** Whether it is dropped after a time. */
  readonly isFading: boolean
  /** Units that count against what trial keys may hold. */
  readonly trialHeld: number
  /** Id of the secret that its receiver is sealed under, where the envelope names one. */
  readonly sealedUnder: string | undefined
  /** Fields that a whole order has and this one lacks, or that cannot be read. */
  readonly flaws: readonly string[]
}

/** Reads them as one moment saw them; undefined for an order that is not there. */
export async function readOrders(
  ledger: RedisClient, partition: number, orderNos: readonly string[],
): Promise<(StoredOrder | undefined)[]> {
  if (orderNos.length === 0) return []
  const reading = ledger.multi()
  for (const orderNo of orderNos) {
    reading.hmget(keys.order(partition, orderNo), ...FIELDS)
      .lrange(keys.events(partition, orderNo), 0, -1)
      .hgetall(keys.after(partition, orderNo))
      .pttl(keys.order(partition, orderNo))
      .hgetall(keys.payments(partition, orderNo))
      .zscore(keys.refunds(partition), orderNo)
  }
  const replies = await reading.exec() ?? []
  return orderNos.map((orderNo, index) => {
    const [order, events, after, leftMs, payments, refundAt] = [0, 1, 2, 3, 4, 5].map((part) => {
      const [error, value] = replies[index * 6 + part] ?? [new Error('no reply'), null]
      if (error) throw error
      return value
    })
    return storedOrder(orderNo, {
      values: order as (string | null)[], lines: events as string[],
      after: after as Record<string, string>, payments: payments as Record<string, string>,
      isFading: Number(leftMs) >= 0, isRefundPlanned: refundAt !== null,
    })
  })
}

interface Stored {
  readonly values: readonly (string | null)[]
  readonly lines: readonly string[]
  readonly after: Record<string, string>
  readonly payments: Record<string, string>
  readonly isFading: boolean
  readonly isRefundPlanned: boolean
}

function storedOrder(orderNo: string, stored: Stored): StoredOrder | undefined {
  const { values, lines, after, payments, isFading, isRefundPlanned } = stored
  const field = Object.fromEntries(FIELDS.map((name, index) => [name, values[index] ?? null]))
  if (values.every((value) => value === null)) return undefined
  const flaws: string[] = ['status', 'agent', 'fingerprint']
    .filter((name) => !field[name])
  const number = Object.fromEntries(NUMBERS.map((name) => {
    const text = field[name] ?? ''
    if (!/^\d{1,15}$/.test(text)) flaws.push(name)
    return [name, Number(text)]
  })) as Record<typeof NUMBERS[number], number>
  const read = <T>(name: string, parse: () => T, otherwise: T): T => {
    try {
      return parse()
    } catch {
      flaws.push(name)
      return otherwise
    }
  }
  const { attempt, account } = read('given',
    () => JSON.parse(field['given'] ?? '') as Partial<Record<'attempt' | 'account', unknown>>, {})
  return {
    orderNo,
    status: field['status'] as Status,
    agent: field['agent'] ?? '',
    fingerprint: field['fingerprint'] ?? '',
    attempt: String(attempt ?? ''),
    account: String(account ?? ''),
    mode: modeOf(field['mode']),
    productId: number.product_id,
    qty: number.qty,
    held: number.held,
    unitPrice: number.unit_price,
    freight: number.freight,
    amount: number.amount,
    createdAt: number.created_at,
    expiresAt: number.expires_at,
    afterId: field['after_id'] ?? null,
    afterStatus: field['after_status'] as AftersaleStatus | null,
    afterType: field['after_type'] as AftersaleType | null,
    events: read('events', () => lines.map((line) => JSON.parse(line) as OrderEvent), []),
    aftersales: read('aftersales', () => aftersalesOf(after, field['after_id'] ?? undefined), []),
    payments: read('payments', () => paymentsOf(orderNo, payments), []),
    paidWith: field['payment'] ?? null,
    refund: field['refund'] === null ? null : Number(field['refund']),
    stray: Number(field['stray'] ?? 0),
    givenBack: Number(field['given_back'] ?? 0),
    isRefundPlanned,
    isFading,
    trialHeld: Number(field['trial_held'] ?? 0),
    sealedUnder: sealedUnder(field['receiver'] ?? ''),
    flaws,
  }
}
