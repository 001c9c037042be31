/** Mall B's gateway: its settings, requests, signature, answers, and what its errors mean. */
import { type Static, Type } from 'typebox'
import { type FailureKind, kindsByCode, SourceError } from '../contract.ts'
import type { OutboundRequest } from '../attempt.ts'
import { md5Wrapped, type SignedParams } from '../signing.ts'
import { chinaTime } from '../time.ts'
import { Code, fits, maybe, parseWireJson, record } from '../wire.ts'

export const NAME = 'mall_b'
export const BUSINESS = '360buy_param_json'

export const METHODS = {
  goods: 'jd.union.open.goods.query',
  convertCommon: 'jd.union.open.promotion.common.get',
  convertSubUnion: 'jd.union.open.promotion.bysubunionid.get',
  orders: 'jd.union.open.order.row.query',
} as const
export type Method = (typeof METHODS)[keyof typeof METHODS]

export interface Credentials {
  readonly appKey: string
  readonly appSecret: string
}

/** The signature covers the business parameters as the text that is sent. */
export const sign = (secret: string, params: SignedParams): string => md5Wrapped(secret, params)

export function request(
  { appKey, appSecret }: Credentials, method: Method, business: object, now: number,
): OutboundRequest {
  const params: SignedParams = {
    method,
    app_key: appKey,
    timestamp: chinaTime(now),
    v: '1.0',
    format: 'json',
    sign_method: 'md5',
    [BUSINESS]: JSON.stringify(business),
  }
  return {
    method: 'POST',
    path: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
    body: new URLSearchParams({ ...params, sign: sign(appSecret, params) }).toString(),
  }
}

const ResultBody = Type.Object({
  code: Code,
  data: maybe(Type.Unknown()),
  totalCount: maybe(Type.Number()),
  hasMore: maybe(Type.Boolean()),
})
export type ResultBody = Static<typeof ResultBody>

const isResult = fits(ResultBody)

const EMPTY_CODES = new Set([201, 202])

/**
 * The result, which is JSON text inside the answer: under `<method>_responce` (so spelt),
 * or `_response` of the older gateway, in `<verb>Result`, or as an object.
 */
export function read(method: Method, text: string): ResultBody {
  const outer = record(parseWireJson(text))
  const refusal = record(outer?.['error_response'])
  if (refusal) throw gatewayError(refusal['code'])
  const root = method.replaceAll('.', '_')
  const envelope = record(outer?.[`${root}_responce`] ?? outer?.[`${root}_response`])
  if (!envelope) throw new SourceError(NAME, 'bad_answer')
  if (envelope['code'] !== undefined && Number(envelope['code']) !== 0) {
    throw gatewayError(envelope['code'])
  }
  const held = envelope[`${root.slice(root.lastIndexOf('_') + 1)}Result`] ?? envelope['result']
  const result = typeof held === 'string' ? parseWireJson(held) : held
  if (!isResult(result)) throw new SourceError(NAME, 'bad_answer')
  const code = Number(result.code)
  if (code === 200) return result
  if (EMPTY_CODES.has(code)) return { ...result, data: [] }
  throw new SourceError(NAME, businessKind(code), { code })
}

const GATEWAY = kindsByCode({
  rate_limited: [2],
  clock: [7, 8],
  auth: [11, 12, 18, 19, 20, 21, 89, 92],
  permission: [24, 28, 80, 88],
  retryable: [43, 65, 66, 67],
  invalid_arg: [4, 5, 14, 15, 62, 63],
})

function gatewayError(code: unknown): SourceError {
  const known = typeof code === 'string' || typeof code === 'number'
  return new SourceError(NAME, (known && GATEWAY.get(Number(code))) || 'bad_answer',
    known ? { code } : {})
}

const BUSINESS_KINDS = kindsByCode({
  rate_limited: [429],
  invalid_arg: [401, 411, 2002400, 2002452, 2002453],
  permission: [403, 408, 2001403, 2002401, 2002403, 2002410],
  retryable: [
    500, 2001504, 2001609, 2001904, 2001910, 2001912, 2002408, 2002500,
  ],
  not_found: [2001101, 2001102, 2001104],
})

/** The coupon has ended or is not valid: the conversion is worth repeating without it. */
export const COUPON_CODES: ReadonlySet<string> = new Set(
  ['2001905', '2001906', '2001909', '2001914', '2001917'])

/** More rows than the gateway pages through: the window has to be shorter. */
export const WINDOW_FULL_CODE = '2002452'

const businessKind = (code: number): FailureKind => BUSINESS_KINDS.get(code)
  ?? (Math.floor(code / 1000) === 2001 ? 'invalid_arg' : 'bad_answer')

/** What an operator configures for mall B. */
export const Settings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://' }),
  appKey: Type.String({ minLength: 1 }),
  appSecret: Type.String({ minLength: 1 }),
  siteId: Type.String({ minLength: 1 }),
  /** The neutral promotion position. */
  positionId: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Links on these hosts, and hosts below them, belong to the mall. */
  hosts: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { minItems: 1 }),
  /** 1: the union's item ids; 2: the main site's, for which the mall grants a permission. */
  sceneId: Type.Unsafe<1 | 2>({ enum: [1, 2], default: 1 }),
  /** Which conversion was granted; the common one echoes sub-ids for listed accounts only. */
  conversion: Type.Unsafe<'sub_union' | 'common'>({ enum: ['sub_union', 'common'] }),
  /** Links to items of scene 2, with {id}. */
  itemUrl: Type.Optional(Type.String({ pattern: '\\{id\\}' })),
  orderPageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
}, { additionalProperties: false })

export type Settings = Static<typeof Settings>
