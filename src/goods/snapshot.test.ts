/** What nodes keep of the shelf while another one changes it. */
import { fc, test as property } from '@fast-check/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { eventually } from '../testing/eventually.ts'
import { ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { createBoard } from './stock.ts'
import { setDelisted } from './store.ts'
import { createGoods, type Goods } from './goods.ts'
import { importCatalogue } from './import.ts'
import { shelfVersion } from './version.ts'

const IDS = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => 800_000 + n)
const POLL_MS = 15

let stores: OwnStores
let nodes: Goods[]

const newNode = (): Promise<Goods> => createGoods({
  shelf: stores.shelf, board: createBoard(stores.ledger), publicUrl: 'https://mall.test',
  log: createLogger('silent'), pollMs: POLL_MS,
})

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, IDS.map((id) => ownLine(id, { retail_price: 1 })))
  nodes = await Promise.all([newNode(), newNode()])
})
afterAll(async () => {
  nodes.forEach((node) => node.close())
  await stores.close()
})

const version = async (): Promise<number> => Number(await shelfVersion(stores.shelf))
const searches = async (): Promise<number> => {
  const stats = await stores.shelf.call('INFO', 'commandstats') as string
  return Number(/cmdstat_FT\.SEARCH:calls=(\d+)/i.exec(stats)?.[1] ?? 0)
}

interface Page {
  readonly catalogue_version: number
  readonly items: readonly { product_id: number, retail_price: number }[]
}
const QUERIES = [
  { q: '保温杯', page_size: 50 },
  { q: '云砾 保温杯', page_size: 50, sort: 'price_desc' },
  { page_size: 50 },
] as const
async function search(node: Goods, at = 0): Promise<Page & { isKept: boolean }> {
  const answer = node.search(QUERIES[at % QUERIES.length] ?? {})
  const page = (await answer).toJSON() as Page
  return { ...page, isKept: !(answer instanceof Promise) }
}

/** What is true of a product from a version on: its price, or that it is not on sale. */
interface Fact { readonly version: number, readonly price: number | undefined }

/** A change is seen by searches from its odd version on, and by all of them from its even one. */
function couldBeShown(
  facts: readonly Fact[], { catalogue_version, isKept }: Page & { isKept: boolean },
  shown: number | undefined,
): boolean {
  const before = Math.max(facts.findLastIndex(({ version: from }) => from <= catalogue_version), 0)
  // What is kept is not newer either: pages that name one version fit together.
  return facts.slice(before, isKept ? before + 1 : undefined).some(({ price }) => price === shown)
}

interface Change { readonly index: number, readonly delist: boolean }
const changes = fc.array(
  fc.record({ index: fc.nat(IDS.length - 1), delist: fc.boolean() }),
  { minLength: 3, maxLength: 10 })

let price = 1

async function apply({ index, delist }: Change, facts: readonly Fact[][]): Promise<void> {
  const id = IDS[index] as number
  price += 1
  // Known before it can be seen: a search during the change may show either side of it.
  const fact = { version: await version() + 2, price: delist ? undefined : price }
  facts[index]?.push(fact)
  if (delist) await setDelisted(stores, id, true)
  else await importCatalogue(stores, [ownLine(id, { retail_price: price })])
  expect(await version()).toBe(fact.version)
}

describe('while the catalogue changes on another node', () => {
  property.prop([changes], { numRuns: 12 })(
    'no answer is older than the version that it names, and no kept one is newer', async (list) => {
      const facts = IDS.map((): Fact[] => [])
      for (const index of IDS.keys()) await apply({ index, delist: false }, facts)
      // What was true before is not known here.
      const first = await version()
      for (const node of nodes) {
        for (const at of QUERIES.keys()) {
          await eventually(async () =>
            expect((await search(node, at)).catalogue_version).toBeGreaterThanOrEqual(first))
        }
      }
      const seen = new Set<number>()
      const wrong: object[] = []
      const done = new AbortController()

      async function searchOnAndOn(node: Goods): Promise<void> {
        for (let at = 0; !done.signal.aborted; at += 1) {
          const page = await search(node, at)
          seen.add(page.catalogue_version)
          const shown = new Map(page.items.map((item) => [item.product_id, item.retail_price]))
          for (const [index, id] of IDS.entries()) {
            if (couldBeShown(facts[index] ?? [], page, shown.get(id))) continue
            wrong.push({ ...page, items: [], id, shown: shown.get(id), facts: facts[index] })
          }
          // Answers that the node knows are given without a turn of the loop.
          await new Promise(setImmediate)
        }
      }
      const searching = nodes.flatMap((node) => [searchOnAndOn(node), searchOnAndOn(node)])
      for (const change of list) await apply(change, facts)
      const last = await version()
      await eventually(() => expect(seen).toContain(last))
      done.abort()
      await Promise.all(searching)
      expect(wrong).toEqual([])
    })

  test('every node has the newest catalogue shortly after, although it kept older answers',
    async () => {
      for (const node of nodes) await search(node)
      price += 1
      await importCatalogue(stores, [ownLine(IDS[0] as number, { retail_price: price })])
      for (const node of nodes) {
        await eventually(async () => {
          const shown = (await search(node)).items.map((item) => item.retail_price)
          expect(shown).toContain(price)
        })
      }
    })
})

