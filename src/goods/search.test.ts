/** Searches on a real index, held against a reading of every item. */
import { fc, test } from '@fast-check/vitest'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { readFacts, type Facts } from '../language/facts.ts'
import { type Fit, fitOf, HANDFUL, orderOf, planOf, type Plan } from '../language/fit.ts'
import { fold } from '../language/fold.ts'
import { understand } from '../language/understand.ts'
import { mallLine, ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { CANDIDATES_MAX, listsOf } from './candidates.ts'
import { finalPrice, proseOf } from './document.ts'
import { generateCatalogue } from './generate.ts'
import { importCatalogue } from './import.ts'
import { kindOf } from './index-terms.ts'
import { SUPPLIES, type CatalogueLine } from './line.ts'
import type { GoodsFilter, Sort } from './query.ts'
import { searchShelf, type Result } from './search.ts'
import { taxonomy } from './taxonomy.ts'

const LINES: CatalogueLine[] = [
  ...generateCatalogue({ items: 2400, seed: 'search test' }),
  ownLine(900_001, { title: 'Kelvane 麒麟飞碟 SY-1507B 白色', retail_price: 12_900 }),
  ownLine(900_002, { title: '手机壳 手机支架', agent_desc: '适合 Kelvane 飞碟。', sales: 999_999,
    category_id: 3 }),
  mallLine(900_003, { title: 'Kelvane 麒麟飞碟 SY-1508B 黑色', supply: 'mall_b', retail_price: 1 }),
  ownLine(900_004, { title: 'ismissing inf nan 1e5', retail_price: 100_000_000 }),
  ownLine(900_005, { title: '他说："好" 👍' }),
]

interface Known {
  readonly line: CatalogueLine
  readonly kind: string | undefined
  readonly facts: Facts
}

let stores: OwnStores
const known = new Map<number, Known>()

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, LINES)
  for (const line of LINES) {
    const kind = kindOf(line)
    const { title, brand, specs } = line
    known.set(line.product_id, { line, kind, facts: readFacts({
      title, brand, category: null, specs: specs.map(({ value }) => value).join(' '),
      prose: proseOf(line, kind),
    }) })
  }
})
afterAll(() => stores.close())

interface Query extends GoodsFilter {
  readonly q: string
  readonly sort?: Sort
  readonly offset?: number
  readonly count?: number
}

async function search({ q, sort = 'relevance', offset = 0, count = 50, ...filter }: Query) {
  return await searchShelf(stores.shelf, listsOf(stores.shelf), {
    ...filter, understood: understand(q), sort, offset, count,
  })
}

const idsOf = ({ productIds }: Result): number[] => [...productIds]
const itemOf = (id: number): Known => known.get(id) as Known

async function everyPage(query: Query): Promise<{ ids: number[], pages: Result[] }> {
  const ids: number[] = []
  const pages: Result[] = []
  for (let offset = 0; ; offset += 50) {
    const page = await search({ ...query, offset })
    pages.push(page)
    ids.push(...idsOf(page))
    if (page.productIds.length < 50) return { ids, pages }
  }
}

/** Of the items that the caller may see, those that have the most of what is wished. */
function expected({ categories, supply, min = 0, max = Infinity, sort }: Query, plan: Plan) {
  const fitting = [...known.values()].flatMap(({ line, kind, facts }) => {
    const isSeen = kind !== undefined && plan.kinds.has(kind)
      && (!categories || categories.includes(line.category_id))
      && (supply === undefined || line.supply === supply)
      && finalPrice(line) >= min && finalPrice(line) <= max
    const fit = isSeen ? fitOf(plan, facts, kind) : undefined
    return fit ? [{ id: line.product_id, fit, isMain: plan.mainKinds.has(kind ?? '') }] : []
  })
  const main = fitting.filter(({ isMain }) => isMain)
  const likely = main.length > 0 ? main : fitting
  const [best] = likely.toSorted((a, b) => orderOf(b.fit, 0) - orderOf(a.fit, 0))
  if (!best) return { exact: [], same: [], less: [] }
  const exact = (sort !== 'relevance' ? likely : fitting)
    .filter(({ fit }) => orderOf(fit, 0) >= orderOf(best.fit, 0))
  const others = exact.length >= HANDFUL ? []
    : likely.filter((one) => !exact.includes(one) && one.fit.firm >= best.fit.firm)
  return { exact, same: others.filter(({ fit }) => fit.value >= best.fit.value),
    less: others.filter(({ fit }) => fit.value < best.fit.value) }
}

