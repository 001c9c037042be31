import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInsideWord, phrases } from './phrases.ts'

const text = fc.string({ unit: fc.constantFrom('净', '水', '壶', 'a', 'b', '1', ' '), maxLength: 12 })
const list = fc.array(text.filter((one) => one !== ''), { maxLength: 30 })

/** Every place, the longest first. */
function foundPlainly(all: readonly string[], said: string): string[] {
  const found: string[] = []
  for (let start = 0; start < said.length;) {
    const [longest = ''] = all.filter((one) => said.startsWith(one, start)
      && !isInsideWord(said, start) && !isInsideWord(said, start + one.length))
      .toSorted((one, other) => other.length - one.length)
    if (longest !== '') found.push(longest)
    start += Math.max(1, longest.length)
  }
  return found
}

test('the longest phrase is found at each place, and no other', () => {
  fc.assert(fc.property(list, text, (all, said) => {
    expect(phrases(all).find(said).map(({ phrase }) => phrase)).toEqual(foundPlainly(all, said))
  }))
})

test('a phrase has its place in the list, and all that stand in a text are told', () => {
  fc.assert(fc.property(list, text, (all, said) => {
    const once = [...new Set(all)]
    const read = phrases(all)
    expect(once.map((one) => read.placeOf(one))).toEqual(once.map((_, at) => at))
    expect(read.has(said)).toBe(once.includes(said))
    expect([...read.within(said)].toSorted())
      .toEqual(once.filter((one) => said.includes(one)).toSorted())
  }))
})
