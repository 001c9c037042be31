/** What an operator does with a catalogue after the first import. */
import { understand } from '../language/understand.ts'
import { listsOf } from './candidates.ts'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { openDoorbell } from '../redis/doorbell.ts'
import { ledger as keys, partitionOf, shelf as shelfKeys } from '../redis/keys.ts'
import { followOutbox } from '../redis/streams.ts'
import { mallLine, ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { changeStock, createBoard } from './stock.ts'
import { rebuildShelf, setDelisted } from './store.ts'
import { exportCatalogue, type CatalogueFormat } from './catalogue-file.ts'
import { generateCatalogue } from './generate.ts'
import { importCatalogue, importFile } from './import.ts'
import { loadListing } from './listing.ts'
import { searchShelf, type Result } from './search.ts'
import { shelfIsCurrent } from './version.ts'

const LINES = [
  ...generateCatalogue({ items: 240, seed: 'catalogue test' }),
  ownLine(900_001, {
    title: '"引号", 逗号\\ 👍', agent_desc: '一\n二', images: ['https://a.b/c?d=1,2'],
  }),
  mallLine(900_002, { coupon: { amount: 100, threshold: 0 } }),
  ownLine(900_003, { delisted: true }),
]

let stores: OwnStores
let folder: string

beforeAll(async () => {
  stores = await ownStores()
  folder = await mkdtemp(join(tmpdir(), 'agentmall-catalogue-'))
})
afterAll(async () => {
  await stores.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await stores.ledger.flushall()
  await stores.shelf.flushall()
  await importCatalogue(stores, LINES)
})

async function exportTo(name: string, format: CatalogueFormat): Promise<string> {
  const path = join(folder, name)
  const out = createWriteStream(path)
  expect(await exportCatalogue(stores.ledger, out, format)).toBe(LINES.length)
  out.end()
  await finished(out)
  return path
}

const search = async (q: string): Promise<Result> => await searchShelf(
  stores.shelf, listsOf(stores.shelf), {
  understood: understand(q), sort: 'relevance', offset: 0, count: 50,
})

/** Everything the shelf answers, as plain values. */
async function answers(): Promise<unknown> {
  const queries = ['手机', '保温杯', '引号', '云砾', 'yunlix 500ml', '不锈钢', '礼盒']
  const listing = await loadListing(stores.shelf)
  const keysOf = LINES.flatMap(({ product_id }) =>
    [shelfKeys.item(product_id), shelfKeys.detail(product_id)])
  return {
    found: (await Promise.all(queries.map(search))).map(({ total, productIds }) => ({
      total, productIds: productIds.toSorted(),
    })),
    texts: await stores.shelf.mget(...keysOf),
    listed: listing.page({}, 'relevance', 0, 1000),
    byPrice: listing.page({ categories: [6] }, 'price_asc', 0, 1000),
  }
}

describe.each(['ndjson', 'csv'] as const)('an export as %s', (format) => {
  test('imported elsewhere gives the same catalogue, with the stock of its moment', async () => {
    await changeStock(stores.ledger, 900_001, -4)
    const path = await exportTo(`catalogue.${format}`, format)
    const before = await answers()
    await stores.ledger.flushall()
    await stores.shelf.flushall()
    expect(await importFile(stores, path)).toMatchObject({
      lines: LINES.length, added: LINES.length - 1, delisted: 1, refused: 0,
    })
    expect(await answers()).toEqual(before)
    expect(await stores.ledger.hget(keys.stock(partitionOf(900_001)), '900001')).toBe('6')
    const again = await exportTo(`again.${format}`, format)
    expect(await readFile(again, 'utf8')).toBe(await readFile(path, 'utf8'))
  })
})

describe('a rebuild', () => {
  test('of an empty shelf gives the same answers', async () => {
    const before = await answers()
    await stores.shelf.flushall()
    expect(await shelfIsCurrent(stores)).toBe(false)
    expect(await rebuildShelf(stores)).toEqual({ items: LINES.length - 1, removed: 0 })
    expect(await answers()).toEqual(before)
    expect(await shelfIsCurrent(stores)).toBe(true)
  })

  test('removes what is not in the catalogue, and mends what was changed', async () => {
    const before = await answers()
    await stores.shelf.hset(shelfKeys.own(77), { title: '手机', supply: 'own', price: 1 })
    await stores.shelf.hset(shelfKeys.listed, '77', '1 1 1')
    await stores.shelf.hset(shelfKeys.own(900_001), { title: 'broken' })
    await stores.shelf.set(shelfKeys.item(900_001), '{')
    await stores.shelf.set(shelfKeys.item(78), '{')
    expect(await rebuildShelf(stores)).toMatchObject({ removed: 2 })
    expect(await answers()).toEqual(before)
  })

  test('never leaves a search without its answer, and leaves no index behind', async () => {
    const { total } = await search('保温杯')
    const state = { isRunning: true }
    const seen = new Set<number>()
    const reader = (async () => {
      while (state.isRunning) seen.add((await search('保温杯')).total)
    })()
    await rebuildShelf(stores)
    state.isRunning = false
    await reader
    expect(seen).toEqual(new Set([total]))
    expect(await stores.shelf.call('FT._LIST')).toHaveLength(2)
  })
})

describe('a change of stock', () => {
  const PRODUCT = 900_001
  const change = (units: number, id?: string) => changeStock(stores.ledger, PRODUCT, units, id)
  const supplied = async (): Promise<string | null> =>
    await stores.ledger.hget(keys.supplied(partitionOf(PRODUCT)), String(PRODUCT))

  test('counts as supplied, and never takes the stock below zero', async () => {
    expect(await change(40)).toEqual({ outcome: 'recorded', units: 50 })
    expect(await change(-51)).toEqual({ outcome: 'below_zero', units: 50 })
    expect(await change(-50)).toEqual({ outcome: 'recorded', units: 0 })
    expect(await supplied()).toBe('0')
  })

  test('with an id is recorded once, and the id stands for that change only', async () => {
    for (const outcome of ['recorded', 'repeated', 'repeated']) {
      expect(await change(5, 'delivery-1')).toEqual({ outcome, units: 15 })
    }
    expect(await change(6, 'delivery-1')).toEqual({ outcome: 'other_delta' })
    expect(await supplied()).toBe('15')
  })

  test('is for own products of the catalogue, in whole units', async () => {
    for (const product of [900_002, 999_999]) {
      expect(await changeStock(stores.ledger, product, 1)).toEqual({ outcome: 'unknown' })
    }
    for (const units of [0, 0.5, NaN, 1e9]) {
      await expect(change(units)).rejects.toThrow(RangeError)
    }
    await expect(change(1, 'a b')).rejects.toThrow(RangeError)
  })

  test('and an import reach every board that follows', async () => {
    const log = createLogger('silent')
    const board = createBoard(stores.ledger)
    const doorbell = openDoorbell(stores.ledger, log)
    const following = await followOutbox({ ledger: stores.ledger, doorbell, follower: board, log })
    try {
      expect(board.size).toBe(LINES.filter(({ supply }) => supply === 'own').length)
      expect(board.quantity(PRODUCT)).toBe(10)
      await change(3)
      await importCatalogue(stores, [ownLine(900_010, { stock: 8 })])
      await expect.poll(() => board.quantity(PRODUCT)).toBe(13)
      await expect.poll(() => board.quantity(900_010)).toBe(8)
      expect(board.snapshotAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    } finally {
      await following.stop()
      await doorbell.close()
    }
  })
})

test('delisting and relisting keep the stock and every other fact', async () => {
  const path = await exportTo('before.ndjson', 'ndjson')
  await changeStock(stores.ledger, 900_001, 1)
  await setDelisted(stores, 900_001, true)
  expect((await search('引号')).total).toBe(0)
  await setDelisted(stores, 900_001, false)
  await changeStock(stores.ledger, 900_001, -1)
  expect(await readFile(await exportTo('after.ndjson', 'ndjson'), 'utf8'))
    .toBe(await readFile(path, 'utf8'))
  expect((await search('引号')).total).toBe(1)
})
