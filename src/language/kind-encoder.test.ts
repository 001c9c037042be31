import { describe, expect, test } from 'vitest'
import { taxonomy } from '../goods/taxonomy.ts'
import { checkKindEncoder, kindChances } from './kind-encoder.ts'

test('the file knows every kind, and no other', () => {
  expect(checkKindEncoder).not.toThrow()
  const { of } = kindChances('手机')
  expect([...taxonomy().kinds.keys()].filter((kind) => !Number.isFinite(of(kind)))).toEqual([])
  expect(of('no_kind')).toBe(-Infinity)
})

test.each([
  ['超市要多囤点雪糕,我想添个200升的冰柜', 'freezer_chest'],
  ['送男朋友打游戏的手柄', 'game_controller'],
  ['something for my teacher, she likes tea, say a gift box of green tea', 'green_tea_leaves'],
])('what is wanted is likelier than what is told: %s', (text, kind) => {
  expect(kindChances(text).best[0]).toBe(kind)
})

describe('chances', () => {
  test.each(['', '\0\0', '😀', 'qzxvw', '手'.repeat(2000), 'a'.repeat(2000)])(
    'are shares of one, whatever is said', (text) => {
      const { of, best } = kindChances(text)
      const sum = [...taxonomy().kinds.keys()]
        .reduce((all, kind) => all + Math.exp(of(kind)), 0)
      expect(sum).toBeCloseTo(1, 3)
      expect(best).toHaveLength(5)
      expect(best.map(of)).toEqual(best.map(of).toSorted((one, other) => other - one))
    })

  test('are those of the text alone', () => {
    const first = kindChances('跑鞋')
    kindChances('雨伞')
    expect(kindChances('跑鞋').best).toEqual(first.best)
  })
})
