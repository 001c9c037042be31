import { expect, test } from 'vitest'
import { taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { checkValueEncoder, valuesSaid } from './value-encoder.ts'
import { attributesOf } from './values.ts'

const LEAST = 0.5
const textsSaid = (kind: string, text: string, least = LEAST): string[] =>
  valuesSaid(kind, text, least).flatMap(({ values }) => values.map((value) => value.text))

test('the file is well formed', () => {
  expect(checkValueEncoder).not.toThrow()
})

test.each([
  ['ceiling_fan', '不开的时候叶子会缩回去看不见的', '隐形收缩叶'],
  ['mop_head', '靠粘的那种', '粘贴式拖布'],
  ['litter_box', 'my cat enters from above through a hole in the lid', '顶入式'],
  ['mite_vacuum', '拿着满床跑不用插电的', '无线'],
])('of %s %s says %s', (kind, text, value) => {
  expect(textsSaid(kind, text)).toContain(value)
})

test('a value says itself, of nearly all that the network knows', () => {
  const stated = [...taxonomy().kinds.values()].filter((_, at) => at % 20 === 0)
    .flatMap((kind) => attributesOf(kind).flatMap(({ values }) => values.map(fold))
      .filter((value) => /^\p{Script=Han}{3,}$/u.test(value))
      .map((value) => ({ kind: kind.kind, value })))
  const said = stated.filter(({ kind, value }) => textsSaid(kind, value).includes(value))
  expect(stated.length).toBeGreaterThan(500)
  expect(said.length / stated.length).toBeGreaterThan(0.9)
})

test('places are those of the text, and only of tokens that are free', () => {
  const text = '客厅用的吊扇,叶子会缩回去'
  const [said] = valuesSaid('ceiling_fan', text, 0)
  expect(text.slice(said?.start, said?.end)).toMatch(/^.$/u)
  const behind = valuesSaid('ceiling_fan', text, 0, ({ start }) => start > 6)
  expect(behind.every(({ start }) => start > 6)).toBe(true)
  expect(valuesSaid('ceiling_fan', text, 0, () => false)).toEqual([])
})

test.each(['', '\0', '😀', 'qzxvw', '手'.repeat(2000)])('chances are shares: %j', (text) => {
  for (const { chance, values } of valuesSaid('ceiling_fan', text, 0)) {
    expect(chance).toBeGreaterThanOrEqual(0)
    expect(chance).toBeLessThanOrEqual(1)
    expect(values.length).toBeGreaterThan(0)
  }
})

test('no kind has none', () => {
  expect(valuesSaid('no_kind', '红色', 0)).toEqual([])
})
