/** The food platform's wire: what it is asked, byte for byte, and every way in which it answers. */
import { expect, test } from 'vitest'
import { SourceError } from '../contract.ts'
import vectors from '../vectors.json' with { type: 'json' }
import {
  contentMd5, OPERATIONS, PATH, read, request, sign, signedText, type Operation,
} from './signing.ts'

interface Vector {
  readonly id: string
  readonly kind: string
  readonly secret: string
  readonly method: string
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  readonly content_md5: string
  readonly string_to_sign: string
  readonly sign: string
}
const ours = (vectors as unknown as readonly Vector[])
  .filter(({ kind }) => kind === 's_ca_hmac_sha256')
const FROZEN = Date.parse('2026-01-02T03:04:05Z')

test('every vector has its text, its digest and its signature', () => {
  expect(ours.map(({ id }) => id)).toEqual(['food-link-post', 'food-orders-post', 'pub-food'])
  for (const vector of ours) {
    expect(signedText(vector), vector.id).toBe(vector.string_to_sign)
    expect(sign(vector.secret, vector), vector.id).toBe(vector.sign)
    expect(vector.body === null ? '' : contentMd5(vector.body)).toBe(vector.content_md5)
  }
})

test.each(ours.filter(({ id }) => id.startsWith('food-')))(
  'the request of $id is the vector\'s, with its signature',
  ({ secret, headers, body, url, content_md5, sign: signed }) => {
    const appKey = headers['S-Ca-App'] ?? ''
    const made = request({ appKey, appSecret: secret }, url.slice(PATH.length) as Operation,
      JSON.parse(body ?? '') as object, FROZEN)
    expect(made).toEqual({
      method: 'POST', path: url, body,
      headers: {
        ...headers, 'content-type': 'application/json', 'Content-MD5': content_md5,
        'S-Ca-Signature-Headers': 'S-Ca-App,S-Ca-Timestamp', 'S-Ca-Signature': signed,
      },
    })
  })

test('the digest is that of the bytes, and changes the signature', () => {
  const make = (text: string) =>
    request({ appKey: 'a', appSecret: 'b' }, OPERATIONS.coupons, { searchText: text }, FROZEN)
  expect(make('奶茶').headers['Content-MD5']).toBe(contentMd5('{"searchText":"奶茶"}'))
  expect(make('奶茶').headers['S-Ca-Signature']).not.toBe(make('咖啡').headers['S-Ca-Signature'])
})

const failureOf = (text: string) => {
  try {
    read(text)
    return null
  } catch (error) {
    return error instanceof SourceError ? { kind: error.kind, code: error.code } : error
  }
}

test.each([
  [-1, 'retryable'], [1, 'invalid_arg'], [2, 'retryable'], [400, 'auth'], [401, 'invalid_arg'],
  [402, 'rate_limited'], [403, 'quota'], [999, 'retryable'], [777, 'bad_answer'],
])('code %i is %s, as a number, as text, and where it is called status', (code, kind) => {
  const said = { kind, code: String(code) }
  expect(failureOf(JSON.stringify({ code, message: '见文档', data: null }))).toEqual(said)
  expect(failureOf(JSON.stringify({ code: String(code) }))).toEqual(said)
  expect(failureOf(JSON.stringify({ status: code }))).toEqual(said)
})

test('0 is success under both names', () => {
  for (const text of ['{"code":0,"data":"x"}', '{"code":"0","data":"x"}', '{"status":0,"data":"x"}',
    '{"code":null,"status":0,"data":"x"}']) expect(read(text).data).toBe('x')
})

test('ids beyond 2^53 keep their digits', () => {
  expect(read('{"code":0,"data":[{"orderId":12345678901234567890}]}').data)
    .toEqual([{ orderId: '12345678901234567890' }])
})

test.each([
  ['no code', '{"data":[]}'], ['an empty code', '{"code":"","data":[]}'], ['a list', '[]'],
  ['null', 'null'], ['a code that is an object', '{"code":{}}'],
])('%s is a bad answer', (_, text) => {
  expect(failureOf(text)).toMatchObject({ kind: 'bad_answer' })
})
