/** Variants of one product: in details, in searches, and through every change of the catalogue. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { GoodsDetail, GoodsPage, ShelfDetail } from '../operations/goods-fields.ts'
import { partitionOf } from '../redis/keys.ts'
import { mallLine, ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { problemsOf } from '../validate.ts'
import { createBoard, type Board } from './stock.ts'
import { rebuildShelf, setDelisted } from './store.ts'
import { exportCatalogue } from './catalogue-file.ts'
import { createGoods, type Goods } from './goods.ts'
import { importCatalogue, importFile } from './import.ts'
import type { CatalogueLine } from './line.ts'
import { VARIANTS_MAX } from './variants.ts'

const shirt = (id: number, size: string, colour: string, facts: Partial<CatalogueLine> = {}) =>
  ownLine(id, {
    title: `鹿砚 Luyarn 纯棉T恤 圆领 ${colour} ${size}`, brand: '鹿砚 Luyarn', category_id: 9,
    group_id: 'tee-7', sales: 100, specs: [
      { name: '领型', value: '圆领' }, { name: '颜色', value: colour }, { name: '尺码', value: size },
    ], ...facts,
  })

const LINES: CatalogueLine[] = [
  shirt(900_001, 'M', '黑色', { stock: 3 }),
  shirt(900_002, 'XL', '黑色', { retail_price: 6900 }),
  shirt(900_003, 'XL', '白色', { retail_price: 4900 }),
  mallLine(900_004, { ...without(shirt(900_004, 'L', '白色'), 'stock'), supply: 'mall_b',
    merchant_id: 0, external_id: '1000000004', coupon: { amount: 900, threshold: 100 } }),
  ownLine(900_005, { group_id: 'tee' }),
  ownLine(900_006),
]

function without(line: CatalogueLine, name: 'stock' | 'group_id'): CatalogueLine {
  const { [name]: _, ...rest } = line
  return rest as CatalogueLine
}

let stores: OwnStores
let board: Board
let goods: Goods
let folder: string

beforeAll(async () => {
  stores = await ownStores()
  folder = await mkdtemp(join(tmpdir(), 'agentmall-variants-'))
})
afterAll(async () => {
  goods.close()
  await stores.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  goods?.close()
  await stores.ledger.flushall()
  await stores.shelf.flushall()
  await importCatalogue(stores, LINES)
  await open()
})

async function open(): Promise<void> {
  board = createBoard(stores.ledger)
  for (const { product_id } of LINES) await board.reload(partitionOf(product_id))
  goods = await createGoods({ shelf: stores.shelf, board, publicUrl: 'https://mall.test',
    log: createLogger('silent'), pollMs: 20 })
}

interface Variant {
  sku_id?: number, item_id?: string, specs: { name: string, value: string }[]
  final_price: number, available_qty: number | null, current: boolean
}
interface Detail { group_id?: string, variants?: Variant[] }

const detail = async (productId: number): Promise<Detail> => {
  const answer = (await goods.detail(productId * 100 + 1)).toJSON() as Detail
  expect(problemsOf(GoodsDetail, answer)).toEqual([])
  return answer
}
const shelfItem = async (productId: number): Promise<Detail> => {
  const answer = (await goods.shelfItem(`shelf:${productId}01`)).toJSON() as Detail
  expect(problemsOf(ShelfDetail, answer)).toEqual([])
  return answer
}
const variantsOf = async (productId: number): Promise<(number | undefined)[]> =>
  (await detail(productId)).variants?.map(({ sku_id }) => sku_id) ?? []
const colourAndSize = (colour: string, size: string) =>
  [{ name: '颜色', value: colour }, { name: '尺码', value: size }]

describe('a detail', () => {
  test('lists what can be ordered, the cheapest first, with what differs and stock', async () => {
    expect(await detail(900_001)).toMatchObject({ group_id: 'tee-7', variants: [
      { sku_id: 90_000_301, specs: colourAndSize('白色', 'XL'), final_price: 4900,
        available_qty: 10, current: false },
      { sku_id: 90_000_101, specs: colourAndSize('黑色', 'M'), final_price: 5900,
        available_qty: 3, current: true },
      { sku_id: 90_000_201, specs: colourAndSize('黑色', 'XL'), final_price: 6900,
        available_qty: 10, current: false },
    ] })
  })

  test('of the shelf lists every supply by what is paid', async () => {
    const { variants } = await shelfItem(900_004)
    expect(variants?.map(({ item_id, final_price, available_qty, current }) =>
      [item_id, final_price, available_qty, current])).toEqual([
      ['shelf:90000301', 4900, 10, false], ['shelf:90000401', 5000, null, true],
      ['shelf:90000101', 5900, 3, false], ['shelf:90000201', 6900, 10, false],
    ])
  })

  test('says nothing of variants where there is no other of just that group', async () => {
    expect(await detail(900_005)).not.toHaveProperty('variants')
    expect(await detail(900_006)).not.toHaveProperty('variants')
    expect(await shelfItem(900_005)).not.toHaveProperty('variants')
  })

  test('says the stock of each variant as it is now, also when it is asked again', async () => {
    expect((await detail(900_003)).variants?.[1]?.available_qty).toBe(3)
    board.apply([{ partition: partitionOf(900_001), productId: 900_001, stock: 1 } as never])
    expect((await detail(900_003)).variants?.[1]?.available_qty).toBe(1)
    expect((await detail(900_003)).variants?.[1]?.available_qty).toBe(1)
  })

  test('says in what variants differ where two facts have one name', async () => {
    const pack = (size: string) => [{ name: '规格', value: size }, { name: '规格', value: '两瓶装' }]
    await importCatalogue(stores, [900_021, 900_022].map((id, at) =>
      ownLine(id, { group_id: 'pack', specs: pack(at === 0 ? '大号' : '小号') })))
    await expect.poll(async () => (await detail(900_021)).variants?.map(({ specs }) => specs))
      .toEqual([pack('大号'), pack('小号')])
  })

  test('of a group without end lists a bounded number, itself among them', async () => {
    await importCatalogue(stores, Array.from({ length: VARIANTS_MAX + 5 }, (_, at) =>
      shirt(910_001 + at, `${at}码`, '灰色', { retail_price: 100 + at })))
    goods.close()
    await open()
    const { variants = [] } = await detail(900_002)
    expect(variants).toHaveLength(VARIANTS_MAX)
    expect(variants.filter(({ current }) => current).map(({ sku_id }) => sku_id))
      .toEqual([90_000_201])
  })
})

describe('a change of the catalogue', () => {
  const all = [90_000_301, 90_000_101, 90_000_201]

  test('that delists a variant takes it out, and relisting brings it back', async () => {
    expect(await variantsOf(900_001)).toEqual(all)
    await setDelisted(stores, 900_003, true)
    await expect.poll(() => variantsOf(900_001)).toEqual(all.slice(1))
    await setDelisted(stores, 900_003, false)
    await expect.poll(() => variantsOf(900_001)).toEqual(all)
  })

  test('that gives a product another group, or none, is followed', async () => {
    await importCatalogue(stores, [without(shirt(900_003, 'XL', '白色'), 'group_id')])
    await expect.poll(() => variantsOf(900_001)).toEqual(all.slice(1))
    expect(await variantsOf(900_003)).toEqual([])
    await importCatalogue(stores, [shirt(900_003, 'XL', '白色', { group_id: 'tee' })])
    await expect.poll(() => variantsOf(900_003)).toEqual([90_000_301, 90_000_501])
    expect(await variantsOf(900_001)).toEqual(all.slice(1))
  })

  test('a rebuild of an empty shelf keeps every group', async () => {
    const before = await Promise.all([detail(900_001), shelfItem(900_004), detail(900_005)])
    await stores.shelf.flushall()
    await rebuildShelf(stores)
    goods.close()
    await open()
    expect(await Promise.all([detail(900_001), shelfItem(900_004), detail(900_005)]))
      .toEqual(before)
  })

  test.each(['ndjson', 'csv'] as const)('an export as %s brings groups back', async (format) => {
    let text = ''
    await exportCatalogue(stores.ledger,
      { write: (part: string) => { text += part; return true } } as never, format)
    const path = join(folder, `catalogue.${format}`)
    await writeFile(path, text)
    await stores.ledger.flushall()
    await stores.shelf.flushall()
    expect(await importFile(stores, path)).toMatchObject({ added: LINES.length, refused: 0 })
    goods.close()
    await open()
    expect(await variantsOf(900_001)).toEqual(all)
  })

  test('a line whose group_id has another form is refused', async () => {
    const path = join(folder, 'bad.ndjson')
    await writeFile(path, ['', 'a b', '*', 'x'.repeat(65)].map((group_id, at) =>
      JSON.stringify(ownLine(920_001 + at, { group_id }))).join('\n'))
    const { refused, refusedLines } = await importFile(stores, path)
    expect(refused).toBe(4)
    expect(refusedLines[1]?.reason).toMatch(/^group_id does not have the form/)
  })
})

describe('a search', () => {
  interface Page { items: { product_id: number, group_id?: string }[], total: number }
  const found = async (q: string, sort?: 'price_asc'): Promise<number[]> => {
    const page = (await goods.search({ q, ...sort && { sort } })).toJSON() as Page
    expect(problemsOf(GoodsPage, page)).toEqual([])
    return page.items.map(({ product_id }) => product_id)
  }
  const others = [
    shirt(900_011, 'M', '红色', { group_id: 'other', sales: 0, rating: 1 }),
    shirt(900_012, 'M', '绿色', { sales: 0, rating: 0 }),
  ].map((line, at) => at === 0 ? line : without(line, 'group_id'))

  beforeEach(async () => {
    await importCatalogue(stores, others)
    goods.close()
    await open()
  })

  test('shows one variant of each product before the second of any', async () => {
    const ids = await found('T恤')
    expect(ids).toHaveLength(5)
    expect(new Set(ids.slice(0, 3))).toEqual(new Set([ids[0], 900_011, 900_012]))
  })

  test('by price stays by price', async () => {
    expect((await found('T恤', 'price_asc'))[0]).toBe(900_003)
    expect((await found('T恤', 'price_asc')).at(-1)).toBe(900_002)
  })

  test.each([
    ['XL码 T恤 黑色', 900_002], ['T恤 白色', 900_003], ['M码黑色T恤', 900_001],
  ])('%s leads to the variant that has it', async (q, productId) => {
    expect((await found(q))[0]).toBe(productId)
  })
})
