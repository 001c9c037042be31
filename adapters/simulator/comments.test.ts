import { expect, test } from 'vitest'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { ASSORTMENT } from '../testing/stage.ts'
import { commentsOf, createCatalogue } from './catalogue.ts'

const NOW = Date.UTC(2026, 10, 21, 9, 30)
const catalogue = createCatalogue('mall_b', ASSORTMENT, { groupShare: 0, couponOn: 'price' })
const offers = ASSORTMENT.products.map(({ index }) => catalogue.offer(index))
  .filter((offer) => offer !== null)

test('what is shown of few reviews is all of them, and as good as the summary says', () => {
  const few = offers.filter(({ reviews }) => reviews <= 3)
  expect(few.length).toBeGreaterThan(5)
  for (const offer of few) {
    const shown = commentsOf(offer, NOW)
    const good = shown.filter(({ score }) => score >= 4).length
    expect(shown).toHaveLength(offer.reviews)
    expect(Math.round(100 * good / shown.length)).toBe(offer.positivePercent)
  }
})

test('no bad one is shown where all are good, and none is of tomorrow', () => {
  for (const offer of offers) {
    const shown = commentsOf(offer, NOW)
    const hasBad = shown.some(({ score }) => score < 4)
    expect(hasBad && offer.positivePercent === 100).toBe(false)
    expect(Math.max(...shown.map(({ at }) => at))).toBeLessThan(NOW)
  }
})

test('mall B answers them with stars and time', async () => {
  const clock = { now: () => NOW }
  const mall = await simulate.mall_b({ clock, assortment: ASSORTMENT })
  const source = malls.mall_b.open(mall.settings, { clock })
  try {
    const { items } = await source.search({ q: '蓝牙耳机', page: 1, pageSize: 5 })
    expect(items.length).toBeGreaterThan(0)
    for (const { reviews } of items) {
      expect(reviews?.samples.length).toBe(Math.min(3, reviews?.count ?? 0))
      for (const { text, rating, at } of reviews?.samples ?? []) {
        expect([text, rating, at]).toEqual([expect.any(String), expect.any(Number),
          expect.any(Number)])
      }
    }
  } finally {
    await source.close()
    await mall.close()
  }
})
