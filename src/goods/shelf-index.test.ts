import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RedisClient } from '../redis/connect.ts'
import { mallLine, ownLine, ownStores, type OwnStores } from '../testing/goods.ts'
import { importCatalogue } from './import.ts'
import { indexesComplete, indexReady, indexStates, renewIndexes } from './shelf-index.ts'

/** Questions that are answered as if an index were still filled. */
const LOOKS = 3

let stores: OwnStores

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, [ownLine(900_001), mallLine(900_002)])
})
afterAll(() => stores.close())

/** The shelf, whose indexes take some looks longer to be filled. */
function filling(shelf: RedisClient, looks: number): { shelf: RedisClient, left: () => number } {
  let left = looks
  const slow = Object.create(shelf) as RedisClient
  slow.call = (async (name: string, ...args: string[]) => {
    const reply = await shelf.call(name, ...args) as unknown[]
    if (name !== 'FT.INFO' || left === 0) return reply
    left -= 1
    return reply.map((value, at) => (reply[at - 1] === 'indexing' ? '1' : value))
  }) as RedisClient['call']
  return { shelf: slow, left: () => left }
}

describe('an index that is filled', () => {
  test('is waited for', async () => {
    const { shelf, left } = filling(stores.shelf, LOOKS)
    await indexReady(shelf)
    expect(left()).toBe(0)
  })

  test('is not complete', async () => {
    expect(await indexesComplete(filling(stores.shelf, 1).shelf)).toBe(false)
    expect(await indexesComplete(stores.shelf)).toBe(true)
  })

  test('has its rebuild say meanwhile that it is alive', async () => {
    const { shelf } = filling(stores.shelf, LOOKS)
    let said = 0
    await renewIndexes(shelf, async () => { said += 1 })
    expect(said).toBeGreaterThan(0)
    expect((await indexStates(stores.shelf)).map(({ documents }) => documents)).toEqual([1, 1])
  })
})
