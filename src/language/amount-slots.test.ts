/** How many are bought, against how many are in a pack. */
import { expect, test } from 'vitest'
import { factsOf } from './facts.ts'
import { planOf } from './fit.ts'
import { understand } from './understand.ts'

test.each([
  ['白酒一瓶150上下吧，自己喝', '清香型白酒 52度 500ml 1瓶 青稞', 'met'],
  ['白酒一瓶150上下吧，自己喝', '清香型白酒 52度 500ml 12瓶 红高粱', 'against'],
  ['买3箱纯牛奶，合计不超过200元', '纯牛奶 250ml 12盒 全脂', 'met'],
  ['买3箱纯牛奶，合计不超过200元', '纯牛奶 330ml 1盒 全脂', 'against'],
  ['两瓶红葡萄酒', '干红葡萄酒 梅洛 13度 750ml 1瓶', 'met'],
  ['两瓶红葡萄酒', '干红葡萄酒 梅洛 13度 187ml 6瓶', 'against'],
])('%s: %s', (say, title, state) => {
  const slot = planOf(understand(say)).slots.find(({ kind }) => kind === 'amount')
  expect(slot?.state(factsOf({ title, brand: '', category: null }), undefined)).toBe(state)
})

test('what nobody counts in packs has no such slot', () => {
  expect(planOf(understand('买两台电视')).slots).toEqual([])
})
