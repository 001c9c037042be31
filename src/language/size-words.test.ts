import { expect, test } from 'vitest'
import { stateOf } from './constraints.ts'
import { readFacts } from './facts.ts'
import { profileOf } from './profile.ts'
import { understand } from './understand.ts'

/** Of the sizes that goods of the kind state, those that the sentence asks for. */
function sizesAsked(sentence: string, unit: string): { asked: number[], all: number[] } {
  const { must, kinds } = understand(sentence)
  const measure = must.find((wish) => wish.measure?.unit === unit)?.measure
  const all = profileOf(kinds[0]?.value ?? '').attributes
    .find(({ values }) => values.some((value) => value.unit === unit))?.values
    .map(({ low }) => low) ?? []
  const { low = null, high = null } = measure ?? { low: Infinity }
  return { all, asked: all.filter((size) => size >= (low ?? 0) && size <= (high ?? Infinity)) }
}

test.each([
  ['小电饭煲', 'ml'], ['电饭煲 要小的', 'ml'], ['small rice cooker', 'ml'], ['电饭煲小一点的', 'ml'],
])('%s asks for the smallest of them', (sentence, unit) => {
  const { asked, all } = sizesAsked(sentence, unit)
  expect(asked).toContain(Math.min(...all))
  expect(asked.length).toBeLessThanOrEqual(all.length / 2)
})

test.each([
  ['电饭煲，别太大', 'ml'], ['rice cooker, nothing too big', 'ml'], ['高跟鞋别太高', 'mm'],
  ['rice cooker for two people', 'ml'], ['电饭煲，两口子用', 'ml'], ['电饭锅 平时两个人吃', 'ml'],
])('%s asks for no large ones', (sentence, unit) => {
  const { asked, all } = sizesAsked(sentence, unit)
  expect(asked).toContain(Math.min(...all))
  expect(asked).not.toContain(Math.max(...all))
})

test.each([['一家五口用的电饭煲', 'ml'], ['a rice cooker for a family of six', 'ml'],
  ['登山包，特别能装的', 'ml'], ['a roomy hiking backpack', 'ml']])(
  '%s asks for no small ones', (sentence, unit) => {
    const { asked, all } = sizesAsked(sentence, unit)
    expect(asked).toContain(Math.max(...all))
    expect(asked).not.toContain(Math.min(...all))
  })

test('小点 and 大点 are said of what stands before them', () => {
  expect(sizesAsked('充电宝容量大点的', 'mah').asked).toContain(20_000)
  expect(sizesAsked('宿舍用的吹风机，功率小点', 'w').asked).not.toContain(2000)
  expect(understand('屏幕小点的手机').unsold).toBeNull()
})

test.each([['大书包', 'ml'], ['大号行李箱', 'inch'], ['大一点的水杯', 'ml']])(
  '%s asks for the largest of them', (sentence, unit) => {
    const { asked, all } = sizesAsked(sentence, unit)
    expect(asked).toContain(Math.max(...all))
    expect(asked.length).toBeLessThanOrEqual(all.length / 2)
  })

test.each(['小冰箱', '大米', '小苏打', '大衣'])('%s is a name, and asks for no size', (name) => {
  expect(understand(name).must).toEqual([])
})

test('a character that stands for much in titles is no size of theirs', () => {
  const wish = understand('电饭煲 小一点的').must.find(({ measure }) => measure)
  const facts = readFacts({ title: '电饭煲 4L 24小时预约', brand: null, category: null })
  expect(wish && stateOf(wish, facts)).toBe('against')
})

test('声大 of a telephone is how loud it is', () => {
  expect(understand('给外公买手机，声大的').must.flatMap(({ values }) =>
    [...values?.values() ?? []].flat().map(({ text }) => text))).toContain('超大音量')
})
