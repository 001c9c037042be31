import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeJson } from './escape.ts'

const back = (json: string): unknown => JSON.parse(`"${escapeJson(Buffer.from(json)).toString()}"`)

it.each([
  ['compact JSON', undefined], ['JSON with line breaks and tabs', '\t'],
])('%s inside a JSON string is that text again, whatever it holds', (_, indent) => {
  fc.assert(fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
    const json = JSON.stringify(value, null, indent)
    expect(back(json)).toBe(json)
  }))
})

it('text longer than the kept buffer is whole', () => {
  const json = JSON.stringify({ text: '\\"手机'.repeat(100_000) })
  expect(back(json)).toBe(json)
})

it('an earlier answer is not overwritten by the next', () => {
  const first = escapeJson(Buffer.from('["first"]'))
  escapeJson(Buffer.from('["other"]'))
  expect(first.toString()).toBe('[\\"first\\"]')
})
