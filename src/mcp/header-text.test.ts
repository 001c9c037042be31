import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { headerText } from './header-text.ts'

const encoded = (text: string): string =>
  `=?base64?${Buffer.from(text).toString('base64')}?=`

/** As the revision asks of a client: encoded unless a header can hold the text as it is. */
const asClient = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text : encoded(text)

it('whatever text a client sends comes back as it was', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => {
    expect(headerText(asClient(text))).toBe(text)
    expect(headerText(` \t${asClient(text)}\t `)).toBe(text)
  }))
})

it.each([
  ['plain', 'us-west1', 'us-west1'], ['Chinese', '=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
  ['padded', '=?base64?IHBhZGRlZCA=?=', ' padded '], ['a line end', '=?base64?YQpi?=', 'a\nb'],
  ['a sentinel', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
  ['nothing', '=?base64??=', ''], ['a byte order mark', encoded('\ufeffa'), '\ufeffa'],
  ['a marker in capitals, which is none', '=?BASE64?YQ==?=', '=?BASE64?YQ==?='],
])('%s is read', (_, value, text) => {
  expect(headerText(value)).toBe(text)
})

it.each([
  ['no header', undefined], ['raw UTF-8', '手机'], ['a control character', 'a\u0001b'],
  ['no Base64', '=?base64?***?='], ['no padding', '=?base64?YQ?='],
  ['spaces within', '=?base64?YQ ==?='], ['another alphabet', '=?base64?_-_-?='],
  ['bits that say nothing', '=?base64?YR==?='], ['broken UTF-8', '=?base64?/w==?='],
])('%s is no text', (_, value) => {
  expect(headerText(value)).toBeUndefined()
})
