import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import { narrow } from './find.ts'

const items = fc.uniqueArray(fc.record({
  productId: fc.nat(), category: fc.integer({ min: 1, max: 3 }),
  price: fc.integer({ min: 1, max: 9 }), weight: fc.constant(1),
}), { selector: ({ productId }) => productId, maxLength: 40 })
const filters = fc.record({
  min: fc.integer({ min: 0, max: 9 }), max: fc.integer({ min: 1, max: 10 }),
  category: fc.integer({ min: 1, max: 3 }),
}, { requiredKeys: [] })
const sorts = fc.constantFrom('relevance' as const, 'price_asc' as const, 'price_desc' as const)

property.prop([items, filters, sorts, fc.integer({ min: 1, max: 7 })])(
  'the pages together are exactly the items that pass, in order, each once',
  (listed, filter, sort, count) => {
    const page = (offset: number) => narrow(listed, { words: [], sort, offset, count, ...filter })
    const pages = [...listed.keys(), listed.length].map((at) => page(at * count).productIds)
    const passing = listed.filter(({ price, category }) => price >= (filter.min ?? 0)
      && price <= (filter.max ?? Infinity) && category === (filter.category ?? category))
    const shown = pages.flat()
    expect(shown.toSorted((a, b) => a - b))
      .toEqual(passing.map(({ productId }) => productId).toSorted((a, b) => a - b))
    expect(page(0).total).toBe(passing.length)
    const priceOf = new Map(listed.map(({ productId, price }) => [productId, price]))
    const prices = shown.map((id) => priceOf.get(id) ?? 0)
    if (sort === 'relevance') expect(shown).toEqual(passing.map(({ productId }) => productId))
    else expect(prices).toEqual(prices.toSorted((a, b) => sort === 'price_asc' ? a - b : b - a))
  })
