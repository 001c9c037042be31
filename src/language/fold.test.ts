/** One spelling for what people take for the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from './fold.ts'

test.each([
  ['ＵＳＢ－Ｃ　充電', 'usb-c 充电'], ['不沾锅，账篷；', '不粘锅,帐篷;'], ['Café', 'cafe'],
  ['①×２ ½L', '1×2 1⁄2l'], ['ガ', 'ガ'], ['ｶﾞ', 'ガ'], ['臺灣“高粱”', '台湾“高粱”'], ['', ''],
])('%s is folded to %s', (text, folded) => expect(fold(text)).toBe(folded))

/** A long text is folded as a whole, a short one by its characters. */
const asLong = (text: string): string => {
  const rest = `的${'x'.repeat(5000)}`
  return fold(text + rest).slice(0, -rest.length)
}

test('a text is folded in one way, whatever way is faster', () => {
  const pools = [[0, 0x180], [0x300, 0x370], [0x2000, 0x2100], [0x3000, 0x3100], [0x4e00, 0x9fff],
    [0xff00, 0xffef]] as const
  const character = fc.oneof(...pools.map(([min, max]) =>
    fc.integer({ min, max }).map((code) => String.fromCharCode(code))))
  fc.assert(fc.property(fc.array(character, { maxLength: 12 }).map((all) => all.join('')),
    (text) => { expect(fold(text)).toBe(asLong(text)) }), { numRuns: 3000 })
})
