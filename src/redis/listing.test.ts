import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from './connect.ts'
import { readMatches, readPage, WINDOW, type Listed, type Listing } from './listing.ts'

const redis = openRedis(inject('redis').ledgerUrl, createLogger('silent'))
beforeAll(() => untilReady(redis, 'ledger'))
afterAll(() => { redis.disconnect() })

/** Sets of members with these scores; every set has names of its own. */
async function sets(...scores: (readonly number[])[]): Promise<string[]> {
  return await Promise.all(scores.map(async (own, at) => {
    const key = `test:listing:${randomUUID()}`
    for (let from = 0; from < own.length; from += 500) {
      await redis.zadd(key, ...own.slice(from, from + 500).flatMap((score, index) =>
        [score, `${at}-${String(from + index).padStart(5, '0')}`]))
    }
    await redis.expire(key, 60)
    return key
  }))
}

const listing = (keys: string[], more: Partial<Listing<Listed>> = {}): Listing<Listed> =>
  ({ keys, isOldestFirst: false, read: async (found) => found, ...more })
const scoresOf = (items: readonly Listed[]): number[] => items.map(({ score }) => score)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

test('pages of several sets are one list, the newest or the oldest first', async () => {
  const keys = await sets([1, 4, 7], [2, 5], [], [3, 6, 8])
  const page = await readPage(redis, listing(keys), { page: 1, limit: 3 })
  expect([scoresOf(page.items), page.total, page.in_range]).toEqual([[8, 7, 6], 8, 8])
  expect(scoresOf((await readPage(redis, listing(keys), { page: 3, limit: 3 })).items))
    .toEqual([2, 1])
  expect(scoresOf((await readPage(redis, listing(keys, { isOldestFirst: true }),
    { page: 2, limit: 3 })).items)).toEqual([4, 5, 6])
})

test('a page behind the last one is the last one, and one of nothing is the first', async () => {
  const keys = await sets([1, 2], [3])
  const page = await readPage(redis, listing(keys), { page: 9, limit: 2 })
  expect([page.page, scoresOf(page.items)]).toEqual([2, [1]])
  expect(await readPage(redis, listing(await sets([])), { page: 5, limit: 2 }))
    .toMatchObject({ items: [], page: 1, total: 0, in_range: 0 })
})

test('both ends of a range are in it, also where many have one score', async () => {
  const keys = await sets([1, 2, 2, 2, 3], [2, 2, 4])
  const range = { from: 2, to: 3 }
  const page = await readPage(redis, listing(keys, range), { page: 1, limit: 20 })
  expect([scoresOf(page.items), page.in_range]).toEqual([[3, 2, 2, 2, 2, 2], 6])
  const oldest = await readPage(redis, listing(keys, { ...range, isOldestFirst: true }),
    { page: 1, limit: 20 })
  expect(oldest.items).toEqual(page.items.toReversed())
})

test('what no index answers is looked for among the first of the window, and no further',
  async () => {
    const keys = await sets(upTo(WINDOW), upTo(WINDOW / 2).map((at) => at + 0.5))
    let read = 0
    const even = listing(keys, {
      matches: ({ score }) => score % 2 === 0,
      read: async (found) => {
        read += found.length
        return found
      },
    })
    const page = await readPage(redis, even, { page: 2, limit: 10 })
    expect(read).toBe(WINDOW)
    expect(page).toMatchObject({ in_range: WINDOW * 1.5, looked_through: WINDOW })
    expect(scoresOf(page.items)[0]).toBe(WINDOW - 22)
    expect(page.total).toBe(upTo(WINDOW).filter((at) => at % 2 === 0 && at >= WINDOW / 4).length)
    const largest = await readPage(redis,
      listing(keys, { compare: (one, other) => one.score - other.score }), { page: 1, limit: 1 })
    expect(largest.items[0]?.score).toBeGreaterThanOrEqual(WINDOW / 4)
  })

test('without a question only what is shown is read', async () => {
  const keys = await sets(upTo(3 * WINDOW))
  let read = 0
  const all = listing(keys, {
    read: async (found) => {
      read += found.length
      return found
    },
  })
  const page = await readPage(redis, all, { page: 100, limit: 20 })
  expect([page.page, page.total, page.items[0]?.score, read])
    .toEqual([100, WINDOW, 3 * WINDOW - 1 - 99 * 20, 20])
})

test('everything comes once and in order, in parts, up to the bound', async () => {
  const keys = await sets(upTo(1300), upTo(1300), upTo(700).map((at) => 2 * at))
  const parts = []
  for await (const part of readMatches(redis, listing(keys), 3000)) parts.push(part)
  const all = parts.flat()
  expect(all).toHaveLength(3000)
  expect(new Set(all.map(({ member }) => member)).size).toBe(3000)
  expect(scoresOf(all)).toEqual(scoresOf(all).toSorted((one, other) => other - one))
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(1500)
})

test('what is gone is left out', async () => {
  const keys = await sets([1, 2, 3])
  const some = listing(keys, {
    read: async (found) => found.map((one) => (one.score === 2 ? undefined : one)),
  })
  expect(scoresOf((await readPage(redis, some, { page: 1, limit: 5 })).items)).toEqual([3, 1])
})
