import { expect, test } from 'vitest'
import { isJson, requireJson } from './http.ts'

test.each([
  'application/json', 'Application/JSON', 'application/json; charset=utf-8',
  'application/json;charset=UTF-8', 'application/json ; charset="utf-8" ',
])('%s is JSON', (type) => {
  expect(isJson(type)).toBe(true)
})

test.each([
  undefined, '', 'text/plain', 'application/jsonp', 'text/json', 'application/problem+json',
  'application/json; charset=gbk', 'application/json; charset=utf-16', 'application/json;',
  'application/json, application/json', 'application/json; boundary=x', ' application/json',
  'application/json; charset=utf-8; charset=gbk',
])('%j is not', (type) => {
  expect(isJson(type)).toBe(false)
})

test('a body in a coding is refused by the name of its header', () => {
  const request = (coding?: string) => ({ header: (name: string) =>
    name === 'content-encoding' ? coding : 'application/json' })
  expect(() => requireJson(request('gzip'))).toThrow(expect.objectContaining({
    error: 'unsupported_media_type',
    detail: { hint: 'Send the body as it is, without the header Content-Encoding.' },
  }))
  for (const plain of [undefined, 'identity']) requireJson(request(plain))
})
