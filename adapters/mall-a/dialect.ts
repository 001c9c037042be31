/** Mall A's gateway: how it is asked, how it signs, how it answers, and what its errors mean. */
import type { OutboundRequest } from '../attempt.ts'
import { kindsByCode, SourceError, type FailureKind } from '../failure.ts'
import { parseJson, record } from '../json.ts'
import { hmacOf, md5Wrapped, type Params } from '../signing.ts'
import { chinaTime } from '../time.ts'
import { isBody, type Body } from './wire.ts'

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

/** The way is itself a parameter, and signed. */
export function sign(secret: string, params: Params): string {
  const way = params['sign_method']
  if (way === 'hmac') return hmacOf('md5', secret, params)
  return way === 'hmac-sha256' ? hmacOf('sha256', secret, params) : md5Wrapped(secret, params)
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
const withoutEmpty = (params: Business): Params => Object.fromEntries(Object.entries(params)
  .filter(([, value]) => value !== undefined && value !== '')
  .map(([name, value]) => [name, String(value)]))

const ROOT = /_response$/

/** The result: under the method's root, or without one when the answer was simplified. */
export function read(method: Method, text: string): Body {
  const outer = record(parseJson(text))
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
/** Some methods say by an error that they found nothing. */
const EMPTY_SUB_CODE = '50001'

function emptyOr(refusal: Readonly<Record<string, unknown>>): Body {
  const code = Number(refusal['code'])
  const sub = textOf(refusal['sub_code'])
  if (REMOTE_CODES.has(code) && sub === EMPTY_SUB_CODE) return { total_results: 0 }
  const said = `${textOf(refusal['sub_msg'])} ${textOf(refusal['msg'])}`
  const seconds = Number(BAN.exec(said)?.[1] ?? 0)
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
