/** The food gateway: how it is asked, how it signs, how it answers, and what its errors mean. */
import { createHash, createHmac } from 'node:crypto'
import type { OutboundRequest } from '../attempt.ts'
import type { CallOptions } from '../contract.ts'
import { SourceError, type FailureKind } from '../failure.ts'
import { parseJson } from '../json.ts'
import { isBody, type Body } from './wire.ts'

export const NAME = 'food'
export const PATH = '/cps_open/common/api/v1/'

export const OPERATIONS = {
  coupons: 'query_coupon',
  convert: 'get_referral_link',
  orders: 'query_order',
} as const
export type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS]

/** Asks one operation. */
export type Send = (
  operation: Operation, business: object, repeatable: boolean, call?: CallOptions,
) => Promise<Body>

export interface Credentials {
  readonly appKey: string
  readonly appSecret: string
}

/** How far the clocks may be apart. */
export const SKEW_MS = 120_000

export interface Signed {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Path and query, the query already sorted by name. */
  readonly url: string
  readonly body: string | null
}

export const contentMd5 = (body: string): string =>
  createHash('md5').update(body).digest('base64')

/** Each header ends its line, the last one too; the body is signed by its digest. */
export function signedText({ method, headers, url, body }: Signed): string {
  const lines = Object.keys(headers).sort((a, b) => (a < b ? -1 : Number(a > b)))
    .map((name) => `${name}:${headers[name]}\n`).join('')
  return `${method}\n${body === null ? '' : contentMd5(body)}\n${lines}${url}`
}

export const sign = (secret: string, signed: Signed): string =>
  createHmac('sha256', secret).update(signedText(signed)).digest('base64')

export function request(
  { appKey, appSecret }: Credentials, operation: Operation, business: object, now: number,
): OutboundRequest {
  const headers = { 'S-Ca-App': appKey, 'S-Ca-Timestamp': String(now) }
  const path = `${PATH}${operation}`
  const body = JSON.stringify(business)
  return {
    method: 'POST',
    path,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'Content-MD5': contentMd5(body),
      'S-Ca-Signature-Headers': Object.keys(headers).join(','),
      'S-Ca-Signature': sign(appSecret, { method: 'POST', headers, url: path, body }),
    },
    body,
  }
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  '-1': 'retryable',
  1: 'invalid_arg',
  2: 'retryable',
  // Credentials, signature, digest or time: the gateway does not say which.
  400: 'auth',
  401: 'invalid_arg',
  402: 'rate_limited',
  403: 'quota',
  999: 'retryable',
}

/** The answer of an operation that went well; `status` is what older answers call the code. */
export function read(text: string): Body {
  const body = parseJson(text)
  if (!isBody(body)) throw new SourceError(NAME, 'bad_answer')
  const code = String(body.code ?? body.status ?? '')
  if (code === '0') return body
  throw new SourceError(NAME, KINDS[code] ?? 'bad_answer', code === '' ? {} : { code })
}
