import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { priceBuckets, priceFilter } from './index-terms.ts'

/** What the index would answer for one price. */
function matches(filter: string, price: number): boolean {
  if (filter === '') return true
  const tags = new Set(priceBuckets(price))
  return filter.replace(/^\((.*)\)$/, '$1').split(/\|(?=@)/).some((part) => {
    const bucket = /^@bucket:\{(.+)\}$/.exec(part)
    if (bucket?.[1]) return bucket[1].split('|').some((tag) => tags.has(tag))
    const [, from, to] = /^@price:\[(\d+) (\d+)\]$/.exec(part) ?? []
    expect(from, part).toBeDefined()
    return price >= Number(from) && price <= Number(to)
  })
}

const fen = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 100_000_000 }),
  fc.integer({ min: 0, max: 26 }).chain((n) => fc.constantFrom(2 ** n, 2 ** n + 1)))

test.prop([fen, fc.option(fen, { nil: undefined }), fc.option(fen, { nil: undefined })],
  { numRuns: 2000 })('buckets and numbers together hold exactly the range', (price, min, max) => {
  const filter = priceFilter({
    ...(min !== undefined && { min }), ...(max !== undefined && { max }),
  })
  const isIn = price >= (min ?? 0) && price <= (max ?? Infinity)
  expect(matches(filter, price), filter).toBe(isIn)
})

test.prop([fen, fen])('a range needs few tags', (min, max) => {
  expect(priceFilter({ min, max }).split('|').length).toBeLessThanOrEqual(12)
})

test('both ends of each bucket are in the range that ends there', () => {
  for (let bucket = 2; bucket < 53; bucket += 1) {
    const start = Math.ceil(2 ** (bucket / 2))
    for (const price of [start - 1, start, start + 1]) {
      expect(matches(priceFilter({ min: 1, max: price }), price)).toBe(true)
      expect(matches(priceFilter({ min: price, max: 100_000_000 }), price)).toBe(true)
      expect(matches(priceFilter({ min: 1, max: price }), price + 1)).toBe(false)
    }
  }
})
