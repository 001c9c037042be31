/** Answers as callers get them: spliced texts that are JSON, fit their schema and are true. */
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createLogger } from '../log.ts'
import { GoodsDetail, GoodsPage, ShelfDetail, ShelfPage } from '../operations/goods-fields.ts'
import { untilReady } from '../redis/connect.ts'
import { partitionOf } from '../redis/keys.ts'
import { eventually } from '../testing/eventually.ts'
import { mallLine, ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { problemsOf } from '../validate.ts'
import { createBoard, type Board } from './stock.ts'
import { setDelisted } from './store.ts'
import { finalPrice, weightOf } from './document.ts'
import { generateCatalogue } from './generate.ts'
import { createGoods, type Goods, type GoodsQuery } from './goods.ts'
import { importCatalogue } from './import.ts'
import type { CatalogueLine } from './line.ts'

const HARD = '他说："好" \\ 👍 </script> \u2028 {"a":1}'
const LINES: CatalogueLine[] = [
  ...generateCatalogue({ items: 240, seed: 'goods test' }),
  ownLine(900_001, { title: HARD, agent_desc: `${HARD}\n第二行`, specs: [], retail_price: 77 }),
  ownLine(900_002, { images: ['https://img.example/a.jpg', 'https://img.example/b.jpg'] }),
  mallLine(900_003, { supply: 'mall_b', coupon: { amount: 900, threshold: 5000 } }),
  mallLine(900_004, { supply: 'mall_c', coupon: { amount: 900, threshold: 50_000 } }),
  ownLine(900_005, { delisted: true, title: '看不见的杯子' }),
]
const OWN = LINES.filter(({ supply, delisted }) => supply === 'own' && !delisted)

let stores: OwnStores
let board: Board
let goods: Goods

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, LINES)
  board = createBoard(stores.ledger)
  for (let partition = 0; partition < 256; partition += 1) await board.reload(partition)
  board.current(Date.UTC(2026, 10, 21, 9, 30))
  goods = await createGoods({
    shelf: stores.shelf, board, publicUrl: 'https://mall.test/商店', log: createLogger('silent'),
    pollMs: 20,
  })
})
afterAll(async () => {
  goods.close()
  await stores.close()
})

interface Item {
  product_id: number, sku_id: number, title: string, images: string[], available_qty: number | null
  inventory_snapshot_at: string | null, retail_price: number, category_id: number
  final_price?: number, item_id?: string, coupon?: unknown, purchase_url?: string
}
interface Page { items: Item[], total: number, page: number, page_size: number, relaxed?: object }

const search = async (query: GoodsQuery): Promise<Page> => {
  const page = (await goods.search(query)).toJSON() as Page
  expect(problemsOf(GoodsPage, page)).toEqual([])
  return page
}
const shelfSearch = async (query: GoodsQuery): Promise<Page> => {
  const page = (await goods.shelfSearch(query)).toJSON() as Page
  expect(problemsOf(ShelfPage, page)).toEqual([])
  return page
}
const refused = async (answer: unknown): Promise<Refusal> => {
  const error = await Promise.resolve(answer).then(() => undefined, (error: unknown) => error)
  expect(error).toBeInstanceOf(Refusal)
  return error as Refusal
}

describe('search_goods', () => {
  test('finds our own goods only, with stock and snapshot time of the board', async () => {
    const { items, total } = await search({ q: '保温杯', page_size: 50 })
    expect(items.map(({ product_id }) => product_id)).toContain(900_002)
    expect(total).toBe(items.length)
    for (const item of items) {
      const line = LINES.find(({ product_id }) => product_id === item.product_id)
      expect(line?.supply).toBe('own')
      expect(item.available_qty).toBe(line?.stock)
      expect(item.inventory_snapshot_at).toBe('2026-11-21T09:30:00.000Z')
    }
  })

  test('quotes, emoji and markup in a title come through as they were imported', async () => {
    const { items } = await search({ q: '他说', page_size: 5 })
    expect(items.map(({ title }) => title)).toEqual([HARD.replaceAll(/\s+/g, ' ')])
  })

  test('an item that brings images shows them, any other has a drawn one', async () => {
    const { items } = await search({ q: '云砾 保温杯' })
    const images = items.find(({ product_id }) => product_id === 900_002)?.images
    expect(images).toEqual(['https://img.example/a.jpg', 'https://img.example/b.jpg'])
    const [hard] = (await search({ q: '他说' })).items
    expect(hard?.images).toEqual(['https://mall.test/商店/images/90000101-1.svg'])
  })

  test('a delisted item is nowhere', async () => {
    expect((await search({ q: '看不见的杯子' })).items.map(({ product_id }) => product_id))
      .not.toContain(900_005)
    expect((await refused(goods.detail(90_000_501))).error).toBe('not_found')
    expect((await refused(goods.shelfItem('shelf:90000501'))).error).toBe('not_found')
  })

  test('text with nothing to search for finds nothing; blank text lists everything', async () => {
    expect(await search({ q: '😀!' })).toMatchObject({ items: [], total: 0 })
    expect((await search({ q: ' ' })).total).toBe(OWN.length)
  })
})

