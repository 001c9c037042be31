/** Mall A's gateway: its settings, requests, signature, answers, and what its errors mean. */
import { type Static, Type } from 'typebox'
import { type FailureKind, kindsByCode, SourceError } from '../contract.ts'
import type { OutboundRequest } from '../attempt.ts'
import { hmacOf, md5Wrapped, type SignedParams } from '../signing.ts'
import { chinaTime } from '../time.ts'
import { fits, maybe, parseWireJson, record } from '../wire.ts'

export const NAME = 'mall_a'

export const METHODS = {
  search: 'taobao.tbk.dg.material.optional.upgrade',
  searchLegacy: 'taobao.tbk.dg.material.optional',
  items: 'taobao.tbk.item.info.upgrade.get',
  itemsLegacy: 'taobao.tbk.item.info.get',
  shops: 'taobao.tbk.shop.get',
  convert: 'taobao.tbk.dg.general.link.convert',
  shareCode: 'taobao.tbk.tpwd.create',
  orders: 'taobao.tbk.order.details.get',
} as const
export type Method = (typeof METHODS)[keyof typeof METHODS]

export interface Credentials {
  readonly appKey: string
  readonly appSecret: string
  readonly signMethod?: 'md5' | 'hmac' | 'hmac-sha256'
  readonly answers?: 'wrapped' | 'simplified'
}

/** The method of signing is itself a signed parameter. */
export function sign(secret: string, params: SignedParams): string {
  const method = params['sign_method']
  if (method === 'hmac') return hmacOf('md5', secret, params)
  return method === 'hmac-sha256' ? hmacOf('sha256', secret, params) : md5Wrapped(secret, params)
}

export type Business = Readonly<Record<string, string | number | boolean | undefined>>

export function request(
  { appKey, appSecret, signMethod = 'md5', answers }: Credentials, method: Method,
  business: Business, now: number,
): OutboundRequest {
  const params = withoutEmpty({
    method,
    app_key: appKey,
    timestamp: chinaTime(now),
    v: '2.0',
    format: 'json',
    sign_method: signMethod,
    simplify: answers === 'simplified' ? true : undefined,
    ...business,
  })
  return {
    method: 'POST',
    path: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
    body: new URLSearchParams({ ...params, sign: sign(appSecret, params) }).toString(),
  }
}

/** The gateway's own clients disagree on whether empty parameters are signed: none are sent. */
const withoutEmpty = (params: Business): SignedParams => Object.fromEntries(Object.entries(params)
  .filter(([, value]) => value !== undefined && value !== '')
  .map(([name, value]) => [name, String(value)]))

const Unknown = maybe(Type.Unknown())

const Body = Type.Object({
  request_id: maybe(Type.String()),
  total_results: maybe(Type.Number()),
  result_list: Unknown,
  results: Unknown,
  data: Unknown,
})
export type Body = Static<typeof Body>

const isBody = fits(Body)

const ROOT = /_response$/

/** The result: under the method's root, or without one when the answer was simplified. */
export function read(method: Method, text: string): Body {
  const outer = record(parseWireJson(text))
  if (!outer) throw new SourceError(NAME, 'bad_answer')
  const refusal = record(outer['error_response'])
  if (refusal) return emptyOr(refusal)
  const root = `${method.replace(/^taobao\./, '').replaceAll('.', '_')}_response`
  const body = root in outer || Object.keys(outer).some((key) => ROOT.test(key))
    ? outer[root] : outer
  if (!isBody(body)) throw new SourceError(NAME, 'bad_answer')
  return body
}

const REMOTE_CODES = new Set([15, 50])
/** Some methods answer an empty result as an error. */
const EMPTY_SUB_CODE = '50001'

