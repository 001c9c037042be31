import { expect, test } from 'vitest'
import { isJson } from './http.ts'

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
