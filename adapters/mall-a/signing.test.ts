/** Mall A's wire: what it is asked, byte for byte, and every way in which it answers. */
import { expect, test } from 'vitest'
import { SourceError } from '../contract.ts'
import vectors from '../vectors.json' with { type: 'json' }
import { METHODS, read, request, sign, type Credentials, type Method } from './signing.ts'

interface Vector {
  readonly id: string
  readonly secret: string
  readonly params: Readonly<Record<string, string>>
  readonly sign: string
}
const ours = (vectors as unknown as readonly Vector[]).filter(({ id }) => /^(a-|pub-a)/.test(id))
const FROZEN = Date.parse('2026-01-01T19:04:05Z')
const COMMON = ['method', 'app_key', 'timestamp', 'format', 'v', 'sign_method']

test('every vector has its signature', () => {
  expect(ours.map(({ id }) => id)).toEqual([
    'a-search-md5', 'a-search-hmac', 'a-search-hmac-sha256', 'a-shop-md5', 'a-tpwd-md5',
    'a-orders-md5', 'pub-a',
  ])
  for (const { id, secret, params, sign: signed } of ours) {
    expect(sign(secret, params), id).toBe(signed)
  }
})

const asked = ({ body = '' }: { body?: string }) => Object.fromEntries(new URLSearchParams(body))
const credentials = { appKey: '10000001', appSecret: 'sandbox-secret-a' }

test.each(ours.filter(({ id }) => id.startsWith('a-')))(
  'the request of $id is the vector\'s, with its signature', ({ secret, params, sign: signed }) => {
    const business = Object.fromEntries(
      Object.entries(params).filter(([name]) => !COMMON.includes(name)))
    const made = request({
      appKey: params['app_key'] ?? '', appSecret: secret,
      signMethod: params['sign_method'] as NonNullable<Credentials['signMethod']>,
    }, params['method'] as Method, business, FROZEN)
    expect(asked(made)).toEqual({ ...params, sign: signed })
  })

test('what is empty or not given is neither sent nor signed; simplify is both', () => {
  const bare = asked(request(credentials, METHODS.shops, { q: '耳机' }, FROZEN))
  const padded = asked(request({ ...credentials, answers: 'wrapped' }, METHODS.shops,
    { q: '耳机', sort: '', is_tmall: undefined }, FROZEN))
  expect(padded).toEqual(bare)
  const simple = asked(request({ ...credentials, answers: 'simplified' }, METHODS.shops,
    { q: '耳机' }, FROZEN))
  expect(simple['simplify']).toBe('true')
  expect(simple['sign']).not.toBe(bare['sign'])
})

const ROWS = { total_results: 1, result_list: { map_data: [{ a: 1 }] } }
const answer = (body: unknown, root = 'tbk_dg_material_optional_upgrade_response') =>
  JSON.stringify({ [root]: body })

test('an answer is read with its root, and without one when it was simplified', () => {
  expect(read(METHODS.search, answer(ROWS))).toEqual(ROWS)
  const plain = { total_results: 1, result_list: [{ a: 1 }], request_id: 'x' }
  expect(read(METHODS.search, JSON.stringify(plain))).toEqual(plain)
})

test('the two generations have roots of their own', () => {
  const old = answer(ROWS, 'tbk_dg_material_optional_response')
  expect(read(METHODS.searchLegacy, old)).toEqual(ROWS)
  expect(failureOf(old)).toMatchObject({ kind: 'bad_answer' })
})

test('ids beyond 2^53 keep their digits', () => {
  const text = answer('').replace('""', '{"data":{"user_id":9100000000000000001}}')
  expect(read(METHODS.search, text).data).toEqual({ user_id: '9100000000000000001' })
})

const failureOf = (text: string) => {
  try {
    read(METHODS.search, text)
    return null
  } catch (error) {
    return error instanceof SourceError
      ? { kind: error.kind, code: error.code, retryAfterMs: error.retryAfterMs } : error
  }
}
const refused = (code: unknown, sub_code?: string, sub_msg?: string) =>
  JSON.stringify({ error_response: { code, msg: 'no', sub_code, sub_msg, request_id: 'x' } })

