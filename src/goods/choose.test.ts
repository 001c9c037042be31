/** The choice among all goods of a kind: what order and number they come in. */
import { describe, expect, test } from 'vitest'
import { bandOf, BANDS_MAX, boundsOf, widened } from '../language/bounds.ts'
import { readFacts } from '../language/facts.ts'
import { planOf } from '../language/fit.ts'
import { sayFor } from '../language/answer-language.ts'
import { understand } from '../language/understand.ts'
import type { Candidate } from './candidates.ts'
import { choose, type Choice, type Result } from './choose.ts'

const candidate = (title: string, yuan: number, productId: number): Candidate => ({
  productId, kind: 'music_box', supply: 'own', group: undefined, category: 19, price: yuan * 100,
  weight: 0.5, facts: readFacts({ title, brand: null, category: null }),
})

const BOXES = [
  candidate('格鲁朵 八音盒 水晶球 手摇 白色', 49, 1),
  candidate('格鲁朵 八音盒 水晶球 手摇 粉色', 39, 2),
  candidate('玩栗 八音盒 旋转木马 手摇 粉色', 19, 3),
  candidate('木蔻 八音盒 钢琴 手摇 粉色', 29, 4),
  candidate('木蔻 八音盒 钢琴 手摇 蓝色', 9, 5),
  candidate('木蔻 八音盒 钢琴 发条 蓝色', 5, 6),
  candidate('木蔻 八音盒 钢琴 发条 白色 嘟噜比', 6, 7),
]

function chosen(q: string, choice: Partial<Choice> = {}): Result {
  const understood = understand(q)
  const bounds = boundsOf(understood)
  const { min, max } = widened(bounds, understood.budget, BANDS_MAX)
  return choose(planOf(understood), BOXES, {
    sort: 'relevance', offset: 0, count: 20, min, max,
    bandOf: (price) => bandOf(price, bounds, understood.budget) ?? BANDS_MAX, ...choice,
  }, sayFor(understood))
}

describe('where less than a handful has all that was wished', () => {
  test('what lacks least follows it, and the answer says so', () => {
    const { productIds, total, relaxed } = chosen('粉色的水晶球八音盒')
    expect(productIds[0]).toBe(2)
    expect(productIds[1]).toBe(1)
    expect(productIds.slice(2, 4).toSorted()).toEqual([3, 4])
    expect(total).toBe(5)
    expect(relaxed?.note).toBe('只有前 1 件满足全部条件；其后的不满足或没有说明：粉色、水晶球。')
  })

  test('no order by price puts the cheap before what has it', () => {
    expect(chosen('水晶球八音盒', { sort: 'price_asc' }).productIds.slice(0, 2)).toEqual([2, 1])
  })

  test('another brand or goods for others do not follow', () => {
    expect(chosen('木蔻的八音盒').productIds.toSorted()).toEqual([4, 5, 6, 7])
  })

  test('a price that was only about named reaches further', () => {
    const { productIds, relaxed } = chosen('45块左右的八音盒')
    expect(productIds.slice(0, 2).toSorted()).toEqual([1, 2])
    expect(productIds.slice(2)).toEqual([4])
    expect(relaxed?.note).toMatch('价格')
  })
})

test('a bare name with a word that none has says what comes nearest', () => {
  expect(chosen('ueh八音盒').relaxed).toMatchObject({
    kind: 'most_words', note: expect.stringMatching(/^没有“ueh八音盒”；最接近的是：[^。]*八音盒/),
  })
  expect(chosen('想给ueh买个八音盒').relaxed?.note ?? '').not.toMatch('最接近')
  expect(chosen('八音盒 嘟噜比').relaxed?.note ?? '').not.toMatch('最接近')
})

test('a word that few titles have orders goods and hides none', () => {
  const { productIds, total } = chosen('八音盒 嘟噜比')
  expect(total).toBe(BOXES.length)
  expect(productIds[0]).toBe(7)
})

test('enough that have all that was wished come alone', () => {
  expect(chosen('手摇八音盒').productIds.toSorted()).toEqual([1, 2, 3, 4, 5])
})
