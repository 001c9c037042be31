import { describe, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { ITEM_EXAMPLE } from '../contract/fields.ts'
import { problemsOf } from '../validate.ts'
import { catalogueLine, generateCatalogue, indexOfProduct } from './generate.ts'
import { CatalogueLine } from './line.ts'
import { taxonomy, valuesOf } from './taxonomy.ts'
import { generatedProduct } from './generated-product.ts'

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

test('three quarters of each category are our own to sell, the rest is the malls\'', () => {
  for (const { category_id } of taxonomy().categories) {
    const supplies = lines.filter((line) => line.category_id === category_id)
      .map(({ supply }) => supply)
    const own = supplies.filter((supply) => supply === 'own').length
    expect(own / supplies.length).toBeCloseTo(0.75, 1)
    expect(new Set(supplies).size).toBe(4)
  }
  for (const kind of taxonomy().kinds.keys()) {
    const supplies = lines.filter((line) => line.kind === kind).map(({ supply }) => supply)
    expect(supplies).toContain('own')
    // One of each four in a row is a mall's.
    expect(supplies.slice(0, 4).filter((supply) => supply !== 'own').length)
      .toBeGreaterThanOrEqual(Number(supplies.length > 3))
  }
})

test('the same seed gives the same bytes, another seed other ones', () => {
  expect(JSON.stringify([...generateCatalogue({ items: 240, seed: SEED })]))
    .toBe(JSON.stringify(lines.slice(0, 240)))
  expect(catalogueLine('other', 3)).not.toEqual(catalogueLine(SEED, 3))
})

test('any product can be made without those before it', async () => {
  vi.resetModules()
  const anew = await import('./generate.ts')
  for (const index of [ITEMS - 1, 4799, 77, 0]) {
    expect(anew.catalogueLine(SEED, index)).toEqual(lines[index])
  }
})

test('prices lie in the range of their kind, dearer brands and variants higher', () => {
  const { kinds } = taxonomy()
  for (const { kind, retail_price } of lines) {
    const { price } = kinds.get(kind as string) as NonNullable<ReturnType<typeof kinds.get>>
    expect(retail_price).toBeGreaterThanOrEqual(price.min)
    expect(retail_price).toBeLessThanOrEqual(price.max)
  }
  const mean = (tier: string): number => {
    const places = Array.from({ length: ITEMS }, (_, index) => generatedProduct(SEED, index))
      .filter(({ brand }) => brand.tier === tier)
      .map(({ basePrice, kind: { price } }) => (basePrice - price.min) / (price.max - price.min))
    return places.reduce((sum, place) => sum + place, 0) / places.length
  }
  expect(mean('premium')).toBeGreaterThan(mean('mid'))
  expect(mean('mid')).toBeGreaterThan(mean('budget'))
})

test('every attribute has a value that its kind allows', () => {
  for (let index = 0; index < 500; index += 1) {
    for (const { attribute, value } of generatedProduct(SEED, index).attributes) {
      expect(valuesOf(attribute)).toContain(value)
    }
  }
})

test('titles tell products apart', () => {
  expect(new Set(lines.map(({ title }) => title)).size).toBeGreaterThan(lines.length * 0.99)
})

describe('variants of one product', () => {
  const families = new Map<string, CatalogueLine[]>()
  for (const line of lines) {
    const { group_id } = line
    if (group_id !== undefined) families.set(group_id, [...families.get(group_id) ?? [], line])
  }
  const indexOf = ({ product_id }: CatalogueLine): number => indexOfProduct(product_id) as number
  const ROUNDS = 12
  const counts = new Map<string | undefined, number>()
  for (const { kind } of lines) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  // Others have members that this catalogue does not reach.
  const whole = [...families.values()].filter(([first]) => first !== undefined
    && generatedProduct(SEED, indexOf(first)).round < ROUNDS
    && (counts.get(first.kind) ?? 0) >= ROUNDS)

  test('are about half of the goods, two to six of each', () => {
    const share = [...families.values()].flat().length / lines.length
    expect(share).toBeGreaterThan(0.35)
    expect(share).toBeLessThan(0.65)
    const sizes = new Set(whole.map(({ length }) => length))
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([2, 6])
    const categories = new Set([...families.values()].flat().map((line) => line.category_id))
    expect(categories.size).toBe(24)
  })

  test('bear the id of the first of them', () => {
    for (const [group, [first]] of families) expect(group).toBe(`g${first?.product_id}`)
  })

  test('share kind, brand, model, seller, features and what happens after a sale', () => {
    for (const members of whole) {
      const shared = members.map((line) => {
        const { features, scenes, model } = generatedProduct(SEED, indexOf(line))
        const { kind, brand, supply, merchant_id, shop, freight, ship_within_hours, qty_cap, rating,
          aftersale_rules } = line
        return { features, scenes, model, kind, brand, supply, merchant_id, shop, freight, qty_cap,
          ship_within_hours, rating, aftersale_rules, stem: line.title.split(' ')[0] }
      })
      for (const one of shared) expect(one).toEqual(shared[0])
    }
  })

  test('differ only in what varies in their kind, and each in another way', () => {
    for (const members of whole) {
      const kind = taxonomy().kinds.get(members[0]?.kind ?? '')
      const varying = new Set(kind?.attributes.filter(({ variant }) => variant)
        .map(({ name_zh }) => name_zh))
      const own = members.map((line) => new Map(generatedProduct(SEED, indexOf(line)).attributes
        .map(({ attribute, text }) => [attribute.name_zh, text])))
      const differing = [...own[0]?.keys() ?? []].filter((name) =>
        new Set(own.map((one) => one.get(name))).size > 1)
      expect(differing.length).toBeGreaterThan(0)
      for (const name of differing) expect(varying).toContain(name)
      const ways = own.map((one) => differing.map((name) => one.get(name)).join('|'))
      expect(new Set(ways).size).toBe(members.length)
      // Titles say in what they differ.
      for (const [at, { title }] of members.entries()) {
        for (const name of differing) expect(title).toContain(own[at]?.get(name))
      }
    }
  })

  test('cost the same, or more where what they have more of costs more', () => {
    const priced = whole.flatMap((members) => members.map((line) =>
      generatedProduct(SEED, indexOf(line)))).filter(({ kind }) => kind.kind === 'smartphone')
    for (const one of priced) {
      for (const other of priced) {
        if (one.family?.first !== other.family?.first) continue
        const weigh = ({ attributes }: typeof one): number => attributes.reduce((sum, {
          attribute, value,
        }) => sum + (attribute.price_weight ?? 0) * valuesOf(attribute).indexOf(value), 0)
        if (weigh(one) < weigh(other)) continue
        expect(one.basePrice).toBeGreaterThanOrEqual(other.basePrice)
      }
    }
  })
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

test('the samples of the reference are of the catalogue that a node makes', () => {
  const { product_id, merchant_id } = ITEM_EXAMPLE
  const line = catalogueLine(readConfig({}).catalogSeed, indexOfProduct(product_id) ?? -1)
  expect(line).toMatchObject({ product_id, merchant_id, supply: 'own' })
})