/** A kind by one of its names, a value that goods of it have, one that is refused, and filters. */
const query = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.constantFrom('', '', '不要', 'spec'),
  fc.boolean()).map(([which, name, value, how, isBefore]) => {
  const line = LINES[which % 2400] as CatalogueLine
  const kind = taxonomy().kinds.get(line.kind ?? '')
  const names = kind ? [kind.name_zh, kind.name_en, ...kind.aliases] : []
  const noun = names[name % names.length] ?? ''
  const spec = line.specs[value % line.specs.length]?.value ?? ''
  const wish = how === 'spec' ? spec : how === '不要' ? `不要${spec}` : ''
  return { line, q: (isBefore && how === 'spec' ? [wish, noun] : [noun, wish]).join(' ').trim() }
})
const asked = fc.tuple(query, fc.record({
  others: fc.option(fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 2 }),
    { nil: undefined }),
  supply: fc.option(fc.constantFrom(...SUPPLIES), { nil: undefined }),
  price: fc.option(fc.tuple(fc.double({ min: 0.3, max: 1, noNaN: true }),
    fc.double({ min: 1, max: 3, noNaN: true })), { nil: undefined }),
}), fc.constantFrom<Sort>('relevance', 'price_asc', 'price_desc'))
  .map(([{ line, q }, { others, supply, price }, sort]): Query => ({
    q, sort,
    ...(others && { categories: [line.category_id, ...others] }),
    ...(supply !== undefined && { supply }),
    ...(price && { min: Math.floor(finalPrice(line) * price[0]),
      max: Math.ceil(finalPrice(line) * price[1]) }),
  }))

test.prop([asked], { numRuns: 400 })(
  'all pages are the goods of the kind that have most of the wishes, and a handful at least',
  async (given) => {
    const understood = understand(given.q)
    const plan = planOf(understood)
    // What is only near to what was named is told to be so, however well it fits.
    fc.pre(plan.kinds.size > 0 && !plan.isOpen && understood.unsold === null)
    const { exact, same, less } = expected(given, plan)
    const whole = exact.length + same.length
    const { ids, pages } = await everyPage(given)
    const total = whole + Math.min(less.length, Math.max(0, HANDFUL - whole))
    expect(new Set(pages.map((page) => page.total))).toEqual(new Set([total]))
    expect(ids).toHaveLength(new Set(ids).size)
    const first = ids.slice(0, exact.length)
    expect(first.toSorted()).toEqual(exact.map(({ id }) => id).toSorted())
    const near = [...same, ...less].map(({ id }) => id)
    expect(ids.slice(exact.length).filter((id) => !near.includes(id))).toEqual([])
    const isLess = ({ fit }: { fit: Fit }): boolean => fit.states.some((state, at) =>
      state !== 'met' && !plan.slots[at]?.isSoft)
    const shown = [...same, ...less].filter(({ id }) => ids.includes(id))
    const unmet = exact.length === 0 || [...exact.slice(0, 1), ...shown].some(isLess)
    expect(pages.map(({ relaxed }) => relaxed !== undefined && relaxed.kind !== 'typo'))
      .toEqual(pages.map(() => unmet))
    const prices = first.map((id) => finalPrice(itemOf(id).line))
    if (given.sort === 'price_asc') expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    if (given.sort === 'price_desc') expect(prices).toEqual(prices.toSorted((a, b) => b - a))
  })

test.prop([fc.nat(), fc.nat()], { numRuns: 200 })(
  'a kind is found by its name and by each other name', async (which, name) => {
    const kinds = [...new Set(LINES.flatMap(({ kind }) => kind ?? []))]
    const kind = taxonomy().kinds.get(kinds[which % kinds.length] ?? '')
    const names = kind ? [kind.name_zh, kind.name_en, ...kind.aliases] : []
    const { ids } = await everyPage({ q: names[name % names.length] ?? '' })
    expect(ids.map((id) => itemOf(id).kind)).toContain(kind?.kind)
  })