test.each([
  [1, 'auth'], [3, 'invalid_arg'], [4, 'rate_limited'], [5, 'rate_limited'],
  [6, 'rate_limited'], [7, 'rate_limited'], [9, 'invalid_arg'], [10, 'retryable'],
  [11, 'permission'], [12, 'permission'], [13, 'permission'], [15, 'retryable'],
  [21, 'invalid_arg'], [22, 'invalid_arg'], [23, 'invalid_arg'], [24, 'auth'], [25, 'auth'],
  [26, 'auth'], [27, 'auth'], [28, 'auth'], [29, 'auth'], [30, 'clock'], [31, 'clock'],
  [32, 'invalid_arg'], [33, 'invalid_arg'], [34, 'invalid_arg'], [40, 'invalid_arg'],
  [41, 'invalid_arg'], [42, 'forbidden'], [43, 'invalid_arg'], [50, 'retryable'],
  [9999, 'bad_answer'],
])('code %i is %s, as a number or as text', (code, kind) => {
  expect(failureOf(refused(code))).toMatchObject({ kind, code: String(code) })
  expect(failureOf(refused(String(code)))).toMatchObject({ kind })
})

test.each([
  [7, 'accesscontrol.limited-by-app-access-count', 'quota'],
  [7, 'accesscontrol.limited-by-api-access-count', 'rate_limited'],
  [7, 'accesscontrol.limited-by-app-api-access-count', 'rate_limited'],
  [7, 'accesscontrol.limited-by-dynamic-access-count', 'rate_limited'],
  [11, 'isv.permission-api-package-limit', 'permission'],
  [11, 'isv.permission-ip-whitelist-limit', 'permission'],
  [29, 'isv.appkey-not-exists', 'auth'],
  [40, 'isv.missing-parameter:q', 'invalid_arg'],
  [41, 'isv.invalid-parameter:page_size', 'invalid_arg'],
  [15, 'isv.invalid-parameter', 'invalid_arg'],
  [15, 'isv.item-not-exist', 'not_found'],
  [15, 'isv.permission-api-package-limit', 'permission'],
  [15, 'isp.top-remote-connection-timeout', 'retryable'],
  [15, 'isp.top-remote-service-unavailable', 'retryable'],
  [15, 'isp.remote-connection-error', 'retryable'],
  [15, 'isp.top-remote-unknown-error', 'retryable'],
  [15, 'isp.system-busy', 'retryable'],
  [15, '4711', 'bad_answer'],
])('code %i with %s is %s, and says both', (code, sub, kind) => {
  expect(failureOf(refused(code, sub))).toMatchObject({ kind, code: `${code}:${sub}` })
})

test('a ban tells its seconds, within a day', () => {
  const banned = (seconds: number) => failureOf(refused(7,
    'accesscontrol.limited-by-api-access-count', `This ban will last for ${seconds} more seconds`))
  expect(banned(1)).toMatchObject({ retryAfterMs: 1000 })
  expect(banned(999_999_999)).toMatchObject({ retryAfterMs: 86_400_000 })
  expect(failureOf(refused(7))).toMatchObject({ retryAfterMs: undefined })
})

test('the error that means "nothing found" is an empty answer', () => {
  expect(read(METHODS.search, refused(15, '50001'))).toEqual({ total_results: 0 })
})

test.each([
  ['another method', answer(ROWS, 'tbk_shop_get_response')], ['a list', '[]'], ['null', 'null'],
  ['a root without an object', answer(7)], ['a count that is text', answer({ total_results: '1' })],
  ['an error without a code', '{"error_response":{}}'],
])('%s is a bad answer', (_, text) => {
  expect(failureOf(text)).toMatchObject({ kind: 'bad_answer' })
})
