/** The curated shelf, seen as one of the sources. */
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SourceError, type Item, type Source } from '../../adapters/index.ts'
import { createBoard, type Board } from '../goods/stock.ts'
import { setDelisted } from '../goods/store.ts'
import { generateCatalogue } from '../goods/generate.ts'
import { createGoods, type Goods } from '../goods/goods.ts'
import { importCatalogue } from '../goods/import.ts'
import type { CatalogueLine } from '../goods/line.ts'
import { createLogger } from '../log.ts'
import { untilReady } from '../redis/connect.ts'
import { mallLine, ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { createShelfSource } from './shelf.ts'

const PUBLIC_URL = 'https://mall.test/商店'
const COUPON = { amount: 900, threshold: 5000 }
const LINES: CatalogueLine[] = [
  ...generateCatalogue({ items: 240, seed: 'shelf test' }),
  ownLine(900_001, { title: '云砾 保温杯 ＡＢＣ 500ml' }),
  ownLine(900_002, { retail_price: 9900, images: ['https://img.example/a.jpg'] }),
  mallLine(900_003, { supply: 'mall_a', coupon: COUPON }),
  mallLine(900_004, { supply: 'mall_b', coupon: { amount: 900, threshold: 50_000 } }),
  mallLine(900_005, { supply: 'mall_c', freight: 700, free_ship_threshold: 99_900 }),
]

let stores: OwnStores
let board: Board
let goods: Goods
let source: Source

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, LINES)
  board = createBoard(stores.ledger)
  goods = await openGoods(stores.shelf)
  source = createShelfSource(goods)
})
afterAll(async () => {
  goods.close()
  await stores.close()
})

const openGoods = (shelf: OwnStores['shelf']) =>
  createGoods({ shelf, board, publicUrl: PUBLIC_URL, log: createLogger('silent'), pollMs: 20 })
const itemOf = async (productId: number): Promise<Item | undefined> =>
  (await source.items([`${productId}01`])).items[0]
const failureOf = (work: Promise<unknown>) => work.then(() => null, (error: unknown) =>
  (error instanceof SourceError ? error.kind : error))

describe('items', () => {
  test('an own item says what it costs, who sells it, and where it is seen', async () => {
    expect(await itemOf(900_001)).toEqual({
      source: 'shelf', id: '90000101', title: '云砾 保温杯 ABC 500ml', brand: '云砾 Yunlix',
      category: '厨具', shop: '云砾旗舰店',
      images: [1, 2, 3].map((view) => `${PUBLIC_URL}/images/90000101-${view}.svg`),
      price: { list_price: 5900, coupon: null, conditions: [], freight: 800, payable: 6700 },
      specs: '500ml', spec_list: [{ name: '容量', value: '500ml' }],
      prose: '不锈钢内胆，保温12小时。',
      special: null, sales: 12, rating: 4.5, reviews: null,
      url: `${PUBLIC_URL}/item/90000101`, coupon_url: null, commission: null,
    })
  })

  test('from the threshold on one piece ships free', async () => {
    expect(await itemOf(900_002)).toMatchObject({
      price: { list_price: 9900, freight: 0, payable: 9900 },
      images: ['https://img.example/a.jpg'],
    })
  })

  test('a mall\'s offer has its coupon where one piece reaches it, an unknown freight, and the '
    + 'mall\'s page', async () => {
    const found = await source.items(['90000301', '90000401', '90000501'])
    expect(found.items.map(({ price, url }) => [price.coupon, price.freight, price.payable, url]))
      .toEqual([
        [COUPON, null, 5000, 'https://item.taobao.com/item.htm?id=ext900003'],
        [null, null, 5900, 'https://item.jd.com/ext900004.html'],
        [null, null, 5900, 'https://mobile.yangkeduo.com/goods.html?goods_sign=ext900005'],
      ])
  })

  test('what is not there is missing, whatever its id looks like', async () => {
    const unknown = ['99999901', '90000102', 'abc', 'not an id', '1']
    expect(await source.items(['90000101', ...unknown])).toMatchObject({
      items: [{ id: '90000101' }], missing: unknown, dropped: 0,
    })
  })
})

