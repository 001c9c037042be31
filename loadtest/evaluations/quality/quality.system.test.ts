/** Holds how well searches answer the labelled queries, on a catalogue that a test can afford. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import defaults from '../../../config/default.json' with { type: 'json' }
import { ownStores, type OwnStores } from '../../../src/testing/goods.ts'
import { generateCatalogue } from '../../../src/goods/generate.ts'
import { importCatalogue } from '../../../src/goods/import.ts'
import { allFacts, type ItemFacts } from './label.ts'
import { figuresOf, scoreQuery, type Score } from './measure.ts'
import { CLASSES, partOf, querySet, type QueryClass } from './query-set.ts'

const ITEMS = 9600
const SEED = defaults.catalogSeed
const QUERIES = querySet(SEED)

/**
 * A little under what was measured: nDCG@10 and recall@20. Of 2,000 kinds so small a catalogue has
 * about five items each, few have all that a query asks for, and no others are shown although the
 * labels grade those too: so these are lower than when there were 359 kinds. 铁观音 is answered by
 * oolong of that variety, though the labels take it for a name of all oolong. One of the 26 queries
 * with a price finds no swimsuit at that price among five; on the whole catalogue it does.
 */
const FLOORS: Record<Exclude<QueryClass, 'nothing'>, readonly [ndcg: number, recall: number]> = {
  kind: [0.9, 0.94], synonym: [0.88, 0.91], attribute: [0.65, 0.47], model: [0.94, 0.94],
  typo: [0.88, 0.95], two: [0.71, 0.62], price: [0.88, 0.88], script: [0.69, 0.66],
  phrase: [0.75, 0.68],
}

let stores: OwnStores
let scores: Score[]

beforeAll(async () => {
  stores = await ownStores()
  await importCatalogue(stores, generateCatalogue({ items: ITEMS, seed: SEED }))
  const facts: ItemFacts[] = allFacts(SEED, ITEMS)
  scores = []
  for (const query of QUERIES.filter((one) => partOf(one) === 'tuned')) {
    scores.push(await scoreQuery(stores.shelf, facts, query))
  }
})
afterAll(() => stores.close())

describe('the set of queries', () => {
  test('is large, has every class, and each query once', () => {
    expect(QUERIES.length).toBeGreaterThanOrEqual(300)
    expect(QUERIES.filter(({ isHandWritten }) => isHandWritten).length).toBeGreaterThanOrEqual(60)
    for (const name of CLASSES) {
      expect(QUERIES.filter((one) => one.class === name).length, name).toBeGreaterThanOrEqual(20)
    }
    expect(new Set(QUERIES.map(({ q, limits }) => JSON.stringify([q, limits]))).size)
      .toBe(QUERIES.length)
  })

  test('holds about a third out, and is the same each time', () => {
    const heldOut = QUERIES.filter((one) => partOf(one) === 'held out').length
    expect(heldOut / QUERIES.length).toBeGreaterThan(0.25)
    expect(heldOut / QUERIES.length).toBeLessThan(0.42)
    expect(querySet(SEED).map(({ q }) => q)).toEqual(QUERIES.map(({ q }) => q))
  })
})

describe('answers', () => {
  test.each(Object.entries(FLOORS))('to queries of the class %s are no worse', (name, floors) => {
    const { ndcg, recall } = figuresOf(scores.filter(({ query }) => query.class === name))
    expect(ndcg, `${name}: nDCG@10`).toBeGreaterThanOrEqual(floors[0])
    expect(recall, `${name}: recall@20`).toBeGreaterThanOrEqual(floors[1])
  })

  test('together are no worse, and next to none is empty', () => {
    const { ndcg, recall, empty } = figuresOf(scores)
    expect(ndcg).toBeGreaterThanOrEqual(0.81)
    expect(recall).toBeGreaterThanOrEqual(0.785)
    expect(empty).toBeLessThanOrEqual(0.01)
  })

  test('to what nothing answers are empty, or say what was given up', () => {
    const lies = scores.filter(({ isScored, isHonest }) => !isScored && !isHonest)
    expect(lies.map(({ query }) => query.q)).toEqual([])
  })
})
