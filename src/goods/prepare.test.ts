/** What a start makes of the shelf that it finds. */
import { understand } from '../language/understand.ts'
import { listsOf } from './candidates.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { ledger as ledgerKeys, shelf as keys } from '../redis/keys.ts'
import { ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { importCatalogue } from './import.ts'
import { prepareCatalogue } from './prepare.ts'
import { searchShelf } from './search.ts'
import { indexesAreCurrent } from './shelf-index.ts'

let stores: OwnStores

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, [ownLine(900_001)])
})
afterAll(() => stores.close())

const prepare = async (
  onWait = (): void => undefined, config = { catalogItems: 0, catalogSeed: '' },
): Promise<number> => await prepareCatalogue({
  urls: { ...stores.urls, counters: '' },
  config,
  log: createLogger('silent'),
  progress: Object.assign(() => {}, { end() {} }),
  onWait,
})

const found = async (): Promise<readonly number[]> =>
  (await searchShelf(stores.shelf, listsOf(stores.shelf), {
    understood: understand('保温杯'), sort: 'relevance', offset: 0, count: 5,
  })).productIds

test('a shelf with the tokens of another release is made anew from the ledger', async () => {
  const [index] = (await stores.shelf.call('FT._LIST') as string[])
    .filter((name) => name.startsWith(keys.ownIndex('')))
  await stores.shelf.call('FT.DROPINDEX', index ?? '')
  await stores.shelf.call('FT.CREATE', keys.ownIndex('older'), 'ON', 'HASH', 'PREFIX', '1',
    keys.ownPrefix, 'SCHEMA', 'title', 'TEXT', 'text', 'TEXT', 'price', 'NUMERIC')
  await stores.shelf.call('FT.ALIASUPDATE', keys.ownAlias, keys.ownIndex('older'))
  await stores.shelf.hset(keys.own(900_001), { title: 'older', text: 'older' })
  expect(await indexesAreCurrent(stores.shelf)).toBe(false)

  expect(await prepare()).toBe(1)
  expect(await indexesAreCurrent(stores.shelf)).toBe(true)
  expect(await found()).toEqual([900_001])
})

test('a shelf that is current is left as it is', async () => {
  await stores.shelf.hset(keys.own(900_001), { title: 'touched', text: 'touched' })
  expect(await prepare()).toBe(1)
  expect(await stores.shelf.hget(keys.own(900_001), 'title')).toBe('touched')
})

test('a change that another process was killed in is waited for, and said once', async () => {
  await stores.shelf.del(keys.catalogueVersion)
  await stores.ledger.set(ledgerKeys.catalogueChange, 'killed', 'PX', 60_000)
  let waits = 0
  // It runs out as soon as the wait has begun: a busy machine may take its time until then.
  expect(await prepare(() => {
    waits += 1
    void stores.ledger.pexpire(ledgerKeys.catalogueChange, 300)
  })).toBe(1)
  expect(waits).toBe(1)
})

test('a catalogue that an older generator made is made again, once', async () => {
  const config = { catalogItems: 24, catalogSeed: 'prepare test' }
  const made = async (): Promise<string | null> => {
    expect(await prepare(undefined, config)).toBe(25)
    return await stores.ledger.get(ledgerKeys.catalogueVersion)
  }
  await stores.ledger.set(ledgerKeys.catalogueGenerated, 'prepare test:24')
  const version = await made()
  expect(await stores.ledger.get(ledgerKeys.catalogueGenerated)).not.toBe('prepare test:24')
  expect(await made()).toBe(version)
})
