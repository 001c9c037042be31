/**
 * The provider's dialect: JSON over HTTP, signed in both directions with HMAC-SHA256 over the
 * merchant, the time, a fresh id, and the whole content. A signature of one direction is void in
 * the other.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type FailureKind, SourceError } from '../contract.ts'
import type { OutboundRequest } from '../attempt.ts'
import { sameText } from '../signing.ts'
import { fits, parseWireJson, record } from '../wire.ts'

export const NAME = 'gateway'

export const HEADERS = {
  merchant: 'x-pay-merchant', id: 'x-pay-id', time: 'x-pay-time', signature: 'x-pay-signature',
} as const

/** How far the two clocks may be apart; an older message is a replay. */
export const SKEW_MS = 300_000

export interface Signed {
  readonly merchant: string
  /** Fresh for each message. */
  readonly id: string
  /** Seconds since the epoch. */
  readonly time: string
  /** Method and path with its query; `notice` for a message of the provider. */
  readonly about: string
  readonly body: string
}

export const sign = (secret: string, { merchant, id, time, about, body }: Signed): string =>
  createHmac('sha256', secret).update([about, merchant, id, time, body].join('\n')).digest('hex')

/** By any of the secrets: during a rotation both are in use. */
export const isSigned = (
  secrets: readonly string[], message: Signed, signature: string,
): boolean => secrets.filter((secret) => sameText(sign(secret, message), signature)).length > 0

export interface Credentials {
  readonly merchantId: string
  /** The first signs. */
  readonly secrets: readonly string[]
}

export function request(
  { merchantId, secrets }: Credentials, method: 'GET' | 'POST', path: string,
  content: object | undefined, now: number,
): OutboundRequest {
  const body = content === undefined ? '' : JSON.stringify(content)
  const message: Signed = {
    merchant: merchantId, id: randomUUID(), time: String(Math.floor(now / 1000)),
    about: `${method} ${path}`, body,
  }
  return {
    method,
    path,
    headers: {
      [HEADERS.merchant]: message.merchant,
      [HEADERS.id]: message.id,
      [HEADERS.time]: message.time,
      [HEADERS.signature]: sign(secrets[0] ?? '', message),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  }
}

export const CODES: Readonly<Record<string, FailureKind>> = {
  signature: 'auth', merchant: 'auth', time: 'clock', format: 'invalid_arg',
  not_found: 'not_found', refused: 'permission', limited: 'rate_limited', busy: 'retryable',
}

/** The answer's `data`, or what its `error` means. */
export function read(text: string): unknown {
  const outer = record(parseOrUndefined(text))
  const code = record(outer?.['error'])?.['code']
  if (typeof code === 'string') {
    throw new SourceError(NAME, CODES[code] ?? 'bad_answer', { code })
  }
  if (outer?.['data'] === undefined) throw new SourceError(NAME, 'bad_answer')
  return outer['data']
}

export function parseOrUndefined(text: string): unknown {
  try {
    return parseWireJson(text)
  } catch {
    return undefined
  }
}

// Schemas of the provider's messages: only the fields that are used.

/** Names in its messages: bounded, and without spaces. */
const Name = Type.String({ pattern: '^[0-9A-Za-z._:-]{1,64}$' })
const Amount = Type.Integer({ minimum: 1, maximum: 100_000_000_000 })

const Payment = Type.Object({
  payment_id: Name,
  order_no: Name,
  amount: Amount,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  /** Milliseconds since the epoch. */
  paid_at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
})

export type Payment = Static<typeof Payment>

export const isCreated = fits(Type.Object({ pay_url: Type.String({ maxLength: 2048 }) }))
export const isPayments = fits(Type.Object({ payments: Type.Array(Payment, { maxItems: 100 }) }))
export const isRefund = fits(Type.Object({
  refund_id: Name,
  status: Type.Enum(['succeeded', 'processing']),
}))
const Day = Type.Object({
  payments: Type.Array(Type.Object({
    ...Payment.properties, refunded: Type.Integer({ minimum: 0 }),
  }), { maxItems: 500 }),
  next: Type.Union([Name, Type.Null()]),
})
export type Day = Static<typeof Day>
export const isDay = fits(Day)
export const isNotice = fits(Type.Object({
  type: Type.String({ pattern: '^[a-z._]{1,64}$' }),
}))
export const isPaymentNotice = fits(Type.Object({
  type: Type.Literal('payment.succeeded'), payment: Payment,
}))
