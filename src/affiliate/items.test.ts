import { expect, test } from 'vitest'
import { mallItem } from './items.ts'
import { anItem, price } from './testing/items.ts'

test('an item of a mall tells goods and total apart, and the price of a fair unit', () => {
  const item = anItem('清露 矿泉水 550ml*24瓶', 0, {
    price: price(3140, { coupon: { amount: 500, threshold: 0 }, freight: 600 }),
  })
  expect(mallItem(item)).toMatchObject({
    final_price: 2640, specs: null,
    price: { freight: 600, payable: 3240, unit_price: { fen: 200, per: 'litre' } },
  })
})

test('of a kettle nobody asks what a litre of it costs', () => {
  expect(mallItem(anItem('匠炊 电热水壶 1.5L', 5900)).price).not.toHaveProperty('unit_price')
})

test('reviews have their time as times are written', () => {
  const review = { text: '好', rating: 5, at: Date.UTC(2026, 0, 2) }
  const reviews = { count: 1, positive_percent: 100, samples: [review] }
  expect(mallItem(anItem('杯', 900, { reviews })).reviews?.samples)
    .toEqual([{ ...review, at: '2026-01-02T00:00:00.000Z' }])
})
