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
