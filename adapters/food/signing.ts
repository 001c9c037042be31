/** The food gateway: its settings, requests, signature, answers, and what its errors mean. */
import { createHash, createHmac } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { type CallOptions, type FailureKind, SourceError } from '../contract.ts'
import type { OutboundRequest } from '../attempt.ts'
import { Code, fits, Id, maybe, parseWireJson } from '../wire.ts'

export const NAME = 'food'
export const PATH = '/cps_open/common/api/v1/'

export const OPERATIONS = {
  coupons: 'query_coupon',
  convert: 'get_referral_link',
  orders: 'query_order',
} as const
export type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS]

/** Calls one operation. */
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

/** The links of an answer stand at its root or under `data`; `data` may be a link itself. */
const Body = Type.Object({
  code: maybe(Code),
  status: maybe(Code),
  data: maybe(Type.Unknown()),
  referralLinkMap: maybe(Type.Unknown()),
  skuViewId: maybe(Id),
  hasNext: maybe(Type.Boolean()),
  searchId: maybe(Type.String({ maxLength: 2000 })),
})
export type Body = Static<typeof Body>

export const isBody = fits(Body)

/** The answer of an operation that succeeded; `status` is what older answers call the code. */
export function read(text: string): Body {
  const body = parseWireJson(text)
  if (!isBody(body)) throw new SourceError(NAME, 'bad_answer')
  const code = String(body.code ?? body.status ?? '')
  if (code === '0') return body
  throw new SourceError(NAME, KINDS[code] ?? 'bad_answer', code === '' ? {} : { code })
}

/** What an operator configures for the food-coupon platform. */
export const Settings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://' }),
  appKey: Type.String({ minLength: 1 }),
  appSecret: Type.String({ minLength: 1 }),
  /** The activity whose coupon is converted when nothing is named. */
  actId: Type.String({ pattern: '^[0-9]{1,20}$' }),
  /** Links on these hosts, and hosts below them, belong to the platform. */
  hosts: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { minItems: 1 }),
  /** 1: delivery, as without it; 2: meals in the house. */
  platform: Type.Optional(Type.Unsafe<1 | 2>({ enum: [1, 2], default: 1 })),
  bizLine: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Where the searched coupons have to be valid, by city or by coordinates in degrees. */
  cityId: Type.Optional(Type.Integer({ minimum: 1 })),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  /** The page of an item, with {id}; the platform names none. */
  itemUrl: Type.Optional(Type.String({ pattern: '^https://[^{}]+\\{id\\}[^{}]*$' })),
  /** The mini-program in which paths are opened that come without one. */
  miniProgramId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  orderPageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
}, { additionalProperties: false })

export type Settings = Static<typeof Settings>
