/** Searches on a real index, held against a reading of every item. */
import { understand } from '../language/understand.ts'
import { listsOf } from './candidates.ts'
import { fc, test } from '@fast-check/vitest'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { mallLine, ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { finalPrice, lineTokens } from './document.ts'
import { generateCatalogue } from './generate.ts'
import { importCatalogue } from './import.ts'
import { kindOf } from './kinds.ts'
import { SUPPLIES, type CatalogueLine } from './line.ts'
import type { GoodsFilter, Sort } from './query.ts'
import { searchShelf, type Result } from './search.ts'
import { queryWords, type QueryWord } from './tokenize.ts'

const LINES: CatalogueLine[] = [
  ...generateCatalogue({ items: 480, seed: 'search test' }),
  ownLine(900_001, { title: 'Kelvane 电热水壶 SY-1507B 1.5L', retail_price: 12_900 }),
  ownLine(900_002, { title: '手机壳 手机支架', agent_desc: '适合 Kelvane 手机。', sales: 999_999 }),
  mallLine(900_003, { title: '大容量 手机 移动电源', supply: 'mall_b', retail_price: 1 }),
  ownLine(900_004, { title: 'ismissing inf nan 1e5', retail_price: 100_000_000 }),
]

let stores: OwnStores
const found = new Map<number, { line: CatalogueLine, all: Set<string>, kind?: string }>()

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, LINES)
  for (const line of LINES) {
    const { title, text } = lineTokens(line)
    const kind = kindOf(line)
    found.set(line.product_id, { line, all: new Set([...title, ...text]), ...(kind && { kind }) })
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
    ...filter, understood: understand(q), words: queryWords(q), sort, offset, count,
  })
}

const idsOf = ({ productIds }: Result): number[] => [...productIds]

/** A word stands in an item by its tokens, or because it names the item's kind. */
function stands(word: QueryWord, { all, kind }: { all: ReadonlySet<string>, kind?: string }) {
  const { tokens, any, kinds = [], alike = [], within = [] } = word
  return (any ? tokens.some((token) => all.has(token)) : tokens.every((token) => all.has(token)))
    || (kind !== undefined && [...kinds, ...alike, ...within].includes(kind))
}

function expected({ q, category, supply, min = 0, max = Infinity }: Query): number[] {
  const words = queryWords(q).filter(({ soft }) => !soft)
  return [...found.values()].filter((item) => words.every((word) => stands(word, item))
    && (category === undefined || item.line.category_id === category)
    && (supply === undefined || item.line.supply === supply)
    && finalPrice(item.line) >= min && finalPrice(item.line) <= max)
    .map(({ line }) => line.product_id)
}

async function everyPage(query: Query): Promise<{ ids: number[], totals: Set<number> }> {
  const ids: number[] = []
  const totals = new Set<number>()
  for (let offset = 0; ; offset += 50) {
    const page = await search({ ...query, offset })
    totals.add(page.total)
    ids.push(...idsOf(page))
    if (page.productIds.length < 50) return { ids, totals }
  }
}

/** Parts of real titles and descriptions, and words that stand in none. */
const part = fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 6 }), fc.boolean())
  .map(([which, at, length, inTitle]) => {
    const line = LINES[which % LINES.length] as CatalogueLine
    const text = inTitle ? line.title : line.agent_desc
    return text.slice(at % text.length, at % text.length + length)
  })
const text = fc.oneof({ weight: 5, arbitrary: part },
  { weight: 2, arbitrary: fc.tuple(part, part).map(([a, b]) => `${a} ${b}`) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) })
