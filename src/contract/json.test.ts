import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonText } from './json.ts'

it.each([
  ['compact JSON', undefined], ['JSON with line breaks and tabs', '\t'],
])('%s as a JSON string is that text again, whatever it holds', (_, indent) => {
  fc.assert(fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
    const json = JSON.stringify(value, null, indent)
    expect(JSON.parse(new JsonText(json).asString.toString())).toBe(json)
  }))
})

it('JSON that is answered again and again is escaped once', () => {
  const page = new JsonText('{"title":"手机"}')
  expect(page.asString).toBe(page.asString)
})
