/** Answers to who asks for goods that nobody here knows. */
import { expect, test } from 'vitest'
import { anItem, ranked } from './testing/items.ts'

test('goods that only come near are marked as near, with few points', () => {
  const television = anItem('安朔 智能电视机 液晶电视 43英寸', 99_900)
  const near = ranked('压屏机液晶电视', [television])
  expect(near.relaxed).toEqual(['没有“压屏机液晶电视”；最接近的是：智能电视机。'])
  expect(near.items[0]?.reasons[0]).toBe('相近的商品，不一定是同一种。')
  expect(near.items[0]?.score).toBeLessThan(40)
})

test('a title that says the unknown word is what was asked for', () => {
  const [item] = ranked('压屏机液晶电视', [anItem('压屏机 液晶电视 智能电视机', 99_900)]).items
  expect(item?.score).toBeGreaterThan(60)
})

test('a noun that nobody knows is none of the goods that somebody knows', () => {
  expect(ranked('清洗杯', [anItem('冲牙器 含清洗杯', 9_900)]).items).toEqual([])
})

test.each([
  ['娃对牛奶蛋白过敏，喝啥奶粉', '宠物羊奶粉 狗 300g 单罐', /牛奶蛋白/],
  ['只要耐克的跑鞋', '翎步乐Lingbolo 跑步鞋 女款 38码', /没有找到耐克的/],
])('what is not what was asked for takes no place of it: %s', (sentence, title, why) => {
  const { items, relaxed } = ranked(sentence, [anItem(title, 220_000, { brand: '翎步乐' })])
  expect(items).toEqual([])
  expect(relaxed.join()).toMatch(why)
})

test('the best rated is that of the best rating, be it of few', () => {
  const titles = ['猫粮 成猫 鸡肉 2kg', '猫粮 幼猫 鱼肉 3kg', '猫粮 全阶段 鸭肉 5kg']
  const { items } = ranked('评分最高的猫粮', titles.map((title, at) => anItem(title, 9900, {
    id: String(at), rating: [4.7, 5, 4.9][at] ?? null, sales: 100,
  })))
  expect(items.map(({ rating }) => rating)).toEqual([5, 4.9, 4.7])
})