describe('a word that names a kind of goods', () => {
  const kindsFound = async (q: string): Promise<Set<string | undefined>> =>
    new Set(idsOf(await search({ q })).slice(0, 5).map((id) => itemOf(id).kind))

  test('finds the thing before what is made for it', async () => {
    expect(await kindsFound('手机壳')).toEqual(new Set(['phone_case']))
    for (const kind of await kindsFound('手机')) expect(kind).toMatch(/phone$/)
  })

  test('is found in either script, width and number, and by its sound', async () => {
    const ids = idsOf(await search({ q: '保温杯' }))
    expect(ids.length).toBeGreaterThan(0)
    for (const q of ['保溫杯', 'baowenbei', 'bao wen bei']) {
      expect(idsOf(await search({ q })), q).toEqual(ids)
    }
    expect(await kindsFound('phone cases')).toEqual(await kindsFound('ＰＨＯＮＥ case'))
  })

  test('is looked for with its attribute, however the unit is written', async () => {
    const ids = idsOf(await search({ q: '保温杯 500ml' }))
    expect(ids.length).toBeGreaterThan(0)
    for (const q of ['500毫升保温杯', '500 ML 保温杯', '0.5L保温杯', '保溫杯５００ｍｌ']) {
      expect(idsOf(await search({ q })), q).toEqual(ids)
    }
  })

  test('stays when nothing has the other words, and those are named', async () => {
    const result = await search({ q: '麒麟牌 恐龙味 手机壳' })
    expect(result.relaxed?.kind).toBe('most_words')
    expect(result.relaxed?.dropped).toEqual(['麒麟牌', '恐龙味'])
    for (const id of idsOf(result)) expect(itemOf(id).kind).toBe('phone_case')
  })

  test('with a letter wrong is read right, and that is said', async () => {
    const result = await search({ q: 'mechnical keybord' })
    expect(idsOf(result)).toEqual(idsOf(await search({ q: 'mechanical keyboard' })))
    expect(result.relaxed).toMatchObject({ kind: 'typo', dropped: [] })
    expect(result.relaxed?.note).toContain('keyboard')
  })

  test('with polite words around it means the same', async () => {
    const plain = idsOf(await search({ q: '保温杯' }))
    for (const q of ['我想买一个保温杯', '请问有没有保温杯', '我要一个保温杯，谢谢']) {
      expect(idsOf(await search({ q })), q).toEqual(plain)
    }
  })
})

describe('what is refused', () => {
  test('is never shown, and nothing else is lost', async () => {
    const all = await everyPage({ q: '手机壳' })
    const isOf = (material: string) => (id: number) => itemOf(id).facts.said.includes(material)
    const materials = ['真皮', '液态硅胶', 'TPU软壳', '芳纶纤维']
      .filter((material) => all.ids.some(isOf(material)) && !all.ids.every(isOf(material)))
    expect(materials).not.toEqual([])
    for (const material of materials) {
      const { ids } = await everyPage({ q: `手机壳 不要${material}` })
      expect(ids.toSorted(), material)
        .toEqual(all.ids.filter((id) => !isOf(material)(id)).toSorted())
    }
  })

  test('is not shown where nothing else is there, and that is said', async () => {
    const result = await search({ q: '手机壳 不要真皮', min: 1_000_000 })
    expect(result).toMatchObject({ total: 0, productIds: [], relaxed: { kind: 'none_here' } })
  })
})

describe('a price', () => {
  test('that the words name counts as one that is given, which wins', async () => {
    const { ids } = await everyPage({ q: '100元以内的手机壳' })
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids) expect(finalPrice(itemOf(id).line)).toBeLessThanOrEqual(10_000)
    const { total } = await search({ q: '手机壳' })
    expect((await search({ q: '1元以内的手机壳', max: 100_000_000 })).total).toBe(total)
  })

  test('that nothing has is answered with the prices there are', async () => {
    const { total, relaxed } = await search({ q: '手机壳', min: 90_000_000 })
    expect(total).toBe(0)
    expect(relaxed?.kind).toBe('none_here')
    expect(relaxed?.note).toMatch(/¥/)
  })
})

