/** Mall B's wire: what it is asked, byte for byte, and every way in which it answers. */
import { expect, test } from 'vitest'
import { SourceError } from '../contract.ts'
import vectors from '../vectors.json' with { type: 'json' }
import { BUSINESS, METHODS, read, request, sign, type Method } from './signing.ts'

interface Vector {
  readonly id: string
  readonly secret: string
  readonly params: Readonly<Record<string, string>>
  readonly sign: string
}
const ours = (vectors as unknown as readonly Vector[]).filter(({ id }) => /^(b-|pub-b)/.test(id))
const FROZEN = Date.parse('2026-01-01T19:04:05Z')

test('every vector has its signature', () => {
  expect(ours.map(({ id }) => id)).toEqual(['b-search', 'b-convert', 'b-orders', 'pub-b'])
  for (const { id, secret, params, sign: signed } of ours) {
    expect(sign(secret, params), id).toBe(signed)
  }
})

test.each(ours.filter(({ id }) => id.startsWith('b-')))(
  'the request of $id is the vector\'s, with its signature', ({ secret, params, sign: signed }) => {
    const made = request({ appKey: params['app_key'] ?? '', appSecret: secret },
      params['method'] as Method, JSON.parse(params[BUSINESS] ?? '') as object, FROZEN)
    expect(Object.fromEntries(new URLSearchParams(made.body))).toEqual({ ...params, sign: signed })
  })

const answer = (result: unknown, root = 'jd_union_open_goods_query_responce') =>
  JSON.stringify({ [root]: { code: '0', queryResult: result } })
const failureOf = (text: string) => {
  try {
    read(METHODS.goods, text)
    return null
  } catch (error) {
    return error instanceof SourceError ? { kind: error.kind, code: error.code } : error
  }
}

const OK = { code: 200, message: 'success', data: [{ a: 1 }], totalCount: 1 }

test.each([
  ['text within the misspelt root', answer(JSON.stringify(OK))],
  ['text within the well spelt root',
    answer(JSON.stringify(OK), 'jd_union_open_goods_query_response')],
  ['an object instead of a text', answer(OK)],
  ['the older gateway\'s name for the result', JSON.stringify({
    jd_union_open_goods_query_response: { result: JSON.stringify(OK) },
  })],
])('a result is read from %s', (_, text) => {
  expect(read(METHODS.goods, text)).toEqual(OK)
})

test('codes are numbers or texts', () => {
  expect(read(METHODS.goods, answer(JSON.stringify({ ...OK, code: '200' }))).data).toEqual(OK.data)
  expect(failureOf(answer(JSON.stringify({ code: '429' })))).toEqual({
    kind: 'rate_limited', code: '429',
  })
  expect(failureOf('{"error_response":{"code":12}}')).toEqual({ kind: 'auth', code: '12' })
})

test('ids beyond 2^53 keep their digits through both layers', () => {
  const inner = '{"code":200,"data":[{"skuId":12345678901234567890}]}'
  expect(read(METHODS.goods, answer(inner)).data).toEqual([{ skuId: '12345678901234567890' }])
})

test.each([201, 202])('%i is an empty page and no failure', (code) => {
  expect(read(METHODS.goods, answer(JSON.stringify({ code }))).data).toEqual([])
})

test.each([
  ['2', 'rate_limited'], ['7', 'clock'], ['8', 'clock'], ['11', 'auth'], ['12', 'auth'],
  ['21', 'auth'], ['89', 'auth'], ['24', 'permission'], ['80', 'permission'],
  ['43', 'retryable'], ['65', 'retryable'], ['67', 'retryable'], ['15', 'invalid_arg'],
  ['9999', 'bad_answer'],
])('gateway code %s is %s', (code, kind) => {
  const text = JSON.stringify({ error_response: { code, zh_desc: '错误', en_desc: 'error' } })
  expect(failureOf(text)).toEqual({ kind, code })
})

test.each([
  [401, 'invalid_arg'], [403, 'permission'], [408, 'permission'], [429, 'rate_limited'],
  [500, 'retryable'], [2001102, 'not_found'], [2001104, 'not_found'], [2001107, 'invalid_arg'],
  [2001208, 'invalid_arg'], [2001403, 'permission'], [2001504, 'retryable'],
  [2001906, 'invalid_arg'], [2001925, 'invalid_arg'], [2002403, 'permission'],
  [2002408, 'retryable'], [2002453, 'invalid_arg'], [2002500, 'retryable'], [777, 'bad_answer'],
])('business code %i is %s', (code, kind) => {
  expect(failureOf(answer(JSON.stringify({ code, message: '见文档' }))))
    .toEqual({ kind, code: String(code) })
})

test.each([
  ['another method', answer(OK, 'jd_union_open_order_row_query_responce')], ['a list', '[]'],
  ['null', 'null'], ['a result without a code', answer('{"data":[]}')],
  ['a result that is a number', answer(7)], ['no result', answer(undefined)],
])('%s is a bad answer', (_, text) => {
  expect(failureOf(text)).toMatchObject({ kind: 'bad_answer' })
})
