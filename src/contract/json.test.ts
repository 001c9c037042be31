import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonText, parseJson } from './json.ts'

const asIs = (json: Buffer): string => json.toString()

it.each([
  ['compact JSON', undefined], ['JSON with line breaks and tabs', '\t'],
])('%s as a JSON string is that text again, whatever it holds', (_, indent) => {
  fc.assert(fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
    const json = JSON.stringify(value, null, indent)
    expect(JSON.parse(new JsonText(json).twin(asIs).toString())).toBe(json)
  }))
})

it('the twin of what is answered again and again is written once', () => {
  const page = new JsonText('{"title":"手机"}')
  expect(page.twin(asIs)).toBe(page.twin(asIs))
})

it('what is overwritten is so wherever it stands, and in the twin as well', () => {
  const page = new JsonText('{"items":[{"title":"手机 at 01","at":"01"},{"at":"01"}]}')
  page.twin(asIs)
  page.overwrite('"at":"01"', '"at":"02"')
  const expected = '{"items":[{"title":"手机 at 01","at":"02"},{"at":"02"}]}'
  expect(page.bytes.toString()).toBe(expected)
  expect(JSON.parse(page.twin(asIs).toString())).toBe(expected)
  expect(() => page.overwrite('1', '12')).toThrow(RangeError)
})

it('refuses broken UTF-8 instead of reading question marks', () => {
  expect(parseJson(Buffer.from('"é"'))).toBe('é')
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/not UTF-8/)
})
