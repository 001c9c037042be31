import { expect, test } from 'vitest'
import { fc, test as property } from '@fast-check/vitest'
import { parseWireJson } from './wire.ts'

test('whole numbers beyond 2^53 keep every digit', () => {
  expect(parseWireJson('{"a":12345678901234567890,"b":[-9007199254740993,1],"c":15}'))
    .toEqual({ a: '12345678901234567890', b: ['-9007199254740993', 1], c: 15 })
})

test('digits in texts, fractions and exponents stay what they are', () => {
  const text = '{"a":"say \\"12345678901234567890\\" \\\\","b":0.12345678901234567,'
    + '"c":1.5e3,"1234567890123456789":1234567890123456.5,"d":"\\\\"}'
  expect(parseWireJson(text)).toEqual(JSON.parse(text))
})

test('a text within a text, as one mall sends it, is read twice', () => {
  const inner = JSON.stringify({ id: 'x', text: '"quoted"\\' })
    .replace('"x"', '98765432109876543210')
  const outer = parseWireJson(JSON.stringify({ r: inner })) as { r: string }
  expect(parseWireJson(outer.r)).toEqual({ id: '98765432109876543210', text: '"quoted"\\' })
})

test('what is no JSON throws', () => {
  for (const text of ['', '{', '"12345678901234567', '{"a":1234567890123456789']) {
    expect(() => parseWireJson(text)).toThrow(SyntaxError)
  }
})

property.prop([fc.json()])('short of long numbers it is JSON.parse', (text) => {
  fc.pre(!/\d{16}/.test(text))
  expect(parseWireJson(text)).toEqual(JSON.parse(text))
})
