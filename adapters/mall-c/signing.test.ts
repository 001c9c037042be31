/** Mall C's wire: what it is asked, byte for byte, and every way in which it answers. */
import { expect, test } from 'vitest'
import { SourceError } from '../contract.ts'
import vectors from '../vectors.json' with { type: 'json' }
import { customOf, read, request, ROOTS, sign, TYPES, type CallType } from './signing.ts'

interface Vector {
  readonly id: string
  readonly secret: string
  readonly params: Readonly<Record<string, string>>
  readonly sign: string
}
const ours = (vectors as unknown as readonly Vector[]).filter(({ id }) => /^(c-|pub-c)/.test(id))
const FROZEN = Date.parse('2026-01-02T03:04:05.678Z')

test('every vector has its signature', () => {
  expect(ours.map(({ id }) => id)).toEqual(['c-search', 'c-convert', 'c-orders', 'pub-c'])
  for (const { id, secret, params, sign: signed } of ours) {
    expect(sign(secret, params), id).toBe(signed)
  }
})

const BUSINESS: Readonly<Record<string, object>> = {
  'c-search': {
    keyword: '蓝牙耳机', page: 1, page_size: 20, sort_type: 0, with_coupon: false,
    pid: '1000001_2000001', range_list: [{ range_id: 1, range_from: 1000, range_to: 20_000 }],
    list_id: undefined,
  },
  'c-convert': {
    p_id: '1000001_2000001', goods_sign_list: ['c9r2sandboxSign0001'],
    custom_parameters: customOf('ag_7f3k9q'), generate_short_url: true,
  },
  'c-orders': {
    start_update_time: 1_767_319_200, end_update_time: 1_767_322_800, page: 1, page_size: 50,
    return_count: false,
  },
}

test.each(ours.filter(({ id }) => id.startsWith('c-')))(
  'the request of $id is the vector\'s, with its signature',
  ({ id, secret, params, sign: signed }) => {
    const made = request({ clientId: params['client_id'] ?? '', clientSecret: secret },
      params['type'] as CallType, BUSINESS[id] ?? {}, FROZEN)
    expect(Object.fromEntries(new URLSearchParams(made.body))).toEqual({ ...params, sign: signed })
    expect(made).toMatchObject({ method: 'POST', path: '' })
  })

test('whom to credit takes no more than the mall\'s 64 bytes', () => {
  expect(Buffer.byteLength(customOf('a'.repeat(24)))).toBeLessThanOrEqual(64)
})

const failureOf = (text: string) => {
  try {
    read(TYPES.search, text)
    return null
  } catch (error) {
    return error instanceof SourceError ? error : null
  }
}
const refused = (error: object) => failureOf(JSON.stringify({ error_response: error }))

test.each([
  ['search', 'goods_search_response'], ['detail', 'goods_detail_response'],
  ['convert', 'goods_promotion_url_generate_response'],
  ['register', 'rp_promotion_url_generate_response'], ['orders', 'order_list_get_response'],
] as const)('the answer to %s lies under a key of its own, %s', (name, root) => {
  const type = TYPES[name]
  expect(read(type, JSON.stringify({ [root]: { a: 1 } }))).toEqual({ a: 1 })
  expect(ROOTS[type]).toBe(root)
})

test('ids beyond 2^53 keep their digits', () => {
  expect(read(TYPES.orders, '{"order_list_get_response":{"a":[12345678901234567890]}}'))
    .toEqual({ a: ['12345678901234567890'] })
})

test.each([
  [10000, 'invalid_arg'], [10001, 'clock'], [10016, 'auth'], [10017, 'invalid_arg'],
  [10018, 'auth'], [10019, 'auth'], [20004, 'auth'], [20005, 'permission'],
  [20031, 'permission'], [20032, 'auth'], [20034, 'permission'], [20035, 'permission'],
  [21001, 'invalid_arg'], [21002, 'invalid_arg'], [30000, 'permission'], [30001, 'permission'],
  [50000, 'retryable'], [50001, 'invalid_arg'], [50002, 'retryable'], [52001, 'retryable'],
  [52002, 'retryable'], [52004, 'invalid_arg'], [52101, 'rate_limited'], [52102, 'retryable'],
  [52103, 'retryable'], [70031, 'rate_limited'], [70032, 'forbidden'], [70033, 'retryable'],
  [70034, 'forbidden'], [70035, 'forbidden'], [70036, 'quota'], [77777, 'bad_answer'],
])('code %i is %s, as a number or as text', (code, kind) => {
  const error = { error_msg: '见文档', sub_msg: '', sub_code: null, request_id: '1' }
  expect(refused({ ...error, error_code: code })).toMatchObject({ kind, code: String(code) })
  expect(refused({ ...error, error_code: String(code) })).toMatchObject({ kind })
})

test.each(['60001', 60001])('50001 with %j below it asks for a registration', (sub) => {
  expect(refused({
    error_msg: '业务服务错误', sub_msg: '未传入已经授权备案过的相关参数(pid/custom_parameters)',
    sub_code: sub, error_code: 50001,
  })).toMatchObject({ kind: 'registration', code: '50001:60001' })
  expect(refused({ error_code: 50001, sub_code: '50001' })).toMatchObject({ kind: 'invalid_arg' })
  expect(refused({ error_code: 70031, sub_code: '60001' })).toMatchObject({ kind: 'rate_limited' })
})

test.each([
  ['调用过于频繁，请7秒后再试', 7000], ['try again in 30 seconds', 30_000],
  ['请 999999 秒后再试', 86_400_000], ['调用过于频繁', undefined], ['0秒', undefined],
  ['limit 500 searches', undefined], [null, undefined],
])('who is throttled with "%s" waits %j', (sub_msg, retryAfterMs) => {
  const error = refused({ error_code: 52101, error_msg: '', sub_msg, sub_code: null })
  expect(error?.retryAfterMs).toBe(retryAfterMs)
  expect(error?.message).not.toContain('频繁')
})

test.each([
  ['the answer to another question', '{"order_list_get_response":{"order_list":[]}}'],
  ['a list', '[]'], ['null', 'null'], ['a body that is text', '{"goods_search_response":"{}"}'],
  ['a count that is text', '{"goods_search_response":{"goods_list":[],"total_count":"1"}}'],
  ['an error without a code', '{"error_response":{"error_msg":"错误"}}'],
  ['an error with an object for a code', '{"error_response":{"error_code":{}}}'],
])('%s is a bad answer', (_, text) => {
  expect(failureOf(text)).toMatchObject({ kind: 'bad_answer' })
})
