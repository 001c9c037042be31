import { expect, test } from 'vitest'
import { problemsOf } from '../validate.ts'
import { catalogueLine, generateCatalogue } from './generate.ts'
import { CatalogueLine } from './line.ts'
import { taxonomy, valuesOf } from './taxonomy.ts'
import { universeProduct } from './universe.ts'

const SEED = 'test'
const ITEMS = 24 * 600
const lines = [...generateCatalogue({ items: ITEMS, seed: SEED })]

test('every line is one that import takes', () => {
  for (const line of lines) expect(problemsOf(CatalogueLine, { ...line })).toEqual([])
})

test('any prefix is balanced over the categories, and each kind is there', () => {
  for (const size of [24, 240, ITEMS]) {
    const counts = new Map<number, number>()
    for (const { category_id } of lines.slice(0, size)) {
      counts.set(category_id, (counts.get(category_id) ?? 0) + 1)
    }
    expect([...counts.values()]).toEqual(Array(24).fill(size / 24))
  }
  expect(new Set(lines.map(({ kind }) => kind)).size).toBe(taxonomy().kinds.size)
})

test('half of each category is our own to sell, the rest spread over the malls', () => {
  for (const { category_id } of taxonomy().categories) {
    const supplies = lines.filter((line) => line.category_id === category_id)
      .map(({ supply }) => supply)
    const own = supplies.filter((supply) => supply === 'own').length
    expect(Math.abs(own - supplies.length / 2)).toBeLessThanOrEqual(1)
    expect(new Set(supplies).size).toBe(4)
  }
  for (const kind of taxonomy().kinds.keys()) {
    const supplies = lines.filter((line) => line.kind === kind).map(({ supply }) => supply)
    expect(supplies).toContain('own')
    expect(supplies.some((supply) => supply !== 'own')).toBe(true)
  }
})

test('the same seed gives the same bytes, another seed other ones', () => {
  expect(JSON.stringify([...generateCatalogue({ items: 240, seed: SEED })]))
    .toBe(JSON.stringify(lines.slice(0, 240)))
  expect(catalogueLine('other', 3)).not.toEqual(catalogueLine(SEED, 3))
})

test('any product can be made without those before it', () => {
  for (const index of [0, 77, 4799]) expect(catalogueLine(SEED, index)).toEqual(lines[index])
})

test('prices lie in the range of their kind, dearer brands and variants higher', () => {
  const { kinds } = taxonomy()
  for (const { kind, retail_price } of lines) {
    const { price } = kinds.get(kind as string) as NonNullable<ReturnType<typeof kinds.get>>
    expect(retail_price).toBeGreaterThanOrEqual(price.min)
    expect(retail_price).toBeLessThanOrEqual(price.max)
  }
  const mean = (tier: string): number => {
    const places = Array.from({ length: ITEMS }, (_, index) => universeProduct(SEED, index))
      .filter(({ brand }) => brand.tier === tier)
      .map(({ basePrice, kind: { price } }) => (basePrice - price.min) / (price.max - price.min))
    return places.reduce((sum, place) => sum + place, 0) / places.length
  }
  expect(mean('premium')).toBeGreaterThan(mean('mid'))
  expect(mean('mid')).toBeGreaterThan(mean('budget'))
})

test('every attribute has a value that its kind allows', () => {
  for (let index = 0; index < 500; index += 1) {
    for (const { attribute, value } of universeProduct(SEED, index).attributes) {
      expect(valuesOf(attribute)).toContain(value)
    }
  }
})

test('titles tell products apart', () => {
  expect(new Set(lines.map(({ title }) => title)).size).toBeGreaterThan(lines.length * 0.99)
})

test('coupons and their thresholds leave something to pay', () => {
  const withCoupon = lines.filter(({ coupon }) => coupon)
  expect(withCoupon.length).toBeGreaterThan(0)
  for (const { coupon, retail_price, supply } of withCoupon) {
    expect(supply).not.toBe('own')
    expect(coupon?.amount).toBeLessThan(retail_price)
    expect(coupon?.threshold).toBeLessThanOrEqual(retail_price)
  }
})

test('platform ids look as on each platform, and differ', () => {
  const ids = lines.filter(({ external_id }) => external_id)
  for (const { supply, external_id } of ids) {
    expect(external_id).toMatch(supply === 'mall_b' ? /^\d{13}$/ : /^[0-9A-Za-z_]{17,}$/)
  }
  expect(new Set(ids.map(({ supply, external_id }) => `${supply}${external_id}`)).size)
    .toBe(ids.length)
})