describe('what is kept', () => {
  test('a query that was asked before asks Redis nothing', async () => {
    const [node] = nodes as [Goods]
    await eventually(() => expect(node.search(QUERIES[0])).not.toBeInstanceOf(Promise))
    const before = await searches()
    for (let n = 0; n < 100; n += 1) await node.search(QUERIES[0])
    expect(await searches()).toBe(before)
  })

  test('the same words in other letters are the same query', async () => {
    const [node] = nodes as [Goods]
    await eventually(() => expect(node.search({ q: 'yunlix' })).not.toBeInstanceOf(Promise))
    expect(node.search({ q: ' ＹＵＮLIX ' })).toBe(node.search({ q: 'yunlix' }))
  })

  test('other prices, orders and pages of words that were asked before ask Redis nothing',
    async () => {
      const [node] = nodes as [Goods]
      const q = '云砾 保温杯'
      await node.search({ q, price_min: 1 })
      const before = await eventually(async () => {
        const start = await searches()
        await node.search({ q, price_min: 1, page_size: start % 50 + 1 })
        expect(await searches()).toBe(start)
        return start
      })
      const whole = (await node.search({ q, page_size: 50, sort: 'price_asc' })).toJSON() as Page
      const pages = [1, 2].map(async (page) =>
        (await node.search({ q, page, page_size: 2, sort: 'price_asc' })).toJSON() as Page)
      expect((await Promise.all(pages)).flatMap(({ items }) => items))
        .toEqual(whole.items.slice(0, 4))
      const dearest = Math.max(...whole.items.map((item) => item.retail_price))
      const dear = (await node.search({ q, price_min: dearest })).toJSON() as Page
      expect(dear.items.map((item) => item.retail_price)).toEqual([dearest])
      expect(await searches()).toBe(before)
    })

  test('equal searches at the same time are one', async () => {
    const cost = async (times: number): Promise<number> => {
      const node = await newNode()
      const before = await searches()
      await Promise.all(Array.from({ length: times }, () => node.search({ q: '保温 云砾' })))
      node.close()
      return await searches() - before
    }
    const one = await cost(1)
    expect(one).toBeGreaterThan(0)
    expect(await cost(50)).toBe(one)
  })

  test('an answer shows the stock of the moment, also when it is kept', async () => {
    const board = createBoard(stores.ledger)
    const node = await createGoods({
      shelf: stores.shelf, board, publicUrl: 'https://mall.test', log: createLogger('silent'),
      pollMs: POLL_MS,
    })
    const id = 800_100
    await importCatalogue(stores, [ownLine(id, { title: '云砾 煎锅' })])
    const event = { partition: id % 256, type: 'stock', at: 1, productId: id }
    const quantity = async (): Promise<number | undefined> => {
      const { items } = (await node.search({ q: '煎锅' })).toJSON() as
        { items: { product_id: number, available_qty: number }[] }
      return items.find((item) => item.product_id === id)?.available_qty
    }
    board.apply([{ ...event, id: '1-0', stock: 7 }])
    await eventually(() => expect(node.search({ q: '煎锅' })).not.toBeInstanceOf(Promise))
    expect(await quantity()).toBe(7)
    board.apply([{ ...event, id: '2-0', stock: 6 }])
    expect(await quantity()).toBe(6)
    node.close()
  })

  test('an answer whose stock is the same says when that was seen last', async () => {
    const board = createBoard(stores.ledger)
    const node = await createGoods({
      shelf: stores.shelf, board, publicUrl: 'https://mall.test', log: createLogger('silent'),
      pollMs: POLL_MS,
    })
    const query = { q: '保温杯' }
    const times = async (): Promise<Set<string>> => {
      const { items } = (await node.search(query)).toJSON() as
        { items: { inventory_snapshot_at: string }[] }
      return new Set(items.map((item) => item.inventory_snapshot_at))
    }
    await eventually(() => expect(node.search(query)).not.toBeInstanceOf(Promise))
    const kept = await node.search(query)
    board.current(Date.UTC(2026, 2, 1))
    expect(await times()).toEqual(new Set(['2026-03-01T00:00:00.000Z']))
    expect(node.search(query)).toBe(kept)
    board.current(Date.UTC(2026, 2, 2))
    expect(await times()).toEqual(new Set(['2026-03-02T00:00:00.000Z']))
    node.close()
  })

  test('after a reconnection nothing of before is used', async () => {
    const [node] = nodes as [Goods]
    await eventually(() => expect(node.search(QUERIES[0])).not.toBeInstanceOf(Promise))
    stores.shelf.emit('ready')
    const answer = node.search(QUERIES[0])
    expect(answer).toBeInstanceOf(Promise)
    await answer
  })
})