const price = fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined })
const query = fc.record({
  q: text,
  category: fc.option(fc.integer({ min: 1, max: 24 }), { nil: undefined, freq: 1 }),
  supply: fc.option(fc.constantFrom(...SUPPLIES), { nil: undefined }),
  min: price,
  max: price,
  sort: fc.constantFrom<Sort>('relevance', 'price_asc', 'price_desc'),
}).map((all) => Object.fromEntries(
  Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as Query)

test.prop([query], { numRuns: 300 })(
  'all pages together are exactly the items that have all words and pass every filter',
  async (given) => {
    const oracle = queryWords(given.q).length === 0 ? [] : expected(given)
    const { ids, totals } = await everyPage(given)
    if (oracle.length > 0) {
      expect(ids.toSorted()).toEqual(oracle.toSorted())
      expect(totals).toEqual(new Set([oracle.length]))
    } else {
      // Whatever was given up, no filter was, and each item has most of the words or the noun.
      const words = queryWords(given.q).filter(({ soft }) => !soft).slice(0, 12)
      const loose = expected({ ...given, q: '' })
      const typos = words.filter(({ latin }) => latin).length
      for (const id of ids) {
        expect(loose).toContain(id)
        const item = found.get(id) as NonNullable<ReturnType<typeof found.get>>
        const has = words.filter((word) => stands(word, item))
        if (!has.some(({ kinds }) => kinds)) {
          expect(has.length + typos).toBeGreaterThanOrEqual(words.length / 2)
        }
      }
    }
    const prices = ids.map((id) => finalPrice(found.get(id)?.line as CatalogueLine))
    if (given.sort === 'price_asc') expect(prices).toEqual(prices.toSorted((a, b) => a - b))
    if (given.sort === 'price_desc') expect(prices).toEqual(prices.toSorted((a, b) => b - a))
  }, 120_000)

test('a word in the title counts more than one in the description', async () => {
  expect(idsOf(await search({ q: 'Kelvane' }))).toEqual([900_001, 900_002])
})

test('model names are found whole, in parts, and with a typing width of their own', async () => {
  for (const q of ['SY-1507B', 'sy1507b', 'ＳＹ１５０７Ｂ', 'SY 1507', '1507b kelvane']) {
    expect(idsOf(await search({ q })), q).toEqual([900_001])
  }
})

describe('when nothing has all words', () => {
  test('one wrong, missing or added letter of a Latin word is forgiven, and said', async () => {
    for (const q of ['Kelvone 电热水壶', 'Kelvne 电热水壶', 'Kelvanee 电热水壶']) {
      const result = await search({ q })
      expect(idsOf(result), q).toEqual([900_001])
      expect(result.relaxed).toMatchObject({ kind: 'typo', dropped: [] })
    }
    expect((await search({ q: 'Klevnae 电热水壶' })).relaxed?.kind).not.toBe('typo')
  })

  test('items with most of the words are found, and the others are named', async () => {
    const result = await search({ q: 'Kelvane SY-1507B 麒麟飞碟' })
    expect(idsOf(result)).toEqual([900_001])
    expect(result.relaxed).toMatchObject({ kind: 'most_words', dropped: ['麒麟', '飞碟'] })
  })

  test('words that stand only in different items are found apart', async () => {
    const result = await search({ q: 'ismissing nan SY-1507B' })
    expect(idsOf(result)).toEqual([900_004])
    expect(result.relaxed?.kind).toBe('most_words')
  })

  test('less than half of the words is nothing', async () => {
    expect(await search({ q: 'Kelvane 恐龙 飞碟 xyzzy' })).toEqual({ total: 0, productIds: [] })
  })
})

describe('a word that names a kind of goods', () => {
  /** Of the first two items whose kind is known. */
  const kindsFound = async (q: string): Promise<Set<string>> =>
    new Set(idsOf(await search({ q })).flatMap((id) => found.get(id)?.kind ?? []).slice(0, 2))

  test('finds the kind by any of its names, in either language', async () => {
    for (const q of ['纸尿裤', '尿不湿', '尿布', 'diapers', 'diaper', 'baby diapers', '紙尿褲']) {
      expect(await kindsFound(q), q).toEqual(new Set(['baby_diapers']))
    }
  })

  test('finds the thing before what is made for it', async () => {
    expect(await kindsFound('手机壳')).toEqual(new Set(['phone_case']))
    for (const kind of await kindsFound('手机')) expect(kind).toMatch(/phone$/)
  })

  test('is looked for with its attribute, however the unit is written', async () => {
    const ids = idsOf(await search({ q: '保温杯 500ml' }))
    expect(ids.length).toBeGreaterThan(0)
    for (const q of ['500毫升保温杯', '500 ML 保温杯', '0.5L保温杯', '保溫杯５００ｍｌ']) {
      expect(idsOf(await search({ q })), q).toEqual(ids)
    }
  })

  test('stays when nothing else fits, and the rest is named', async () => {
    const result = await search({ q: '麒麟牌 飞碟款 恐龙味 电热水壶' })
    expect(result.relaxed?.kind).toBe('most_words')
    expect(result.relaxed?.dropped).toEqual(expect.arrayContaining(['麒麟', '飞碟', '恐龙']))
    for (const id of idsOf(result).slice(0, 3)) {
      expect(found.get(id)?.kind).toBe('electric_kettle')
    }
  })
})

describe('words around what is looked for', () => {
  test('that are said to be polite change nothing', async () => {
    const plain = idsOf(await search({ q: '电热水壶' }))
    for (const q of ['我想买一个电热水壶', '请问有没有电热水壶', '我要一个电热水壶，谢谢']) {
      expect(idsOf(await search({ q })), q).toEqual(plain)
    }
  })

  test('that are wishes exclude nothing', async () => {
    const { total } = await search({ q: '电热水壶' })
    for (const q of ['便宜的电热水壶', '送女朋友的电热水壶', '质量好的电热水壶推荐']) {
      const result = await search({ q })
      expect(result.total, q).toBe(total)
      expect(result.relaxed, q).toBeUndefined()
    }
  })
})

describe('text that looks like the query language is text', () => {
  test.each(['*', '@price:[0 1]', 'a|b -c', '(((', ')', '"', '{own}', '%%%%', '~x', '$p', '=>[KNN]',
    '\\', 'a\\*', '@supply:{own}', 'title:*', '-手机', '\u0000', '*手机*', "'; FLUSHALL", '1 2 3 inf'])(
    '%s', async (q) => {
      const { total } = await search({ q })
      const words = queryWords(q)
      const oracle = words.length === 0 ? [] : expected({ q })
      if (oracle.length > 0 || words.length === 0) expect(total).toBe(oracle.length)
      else expect(total).toBeLessThanOrEqual(LINES.length)
    })

  test('words that the language keeps for itself are found', async () => {
    for (const q of ['ismissing', 'ismissing inf', 'inf nan', '1e5']) {
      expect(idsOf(await search({ q })), q).toContain(900_004)
    }
  })
})
