/** Mall C's gateway: its settings, requests, signature, answers, and what its errors mean. */
import { type Static, Type } from 'typebox'
import { kindsByCode, SourceError } from '../contract.ts'
import type { OutboundRequest } from '../attempt.ts'
import { md5Wrapped, type SignedParams } from '../signing.ts'
import { fits, maybe, parseWireJson, record } from '../wire.ts'

export const NAME = 'mall_c'

export const TYPES = {
  search: 'pdd.ddk.goods.search',
  detail: 'pdd.ddk.goods.detail',
  convert: 'pdd.ddk.goods.promotion.url.generate',
  register: 'pdd.ddk.rp.prom.url.generate',
  orders: 'pdd.ddk.order.list.increment.get',
} as const
export type CallType = (typeof TYPES)[keyof typeof TYPES]

/** The keys of the answers follow no rule. */
export const ROOTS: Readonly<Record<CallType, string>> = {
  [TYPES.search]: 'goods_search_response',
  [TYPES.detail]: 'goods_detail_response',
  [TYPES.convert]: 'goods_promotion_url_generate_response',
  [TYPES.register]: 'rp_promotion_url_generate_response',
  [TYPES.orders]: 'order_list_get_response',
}

/** Among the red packets and other activities, the page on which a person registers. */
export const REGISTRATION_CHANNEL = 10

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

export const sign = (secret: string, params: SignedParams): string => md5Wrapped(secret, params)

/** The credited user; the mall echoes this text in its orders. */
export const customOf = (uid: string): string => JSON.stringify({ uid })

/** Lists and objects are sent, and signed, as JSON text; undefined values are not sent. */
export function request(
  { clientId, clientSecret }: Credentials, type: CallType, business: object, now: number,
): OutboundRequest {
  const params: SignedParams = {
    type,
    client_id: clientId,
    timestamp: String(Math.floor(now / 1000)),
    data_type: 'JSON',
    ...Object.fromEntries(Object.entries(business as Readonly<Record<string, unknown>>)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])),
  }
  return {
    method: 'POST',
    path: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
    body: new URLSearchParams({ ...params, sign: sign(clientSecret, params) }).toString(),
  }
}

const Body = Type.Object({
  request_id: maybe(Type.String()),
  total_count: maybe(Type.Integer({ minimum: 0, maximum: 1e12 })),
  list_id: maybe(Type.String({ maxLength: 400 })),
})
export type Body = Static<typeof Body> & Readonly<Record<string, unknown>>

const isBody = fits(Body) as (value: unknown) => value is Body

export function read(type: CallType, text: string): Body {
  const outer = record(parseWireJson(text))
  const refusal = record(outer?.['error_response'])
  if (refusal) throw errorOf(refusal)
  const body = outer?.[ROOTS[type]]
  if (!isBody(body)) throw new SourceError(NAME, 'bad_answer')
  return body
}

/** The mall has one code for a wrong signature and for a time that is too far off. */
export const SIGN_CODE = '20004'
const BUSINESS_CODE = 50001
const UNREGISTERED_CODE = '60001'

const KINDS = kindsByCode({
  rate_limited: [52101, 70031],
  quota: [70036],
  auth: [10016, 10018, 10019, 20004, 20032],
  // Our requests miss no parameter: the mall refuses their time.
  clock: [10001],
  permission: [20005, 20031, 20034, 20035, 30000, 30001],
  forbidden: [70032, 70034, 70035],
  retryable: [50000, 50002, 52001, 52002, 52102, 52103, 70033],
  invalid_arg: [10000, 10017, 21001, 21002, 50001, 52004],
})

const SCALARS = new Set(['string', 'number'])

function errorOf(refusal: Readonly<Record<string, unknown>>): SourceError {
  const { error_code: code, sub_code: sub, error_msg: message, sub_msg: detail } = refusal
  if (!SCALARS.has(typeof code)) return new SourceError(NAME, 'bad_answer')
  const number = Number(code)
  const known = SCALARS.has(typeof sub) && sub !== ''
  const kind = number === BUSINESS_CODE && String(sub) === UNREGISTERED_CODE
    ? 'registration' : KINDS.get(number) ?? 'bad_answer'
  const seconds = kind === 'rate_limited' ? secondsIn(detail) ?? secondsIn(message) : null
  return new SourceError(NAME, kind, {
    code: known ? `${number}:${String(sub)}` : number,
    ...(seconds !== null && { retryAfterMs: seconds * 1000 }),
  })
}

const WAIT_MAX_S = 86_400

/** The time to wait is in the sentence, if anywhere. */
function secondsIn(text: unknown): number | null {
  const match = typeof text === 'string' ? /(\d{1,6})\s*(?:秒|s\b|seconds?\b)/i.exec(text) : null
  const seconds = Number(match?.[1] ?? 0)
  return seconds > 0 ? Math.min(seconds, WAIT_MAX_S) : null
}

/** What an operator configures for mall C. */
export const Settings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://' }),
  clientId: Type.String({ minLength: 1 }),
  clientSecret: Type.String({ minLength: 1 }),
  /** The promotion position, registered with the mall. */
  pid: Type.String({ pattern: '^\\d{1,20}_\\d{1,20}$' }),
  /** The user of searches, since the mall registers pairs of (pid, uid). */
  neutralUid: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_]{1,40}$' })),
  /** Links on these hosts, and hosts below them, belong to the mall. */
  hosts: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { minItems: 1 }),
  /** Links to items, with {id}: the mall's answers hold none. */
  itemUrl: Type.Optional(Type.String({ pattern: '\\{id\\}' })),
  orderPageSize: Type.Optional(Type.Integer({ minimum: 10, maximum: 100 })),
}, { additionalProperties: false })

export type Settings = Static<typeof Settings>
