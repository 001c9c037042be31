import { fc, test } from '@fast-check/vitest'
import { describe, expect, test as plain } from 'vitest'
import { catalogueLine } from '../goods/generate.ts'
import { factsOf, type Facts } from '../language/facts.ts'
import { readJsonl } from '../../loadtest/evaluations/jsonl.ts'
import { areVariants, match, SAME } from './match.ts'

const facts = (title: string, brand: string | null = null): Facts =>
  factsOf({ title, brand, category: null })
const confidence = (left: string, right: string): number =>
  match(facts(left), facts(right)).confidence

const pairs = readJsonl<{ same: boolean, left: string, right: string }>('judged/pairs.jsonl')

describe('pairs judged by hand', () => {
  plain('are many', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(80)
  })

  plain.each(pairs.filter(({ same }) => same))('the same: $left = $right', ({ left, right }) => {
    expect(match(facts(left), facts(right))).toMatchObject({ reasons: expect.anything() })
    expect(confidence(left, right)).toBeGreaterThanOrEqual(SAME)
  })

  plain.each(pairs.filter(({ same }) => !same))('not the same: $left ≠ $right', (
    { left, right },
  ) => {
    expect(confidence(left, right)).toBeLessThan(SAME)
  })
})

describe('fields', () => {
  plain('a brand that stands in its field alone is known', () => {
    const left = facts('EK-6843 电热水壶 1.5L', '匠炊 Jianchuo')
    expect(match(left, facts('EK-6843 电热水壶 1.5L', '澄器')).confidence).toBe(0)
    expect(match(left, facts('匠炊 EK6843 电热水壶 1.5L')).confidence).toBeGreaterThanOrEqual(SAME)
  })

  plain('a brand that is in no list is found in the other title', () => {
    const left = facts('Q7 保温杯 500ml', 'Zorblax')
    const { confidence, reasons } = match(left, facts('zorblax Q7 保温杯 500ml', '别的'))
    expect(confidence).toBeGreaterThan(0)
    expect(reasons).not.toContain('another brand')
  })
})

const title = fc.integer({ min: 0, max: 5000 })
  .map((index) => catalogueLine('agentmall', index).title)
const part = fc.constantFrom('Pro', '两瓶装', '500ml', '1L', '二手', '手机壳', '适用', '黑色', '礼盒装',
  'iPhone 15', '*2', '256G', '华为', '2024款', '第二代', '不锈钢')
const anyTitle = fc.oneof(title, fc.array(part, { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(' ')), fc.tuple(title, part).map((both) => both.join(' ')),
fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }))

describe('variants', () => {
  const products = Array.from({ length: 24 * 400 }, (_, index) => catalogueLine('variants', index))
  const first = new Map<string, typeof products[number]>()
  const pairs = products.flatMap((line) => {
    if (line.group_id === undefined) return []
    const other = first.get(line.group_id)
    if (!other) first.set(line.group_id, line)
    return other ? [[other, line] as const] : []
  })
  const read = ({ title, brand }: typeof products[number]): Facts => facts(title, brand)
  const share = (isSo: (left: Facts, right: Facts) => boolean): number =>
    pairs.filter(([left, right]) => isSo(read(left), read(right))).length / pairs.length

  plain.each([
    ['岑序 羽绒服 男款 90%白鸭绒 短款 雾紫 3XL', '岑序 羽绒服 男款 90%白鸭绒 短款 雾紫 XL'],
    ['茶岫 红茶 100g 铁罐装 祁门红茶 特级', '茶岫 红茶 200g 铁罐装 祁门红茶 特级'],
    ['茶岫 可乐 500ml 1瓶 樱桃味 无糖 整箱囤货 看球', '茶岫 可乐 500ml 1瓶 柠檬味 无糖 整箱囤货 看球'],
    ['珀屿 SY-603 蓝牙音箱 5W 20小时 沙滩米', '珀屿 SY-603 蓝牙音箱 5W 20小时 墨夜黑'],
  ])('are not the same, and one product: %s ≠ %s', (left, right) => {
    expect(match(facts(left), facts(right))).toMatchObject({
      reasons: expect.arrayContaining([expect.stringMatching(/^another /)]) })
    expect(confidence(left, right)).toBeLessThan(SAME)
    expect(areVariants(facts(left), facts(right))).toBe(true)
  })

  plain('of generated goods are hardly ever taken for the same', () => {
    expect(pairs.length).toBeGreaterThan(1000)
    expect(share((left, right) => match(left, right).confidence >= SAME)).toBeLessThan(0.03)
    expect(share(areVariants)).toBeGreaterThan(0.95)
  })

  plain('are of one brand and one kind', () => {
    const one = facts('岑序 羽绒服 男款 90%白鸭绒 短款 雾紫 XL')
    for (const other of ['霁川 羽绒服 男款 90%白鸭绒 短款 雾紫 XL', '二手 岑序 羽绒服 男款 90%白鸭绒 短款 雾紫 XL',
      '岑序 卫衣 男款 圆领 纯棉 XL']) expect(areVariants(one, facts(other))).toBe(false)
  })
})

describe('any two items', () => {
  test.prop([anyTitle, anyTitle], { numRuns: 500 })('match the same in both directions', (a, b) => {
    expect(match(facts(a), facts(b))).toEqual(match(facts(b), facts(a)))
    const { confidence } = match(facts(a), facts(b))
    expect(confidence).toBeGreaterThanOrEqual(0)
    expect(confidence).toBeLessThanOrEqual(1)
  })

  test.prop([title, fc.constantFrom('二手 ', '官翻 ')])(
    'are not the same when one was used', (say, used) => {
      expect(confidence(say, used + say)).toBe(0)
    })

  test.prop([title])('of the same title are the same', (say) => {
    expect(confidence(say, say)).toBeGreaterThanOrEqual(SAME)
  })

  test.prop([title, fc.constantFrom(' 替换配件', ' +收纳盒', ' 买一送一')])(
    'are not the same when one is a part or a bundle', (say, more) => {
      expect(confidence(say, say + more)).toBeLessThan(SAME)
    })
})