describe('goods whose kind nobody knows', () => {
  test('are found by all words of their titles', async () => {
    for (const q of ['麒麟飞碟', '飞碟 麒麟', '我想买麒麟飞碟', '麒麟飛碟']) {
      expect(idsOf(await search({ q })).slice(0, 2).toSorted(), q).toEqual([900_001, 900_003])
    }
    expect(idsOf(await search({ q: '他说' }))).toEqual([900_005])
  })

  test('are in order, on pages and within filters as others are', async () => {
    const q = '麒麟飞碟'
    const firstTwo = async (sort: Sort): Promise<number[]> =>
      idsOf(await search({ q, sort })).slice(0, 2)
    expect(await firstTwo('price_asc')).toEqual([900_003, 900_001])
    expect(await firstTwo('price_desc')).toEqual([900_001, 900_003])
    for (const filter of [{ q, supply: 'own' as const }, { q, min: 2 },
      { q: '麒麟飞碟 不要黑色' }]) expect(idsOf(await search(filter))[0]).toBe(900_001)
  })

  test('with model names are found whole, in parts, and in any width', async () => {
    for (const q of ['SY-1507B', 'sy1507b', 'ＳＹ１５０７Ｂ', 'SY 1507', '1507b kelvane']) {
      expect(idsOf(await search({ q })), q).toEqual([900_001])
    }
  })

  test('a word in the title counts more than one in the description', async () => {
    expect(idsOf(await search({ q: 'Kelvane', supply: 'own' }))).toEqual([900_001, 900_002])
  })
})

test('two kinds that are named take turns', async () => {
  const [one, other] = [...new Set(LINES.map(({ kind }) => kind))].flatMap((kind) =>
    taxonomy().kinds.get(kind ?? '') ?? []).filter(({ name_zh }) => {
    const { kinds } = understand(name_zh)
    return kinds.length === 1
  })
  const { productIds, relaxed } = await search({ q: `${one?.name_zh}和${other?.name_zh}` })
  expect(productIds.slice(0, 2).map((id) => itemOf(id).kind).toSorted())
    .toEqual([one?.kind, other?.kind].toSorted())
  expect(relaxed).toBeUndefined()
})

test('a noun that nobody sells here finds nothing, and that is said', async () => {
  for (const q of ['月球车票', '飞毯', 'xyzzy', 'Kelvane xyzzy']) {
    const result = await search({ q })
    expect(result, q).toMatchObject({ total: 0, productIds: [], relaxed: { kind: 'none_here' } })
  }
})

test('a brand alone finds goods of the brand', async () => {
  const [line] = LINES as [CatalogueLine]
  const [zh = ''] = line.brand.match(/^\p{Script=Han}+/u) ?? []
  const { ids } = await everyPage({ q: zh })
  expect(ids).toContain(line.product_id)
  for (const id of ids) expect(fold(itemOf(id).line.title)).toContain(zh)
})

describe('text that looks like the query language is text', () => {
  test.each(['*', '@price:[0 1]', 'a|b -c', '(((', ')', '"', '{own}', '%%%%', '~x', '$p', '=>[KNN]',
    '\\', 'a\\*', '@supply:{own}', 'title:*', '-手机', '\u0000', '*手机*', "'; FLUSHALL", '1 2 3 inf'])(
    '%s', async (q) => {
      const { total, productIds } = await search({ q })
      expect(total).toBeGreaterThanOrEqual(productIds.length)
      expect(total).toBeLessThan(LINES.length)
    })

  test('words that the language keeps for itself are found', async () => {
    for (const q of ['ismissing', 'ismissing inf', 'inf nan', '1e5']) {
      expect(idsOf(await search({ q })), q).toContain(900_004)
    }
  })
})

describe('of a kind with more goods than a node chooses from', () => {
  const MORE = 150
  const COUNT = CANDIDATES_MAX + MORE
  beforeAll(async () => {
    await importCatalogue(stores, Array.from({ length: COUNT }, (_, at) => ownLine(950_001 + at, {
      title: `云砾 珂萤坐骑${at}`, retail_price: 1000 + at, sales: at,
    })))
  })

  test('all are counted, and the cheapest are found', async () => {
    const plain = await search({ q: '珂萤坐骑', count: 3 })
    expect(plain.total).toBe(COUNT)
    const wished = await search({ q: '珂萤坐骑 不要红色', sort: 'price_asc', count: 3 })
    expect(idsOf(wished)).toEqual([950_001, 950_002, 950_003])
    const dearest = await search({ q: '珂萤坐骑 不要红色', sort: 'price_desc', count: 1 })
    expect(idsOf(dearest)).toEqual([950_000 + COUNT])
  })
})
