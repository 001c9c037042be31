/**
 * The provider's dialect: JSON over HTTP, signed in both directions with HMAC-SHA256 over who,
 * when, a fresh id, and the whole content. What is signed for one direction is void in the other.
 */
import { createHmac, randomUUID } from 'node:crypto'
import type { OutboundRequest } from '../attempt.ts'
import { SourceError, type FailureKind } from '../failure.ts'
import { parseJson, record } from '../json.ts'
import { sameText } from '../signing.ts'

export const NAME = 'gateway'

export const HEADERS = {
  merchant: 'x-pay-merchant', id: 'x-pay-id', time: 'x-pay-time', signature: 'x-pay-signature',
} as const

/** How far the two clocks may be apart; what is older is a replay. */
export const SKEW_MS = 300_000

export interface Signed {
  readonly merchant: string
  /** Fresh for each message. */
  readonly id: string
  /** Seconds since the epoch. */
  readonly time: string
  /** Method and path with its query; `notice` for a message of the provider's. */
  readonly about: string
  readonly body: string
}

export const sign = (secret: string, { merchant, id, time, about, body }: Signed): string =>
  createHmac('sha256', secret).update([about, merchant, id, time, body].join('\n')).digest('hex')

/** By any of the secrets: while one takes the place of another both are in use. */
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
  const outer = record(parsed(text))
  const code = record(outer?.['error'])?.['code']
  if (typeof code === 'string') {
    throw new SourceError(NAME, CODES[code] ?? 'bad_answer', { code })
  }
  if (outer?.['data'] === undefined) throw new SourceError(NAME, 'bad_answer')
  return outer['data']
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