describe('search', () => {
  test('every supply is found, each item as it is when it is read by its id', async () => {
    const { items, total, dropped } = await source.search({ q: '云砾 保温杯', page: 1, pageSize: 50 })
    const wanted = LINES.slice(-5).map(({ product_id }) => `${product_id}01`)
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(wanted))
    expect([total, dropped]).toEqual([items.length, 0])
    const read = await source.items(items.map(({ id }) => id))
    expect(new Set(read.items)).toEqual(new Set(items))
  })

  test('pages follow each other to the total', async () => {
    const all = await source.search({ q: '保温杯', page: 1, pageSize: 50 })
    const ids: string[] = []
    for (let page = 1; ids.length < all.items.length; page += 1) {
      const { items, total } = await source.search({ q: '保温杯', page, pageSize: 3 })
      expect([items.length > 0, total]).toEqual([true, all.items.length])
      ids.push(...items.map(({ id }) => id))
    }
    expect(ids).toEqual(all.items.map(({ id }) => id))
  })

  test('a price range is of what is paid, freight included', async () => {
    const ids = async (priceMin: number, priceMax: number) => (await source.search({
      q: '云砾 保温杯', page: 1, pageSize: 50, priceMin, priceMax,
    })).items.map(({ id }) => id).filter((id) => id.startsWith('900')).toSorted()
    expect(await ids(5000, 5900)).toEqual(['90000301', '90000401', '90000501'])
    expect(await ids(5000, 6700)).toEqual(['90000101', '90000301', '90000401', '90000501'])
    expect(await ids(9900, 9900)).toEqual(['90000201'])
  })

  test('sorts by price before freight, and by nothing that it does not know', async () => {
    const asked = { q: '保温杯', page: 1, pageSize: 50 } as const
    const before = ({ price }: Item) => price.payable - (price.freight ?? 0)
    const rising = (await source.search({ ...asked, sort: 'price_asc' })).items.map(before)
    const falling = (await source.search({ ...asked, sort: 'price_desc' })).items.map(before)
    expect(rising.length).toBeGreaterThan(5)
    expect(rising).toEqual(rising.toSorted((a, b) => a - b))
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    expect(await failureOf(source.search({ ...asked, sort: 'sales' }))).toBe('invalid_arg')
  })

  test('with a coupon means one that counts', async () => {
    const { items } = await source.search({
      q: '云砾 保温杯', page: 1, pageSize: 50, withCoupon: true,
    })
    expect(items.map(({ id }) => id)).toContain('90000301')
    expect(items.every(({ price }) => price.coupon !== null)).toBe(true)
  })

  test('nothing found is an empty page; what is beyond the shelf\'s depth is refused', async () => {
    expect(await source.search({ q: '😀!', page: 1, pageSize: 5 }))
      .toEqual({ items: [], total: 0, dropped: 0 })
    for (const [page, pageSize] of [[1, 51], [21, 50], [0, 5]] as const) {
      expect(await failureOf(source.search({ q: '杯', page, pageSize }))).toBe('invalid_arg')
    }
  })

  test('what was delisted since it was found is left out', async () => {
    const gone: Goods = { ...goods,
      offer: (id) => goods.offer(id === 'shelf:90000201' ? 'shelf:1' : id) }
    const asked = { q: '云砾 保温杯', page: 1, pageSize: 50 }
    const all = await source.search(asked)
    const found = await createShelfSource(gone).search(asked)
    expect(found.items).toEqual(all.items.filter(({ id }) => id !== '90000201'))
    expect(await setDelisted(stores, 900_002, true)).toBe(true)
    await expect.poll(async () => (await source.items(['90000201'])).missing).toEqual(['90000201'])
    await setDelisted(stores, 900_002, false)
  })
})

describe('links', () => {
  test('an own item leads to its page, an offer to the mall\'s, neither attributed', async () => {
    const link = async (id: string) => source.convert!({ item: id, subId: 'ag_1' })
    expect(await link('90000101')).toMatchObject({
      source: 'shelf', item_id: '90000101', url: `${PUBLIC_URL}/item/90000101`,
      attributed: false, coupon_applied: false, expires_at: null,
    })
    expect(await link('90000401')).toMatchObject({
      url: 'https://item.jd.com/ext900004.html', attributed: false,
    })
    expect(await failureOf(link('99999901'))).toBe('not_found')
  })

  test('its own page tells the item, as written or encoded', async () => {
    const page = `${PUBLIC_URL}/item/90000101`
    for (const url of [page, new URL(page).href, `${page}?from=x#top`]) {
      expect(source.readLink(url), url).toEqual({ id: '90000101' })
      expect(await source.convert!({ url })).toMatchObject({ item_id: '90000101' })
    }
  })

  test.each([
    'https://evil.example/商店/item/90000101', 'https://mall.test/item/90000101',
    'https://mall.test@evil.example/商店/item/90000101', 'http://mall.test/商店/item/90000101',
    'https://mall.test:8443/商店/item/90000101', 'https://a@mall.test/商店/item/90000101',
    ' https://mall.test/商店/item/90000101', 'https://mall.test/商店/item/90000101x',
    'https://mall.test/商店/item/', 'javascript:alert(1)', 'no link',
    'https://item.jd.com/ext900004.html',
  ])('%s is no page of the shelf', async (url) => {
    expect(source.readLink(url)).toBeNull()
    expect(await failureOf(source.convert!({ url }))).toBe('invalid_arg')
  })
})

describe('failures', () => {
  test('with Redis away the source cannot be reached; it never seems empty', async () => {
    const shelf = (stores.shelf as Redis).duplicate()
    await untilReady(shelf, 'shelf')
    const away = await openGoods(shelf)
    const lost = createShelfSource(away)
    shelf.disconnect()
    const works = [
      lost.search({ q: '杯', page: 1, pageSize: 5 }), lost.items(['90000101']),
      lost.convert!({ item: '90000101' }),
    ]
    expect(await Promise.all(works.map(failureOf))).toEqual(works.map(() => 'network'))
    away.close()
  })

  test('a shelf that does not answer is given up at the deadline or by its caller', async () => {
    const slow = createShelfSource({ ...goods, shelfSearch: () => new Promise(() => {}) })
    const asked = { q: '杯', page: 1, pageSize: 5 }
    expect(await failureOf(slow.search(asked, { deadlineMs: 20 }))).toBe('timeout')
    const leaving = new AbortController()
    const left = failureOf(slow.search(asked, { signal: leaving.signal }))
    expect(slow.health()).toEqual({ circuit: 'closed', active: 1, queued: 0, skewMs: null })
    leaving.abort()
    expect(await left).toBe('aborted')
    expect(slow.health().active).toBe(0)
    await slow.close()
    expect((await source.search(asked)).items.length).toBeGreaterThan(0)
  })
})
