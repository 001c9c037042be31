/** What sources are asked for one sentence, and when they are asked further. */
import { expect, test } from 'vitest'
import type { Item, SearchQuery, Source } from '../../adapters/index.ts'
import { understand } from '../language/understand.ts'
import type { Caller } from '../contract/caller.ts'
import type { Ask } from './ask.ts'
import { gatherOffers } from './gather.ts'
import type { Sources } from './sources.ts'
import { anItem } from './testing/items.ts'

const source = { capabilities: { pageSizeMax: 30 } } as Source
const CALLER = { agent: 'ag_1', tier: 't1' } as unknown as Caller

/** The questions that one mall got, which has these items for each text. */
async function askedOf(
  sentence: string, has: (query: SearchQuery) => readonly Item[],
): Promise<readonly SearchQuery[]> {
  const queries: SearchQuery[] = []
  const ask = { search: (_: string, query: SearchQuery) => {
    queries.push(query)
    const items = has(query)
    return Promise.resolve({ items, total: items.length, dropped: 0 })
  } } as unknown as Ask
  await gatherOffers(new Map([['mall_b', source]]) as unknown as Sources, ask, {
    understood: understand(sentence), sources: undefined, caller: CALLER, deadlineMs: 10_000,
    wanted: 8,
  })
  return queries
}

const shoe = (id: number): Item => anItem(`羚屿 BB-92${id} 篮球鞋 高帮 室外水泥地`, 9900,
  { id: String(id), source: 'mall_b' })

test('a list that ends too early is followed by wider words, not by its next page', async () => {
  const queries = await askedOf('高帮篮球鞋', () => [shoe(1)])
  expect(queries.map(({ q, page }) => `${q} ${page}`)).toEqual(['高帮 篮球鞋 1', '篮球鞋 1'])
})

test('words that find enough are followed by none', async () => {
  const many = Array.from({ length: 6 }, (_, at) => shoe(at))
  const queries = await askedOf('高帮篮球鞋', () => many)
  expect(queries.map(({ q }) => q)).toEqual(['高帮 篮球鞋'])
})

test('a full page that has too little of it is followed by the next', async () => {
  const others = Array.from({ length: 30 }, (_, at) =>
    anItem(`羚屿 BB-${100 + at} 篮球鞋 低帮`, 9900, { id: `o${at}`, source: 'mall_b' }))
  const queries = await askedOf('高帮篮球鞋', () => others)
  expect(queries.slice(0, 3).map(({ page }) => page)).toEqual([1, 2, 3])
  expect(queries.length).toBeLessThanOrEqual(6)
})

test('an about price is asked for further where little lies within it', async () => {
  const queries = await askedOf('300元左右的高帮篮球鞋', () => [])
  const [first, last] = [queries[0], queries.at(-1)]
  expect(first).toMatchObject({ priceMin: 24_000, priceMax: 36_000 })
  expect(last?.priceMin).toBeLessThan(20_000)
  expect(last?.priceMax).toBeGreaterThan(40_000)
})
