/** Goods whose kind nobody knows are looked for where there are some, and only there. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLogger } from '../log.ts'
import { eventually } from '../testing/eventually.ts'
import { ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { kindToken, NO_KIND } from './index-terms.ts'
import { createGoods, type Goods } from './goods.ts'
import { importCatalogue } from './import.ts'
import { createBoard } from './stock.ts'
import { taxonomy } from './taxonomy.ts'

/** Of another category than those of its name, so that its kind stays unknown. */
const NAMELESS = ownLine(910_002, { title: '云砾 Yunlix 保温杯 旅行', category_id: 1 })

let stores: OwnStores
let goods: Goods

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, [ownLine(910_001)])
  goods = await createGoods({
    shelf: stores.shelf, board: createBoard(stores.ledger), publicUrl: 'https://mall.test',
    log: createLogger('silent'), pollMs: 20,
  })
})
afterAll(() => {
  goods.close()
  stores.close()
})

const found = async (q: string): Promise<number[]> => {
  const page = (await goods.search({ q })).toJSON() as { items: { product_id: number }[] }
  return page.items.map(({ product_id }) => product_id)
}

test('where every item has a kind, a search asks for none without', async () => {
  const asked = vi.spyOn(stores.shelf, 'callBuffer')
  const kinds = taxonomy().kinds.values()
  // The first count is kept once the version was confirmed.
  await eventually(async () => {
    asked.mockClear()
    await found(kinds.next().value?.name_zh ?? '')
    const queries = asked.mock.calls.map((words) => String(words[2]))
    expect(queries.length).toBeGreaterThan(0)
    expect(queries.filter((query) => query.includes(kindToken(NO_KIND)))).toEqual([])
  })
  asked.mockRestore()
})

test('an item without a kind is found as soon as there is one', async () => {
  await importCatalogue(stores, [NAMELESS])
  await eventually(async () => expect((await found('保温杯 云砾')).toSorted()).toEqual([910_001,
    910_002]))
})