function emptyOr(refusal: Readonly<Record<string, unknown>>): Body {
  const code = Number(refusal['code'])
  const sub = textOf(refusal['sub_code'])
  if (REMOTE_CODES.has(code) && sub === EMPTY_SUB_CODE) return { total_results: 0 }
  const texts = `${textOf(refusal['sub_msg'])} ${textOf(refusal['msg'])}`
  const seconds = Number(BAN.exec(texts)?.[1] ?? 0)
  throw new SourceError(NAME, kindOf(code, sub), {
    ...(Number.isInteger(code) && { code: sub === '' ? code : `${code}:${sub}` }),
    ...(seconds > 0 && { retryAfterMs: Math.min(seconds, BAN_MAX_S) * 1000 }),
  })
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const BAN = /will last for (\d{1,9}) more second/i
const BAN_MAX_S = 86_400

const KINDS = kindsByCode({
  rate_limited: [4, 5, 6, 7],
  retryable: [10],
  permission: [11, 12, 13],
  auth: [1, 24, 25, 26, 27, 28, 29],
  clock: [30, 31],
  invalid_arg: [3, 9, 21, 22, 23, 32, 33, 34, 40, 41, 43],
  forbidden: [42],
})

function kindOf(code: number, sub: string): FailureKind {
  // The day's calls of the application; the other limits of code 7 pass within seconds.
  if (code === 7 && sub.endsWith('limited-by-app-access-count')) return 'quota'
  return REMOTE_CODES.has(code) ? remoteKind(sub) : KINDS.get(code) ?? 'bad_answer'
}

/** isv: the caller is at fault; isp: the mall is. */
function remoteKind(sub: string): FailureKind {
  if (!sub.startsWith('isv.')) return sub === '' || sub.startsWith('isp.') ? 'retryable'
    : 'bad_answer'
  if (sub.includes('permission')) return 'permission'
  return /not-?(?:exist|found)/.test(sub) ? 'not_found' : 'invalid_arg'
}

/** What an operator configures for mall A. */
const NumericId = Type.String({ pattern: '^[1-9][0-9]{0,19}$' })

export const Settings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://' }),
  appKey: Type.String({ minLength: 1 }),
  appSecret: Type.String({ minLength: 1 }),
  signMethod: Type.Optional(Type.Unsafe<'md5' | 'hmac' | 'hmac-sha256'>({
    type: 'string', enum: ['md5', 'hmac', 'hmac-sha256'],
  })),
  /** The neutral promotion position: the last number of the pid. */
  adzoneId: NumericId,
  /** What the ids of the pool are: positions, registered channels or registered members. */
  poolKind: Type.Optional(Type.Unsafe<'adzone' | 'relation' | 'special'>({
    type: 'string', enum: ['adzone', 'relation', 'special'], default: 'adzone',
  })),
  /** Issued by the mall, one for each agent; without them no purchase can be attributed. */
  poolIds: Type.Optional(Type.Array(NumericId, { uniqueItems: true, maxItems: 100_000 })),
  /** Which family of methods was granted; the older one prices before coupons are applied. */
  generation: Type.Optional(Type.Unsafe<'upgrade' | 'legacy'>({
    type: 'string', enum: ['upgrade', 'legacy'], default: 'upgrade',
  })),
  /** 1: ids that change their tail; 2: price comparison, for which the mall grants a permission. */
  sceneId: Type.Optional(Type.Unsafe<1 | 2>({ enum: [1, 2], default: 1 })),
  /** Plain lists without a root, as the gateway makes them on request; both are read. */
  answers: Type.Optional(Type.Unsafe<'wrapped' | 'simplified'>({
    type: 'string', enum: ['wrapped', 'simplified'], default: 'wrapped',
  })),
  /** Links on these hosts, and hosts below them, belong to the mall. */
  hosts: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { minItems: 1 }),
  /** Plain links to items, with {id}: those of the answers are tracked. */
  itemUrl: Type.Optional(Type.String({ pattern: '^https?://.*\\{id\\}' })),
  orderPageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
}, { additionalProperties: false })

export type Settings = Static<typeof Settings>
