/** Which queries the sources get for a sentence, and what one deadline over all of them does. */
import { describe, expect, test } from 'vitest'
import {
  SourceError, type FailureKind, type Item, type SearchQuery, type SearchResult, type Source,
} from '../../adapters/index.ts'
import type { Caller } from '../contract/caller.ts'
import { understand } from '../language/understand.ts'
import { collectOffers, queryAll, type SourceQuery } from './collect-offers.ts'
import { smartSearch } from './smart-search.ts'
import type { SourceCalls } from './source-calls.ts'
import type { Sources } from './sources.ts'
import { anItem } from './testing/items.ts'

const source = { capabilities: { pageSizeMax: 30 } } as Source
const CALLER = { agent: 'ag_1', tier: 't1' } as unknown as Caller

/** The queries that one mall got, which has these items for each text. */
async function queriesOf(
  sentence: string, has: (query: SearchQuery) => readonly Item[],
): Promise<readonly SearchQuery[]> {
  const queries: SearchQuery[] = []
  const calls = { search: (_: string, query: SearchQuery) => {
    queries.push(query)
    const items = has(query)
    return Promise.resolve({ items, total: items.length, dropped: 0 })
  } } as unknown as SourceCalls
  await collectOffers(new Map([['mall_b', source]]) as unknown as Sources, calls, {
    understood: understand(sentence), sources: undefined, caller: CALLER, deadlineMs: 10_000,
    wanted: 8,
  })
  return queries
}

const shoe = (id: number): Item => anItem(`羚屿 BB-92${id} 篮球鞋 高帮 室外水泥地`, 9900,
  { id: String(id), source: 'mall_b' })

test('a list that ends too early is followed by a wider query, not by its next page', async () => {
  const queries = await queriesOf('高帮篮球鞋', () => [shoe(1)])
  expect(queries.map(({ q, page }) => `${q} ${page}`)).toEqual(['高帮 篮球鞋 1', '篮球鞋 1'])
})

test('a query that finds enough is the last one', async () => {
  const many = Array.from({ length: 6 }, (_, at) => shoe(at))
  const queries = await queriesOf('高帮篮球鞋', () => many)
  expect(queries.map(({ q }) => q)).toEqual(['高帮 篮球鞋'])
})

test('a full page with too few fitting items is followed by the next', async () => {
  const others = Array.from({ length: 30 }, (_, at) =>
    anItem(`羚屿 BB-${100 + at} 篮球鞋 低帮`, 9900, { id: `o${at}`, source: 'mall_b' }))
  const queries = await queriesOf('高帮篮球鞋', () => others)
  expect(queries.slice(0, 3).map(({ page }) => page)).toEqual([1, 2, 3])
  expect(queries.length).toBeLessThanOrEqual(6)
})

test('an approximate price is widened where few items are within it', async () => {
  const queries = await queriesOf('300元左右的高帮篮球鞋', () => [])
  const [first, last] = [queries[0], queries.at(-1)]
  expect(first).toMatchObject({ priceMin: 24_000, priceMax: 36_000 })
  expect(last?.priceMin).toBeLessThan(20_000)
  expect(last?.priceMax).toBeGreaterThan(40_000)
})

test('a search of malls alone without a key says that it needs one', async () => {
  const parts = {
    sources: new Map([['mall_b', source]]) as unknown as Sources, calls: {} as SourceCalls,
    deadlineMs: 10_000,
  }
  const found = await smartSearch(parts, { query: 'kettle', sources: ['mall_b'] },
    { ...CALLER, agent: null } as Caller)
  expect(found.relaxed).toEqual(['No source was asked: an API key is needed for mall_b.'])
  expect(found.clarify).toEqual([expect.stringContaining('POST /v1/trial-keys')])
})

const FOUND: SearchResult = { items: [], total: 0, dropped: 0 }
const never = (): Promise<never> => new Promise(() => { /* Hangs. */ })
const ok = (source: SourceQuery['source']): SourceQuery =>
  ({ source, run: () => Promise.resolve(FOUND) })

test('outcomes are in the order of the queries, whichever source answers first', async () => {
  let release!: () => void
  const late: SourceQuery = {
    source: 'mall_a', run: () => new Promise((resolve) => { release = () => resolve(FOUND) }),
  }
  const outcomes = queryAll([late, ok('shelf'), ok('mall_c')], 5000)
  release()
  expect((await outcomes).map(({ source, status }) => [source, status]))
    .toEqual([['mall_a', 'ok'], ['shelf', 'ok'], ['mall_c', 'ok']])
})

test('a source that hangs is left out at the deadline, and the others are not', async () => {
  const outcomes = await queryAll([{ source: 'mall_b', run: never }, ok('shelf')], 40)
  expect(outcomes).toMatchObject([
    { source: 'mall_b', status: 'timeout', found: null }, { source: 'shelf', status: 'ok' },
  ])
  expect(outcomes[0]?.ms).toBeGreaterThanOrEqual(39)
})

describe('a failure of one source leaves the others', () => {
  const cases: [FailureKind, string][] = [
    ['timeout', 'timeout'], ['open', 'open'], ['bad_answer', 'error'], ['rate_limited', 'error'],
  ]
  test.each(cases)('%s is %s', async (kind, status) => {
    const run = () => Promise.reject(new SourceError('mall_b', kind))
    const [failed, shelf] = await queryAll([{ source: 'mall_b', run }, ok('shelf')], 1000)
    expect(failed).toMatchObject({ status, found: null, note: expect.stringMatching(/^\w/) })
    expect(failed?.note).not.toContain('mall_b')
    expect(shelf?.status).toBe('ok')
  })

  test('an unforeseen error, also a synchronous one, is an error of its source', async () => {
    const throwing = (): never => { throw new TypeError('secret text of a platform') }
    const [failed, shelf] = await queryAll([{ source: 'food', run: throwing }, ok('shelf')], 1000)
    expect(failed).toMatchObject({ status: 'error', note: 'could not be asked' })
    expect(shelf?.status).toBe('ok')
  })
})