describe('pages without a query', () => {
  const filters: GoodsQuery[] = [
    {}, { category_id: 6 }, { price_min: 5000 }, { price_max: 20_000 }, { category_id: 24 },
    { price_min: 5900, price_max: 5900 }, { category_id: 6, price_min: 3000, price_max: 90_000 },
    { price_min: 99_999_999 }, { category_id: 3, price_max: 1 },
  ]
  const orders = ['relevance', 'price_asc', 'price_desc'] as const
  const cases = filters.flatMap((filter) => orders.map((sort) => ({ ...filter, sort })))

  test.each(cases)('%j', async (query) => {
    const { category_id, price_min = 0, price_max = Infinity, sort } = query as GoodsQuery
    const expected = OWN.filter((line) => line.retail_price >= price_min
      && line.retail_price <= price_max
      && (category_id === undefined || line.category_id === category_id))
    const byPrice = sort === 'price_desc' ? -1 : 1
    expected.sort((a, b) => sort === 'relevance'
      ? weightOf(b) - weightOf(a) || a.product_id - b.product_id
      : (a.retail_price - b.retail_price || a.product_id - b.product_id) * byPrice)
    const ids: number[] = []
    for (let page = 1; ; page += 1) {
      const answer = await search({ ...query, page, page_size: 7 })
      expect(answer).toMatchObject({ total: expected.length, page, page_size: 7 })
      ids.push(...answer.items.map(({ product_id }) => product_id))
      if (answer.items.length < 7) break
    }
    expect(ids).toEqual(expected.map(({ product_id }) => product_id))
  })
})

describe('bounds', () => {
  test('pages reach to item 1,000 and not further', async () => {
    expect((await search({ page: 50, page_size: 20 })).items).toEqual([])
    expect((await search({ page: 34, page_size: 30 })).page).toBe(34)
    for (const query of [{ page: 51, page_size: 20 }, { q: '杯', page: 1000, page_size: 50 }]) {
      const { error, detail } = await refused(goods.search(query))
      expect(error).toBe('invalid_request')
      expect(detail.hint).toContain('price range')
    }
  })

  test('a price range the wrong way round names both fields', async () => {
    for (const call of [goods.search, goods.shelfSearch]) {
      const { error, detail } = await refused(call({ q: '杯', price_min: 2, price_max: 1 }))
      expect(error).toBe('invalid_request')
      expect(detail.fields?.map(({ path }) => path)).toEqual(['price_min', 'price_max'])
    }
  })
})

describe('get_goods_detail', () => {
  test('is the item with its specification, rules and all views', async () => {
    for (const line of OWN.slice(-20)) {
      const item = (await goods.detail(line.product_id * 100 + 1)).toJSON() as Item
      expect(problemsOf(GoodsDetail, { ...item, agent_desc: '-', images: ['https://a.b'] }))
        .toEqual([])
      const { agent_desc, aftersale_rules, specs, title, retail_price } = line
      expect(item).toMatchObject({ aftersale_rules, specs, retail_price, available_qty: line.stock,
        agent_desc: agent_desc.replaceAll(/[^\S\n]+/g, ' '), title: title.replaceAll(/\s+/g, ' ') })
      expect(item.images).toHaveLength(line.images?.length ?? 3)
    }
  })

  test('there is none for other supplies, other skus of a product, and unknown ones', async () => {
    for (const sku of [90_000_301, 90_000_102, 99_999_999_901, 1, 100]) {
      expect((await refused(goods.detail(sku))).error).toBe('not_found')
    }
  })
})

describe('the curated shelf', () => {
  test('has every supply, and the price after a coupon that applies to one piece', async () => {
    const { items } = await shelfSearch({ q: '云砾 保温杯', sort: 'price_asc' })
    expect(items.map(({ product_id, final_price, coupon }) => [product_id, final_price, coupon]))
      .toEqual(expect.arrayContaining([
        [900_003, 5000, { amount: 900, threshold: 5000 }],
        [900_004, 5900, { amount: 900, threshold: 50_000 }],
        [900_002, 5900, null],
      ]))
    const first = items[0]
    expect(first).toMatchObject({ product_id: 900_003, item_id: 'shelf:90000301',
      supply: 'mall_b', available_qty: null, inventory_snapshot_at: null })
  })

  test('filters by supply, category and final price', async () => {
    const query = { q: '云砾', category_id: 6, price_min: 5000, price_max: 5000 }
    expect((await shelfSearch(query)).items.map(({ product_id }) => product_id)).toEqual([900_003])
    expect((await shelfSearch({ ...query, supply: 'own' })).total).toBe(0)
    expect((await shelfSearch({ q: '云砾', supply: 'mall_c', category_id: 6 })).items
      .every(({ item_id }) => LINES.some((line) => line.supply === 'mall_c'
        && item_id === `shelf:${line.product_id}01`))).toBe(true)
  })

  test('an item says where a person buys it', async () => {
    const url = async (line: CatalogueLine): Promise<string | undefined> => {
      const item = (await goods.shelfItem(`shelf:${line.product_id}01`)).toJSON() as Item
      expect(item.final_price).toBe(finalPrice(line))
      expect(problemsOf(ShelfDetail, {
        ...item, agent_desc: '-', images: ['https://a.b'], purchase_url: 'https://a.b',
      })).toEqual([])
      return item.purchase_url
    }
    expect(await url(LINES.at(-3) as CatalogueLine)).toBe('https://item.jd.com/ext900003.html')
    expect(await url(LINES.at(-2) as CatalogueLine))
      .toBe('https://mobile.yangkeduo.com/goods.html?goods_sign=ext900004')
    expect(await url(mallLineOf('mall_a'))).toMatch(/^https:\/\/item\.taobao\.com\/item\.htm\?id=/)
    expect(await url(LINES.at(-5) as CatalogueLine)).toBe('https://mall.test/商店/item/90000101')
  })

  const mallLineOf = (supply: string): CatalogueLine =>
    LINES.find((line) => line.supply === supply) as CatalogueLine
})

test('the board shows what the events of an outbox say is left', async () => {
  const partition = partitionOf(900_002)
  board.apply([
    { id: '1-0', partition, type: 'created', at: 1, productId: 900_002, stock: 3 },
    { id: '2-0', partition, type: 'paid', at: 2, productId: 900_002 },
  ])
  board.current(Date.UTC(2026, 10, 21, 9, 31))
  const item = (await goods.detail(90_000_201)).toJSON() as Item
  expect(item.available_qty).toBe(3)
  expect(item.inventory_snapshot_at).toBe('2026-11-21T09:31:00.000Z')
  await board.reload(partition)
  expect(board.quantity(900_002)).toBe(10)
})

test('delisting takes an item off list and shelf, and relisting brings it back', async () => {
  const isListed = async (): Promise<boolean> =>
    (await search({ price_min: 5900, price_max: 5900, category_id: 6 })).items
      .some(({ product_id }) => product_id === 900_002)
  expect(await isListed()).toBe(true)
  expect(await setDelisted(stores, 900_002, true)).toBe(true)
  await eventually(async () => expect(await isListed()).toBe(false))
  expect((await search({ q: '云砾 保温杯' })).items.map((item) => item.product_id))
    .not.toContain(900_002)
  expect(await setDelisted(stores, 900_002, false)).toBe(true)
  await eventually(async () => expect(await isListed()).toBe(true))
  expect(await setDelisted(stores, 900_999, true)).toBe(false)
})

test('with Redis away every answer is "unavailable", none is empty', async () => {
  const shelf = (stores.shelf as Redis).duplicate()
  await untilReady(shelf, 'shelf')
  const away = await createGoods({
    shelf, board, publicUrl: 'https://mall.test', log: createLogger('silent'),
  })
  shelf.disconnect()
  const calls = [
    away.search({ q: '杯' }), away.search({}), away.shelfSearch({ q: '杯' }),
    away.detail(90_000_201), away.shelfItem('shelf:90000201'),
  ]
  const refusals = await Promise.all(calls.map(async (call) => (await refused(call)).error))
  expect(refusals).toEqual(calls.map(() => 'unavailable'))
  away.close()
})
