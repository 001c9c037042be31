/** One search: all words, else nearly them, else most of them. */
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { anyInIndex, askIndex, orderOf, readIds } from './ask.ts'
import { searchBoth } from './both.ts'
import {
  allButOne, allOf, headOf, headWith, nearly, withFilter, type GoodsFilter, type Sort,
} from './query.ts'
import type { QueryWord } from './tokenize.ts'

export interface Request extends GoodsFilter {
  readonly words: readonly QueryWord[]
  readonly sort: Sort
  readonly offset: number
  readonly count: number
}

/** What was given up to find anything. */
export interface Relaxed {
  readonly kind: 'typo' | 'most_words'
  readonly note: string
  /** Words that the items need not have. */
  readonly dropped: readonly string[]
}

export interface Result {
  readonly total: number
  readonly productIds: readonly number[]
  readonly relaxed?: Relaxed
}

/** Beyond these many words of a query that found nothing, the rest is not looked at. */
const RELAXED_WORDS_MAX = 12
/** Neighbours in the dictionary are looked for by a walk through all of it, so for few words. */
const TYPO_WORDS_MAX = 3

export async function searchShelf(shelf: RedisClient, request: Request): Promise<Result> {
  if (request.words.length === 0) return { total: 0, productIds: [] }
  const found = await run(shelf, request, allOf(request.words))
  return found.total > 0 ? found : relax(shelf, request, found)
}

async function relax(shelf: RedisClient, request: Request, nothing: Result): Promise<Result> {
  const words = request.words.filter(({ soft }) => !soft).slice(0, RELAXED_WORDS_MAX)
  const isThere = await Promise.all(words.map((word) => anyHas(shelf, request, allOf([word]))))
  const known = words.filter((_, index) => isThere[index])
  const unknown = words.filter((_, index) => !isThere[index])
  const typos = unknown.filter((word) => word.latin).slice(0, TYPO_WORDS_MAX)
  const lost = unknown.filter((word) => !typos.includes(word))
  const isEnough = (count: number): boolean => count >= words.length / 2

  if (typos.length > 0 && isEnough(known.length + typos.length)) {
    const found = await run(shelf, request, [allOf(known), ...typos.map(nearly)].join(' '))
    if (found.total > 0) return { ...found, relaxed: typoNote(typos, lost) }
  }
  // Most means at least half: fewer would be another query.
  if (unknown.length > 0 && isEnough(known.length)) {
    const found = await run(shelf, request, allOf(known))
    if (found.total > 0) return { ...found, relaxed: mostNote(unknown) }
  }
  // What kind of goods is asked for matters more than how many of the words they have.
  const head = headOf(known)
  if (head) {
    const others = known.filter((word) => word !== head)
    const found = await run(shelf, request,
      headWith(head, [...others.map((word) => allOf([word])), ...typos.map(nearly)]))
    if (found.total > 0) {
      return { ...found, relaxed: mostNote(words.filter((word) => word !== head)) }
    }
  }
  if (known.length > 1 && isEnough(known.length - 1)) {
    const found = await run(shelf, request, allButOne(known))
    if (found.total > 0) return { ...found, relaxed: mostNote(unknown) }
  }
  return nothing
}

const typoNote = (typos: readonly QueryWord[], dropped: readonly QueryWord[]): Relaxed => ({
  kind: 'typo',
  note: `Nothing has ${quoted(typos)}; these items have a word that differs in one letter`
    + `${dropped.length > 0 ? `, and lack ${quoted(dropped)}` : ''}.`,
  dropped: dropped.map((word) => word.text),
})

const mostNote = (dropped: readonly QueryWord[]): Relaxed => ({
  kind: 'most_words',
  note: dropped.length > 0
    ? `Nothing has all words; these items have most of them, or all but ${quoted(dropped)}.`
    : 'Nothing has all words together; these items have all but one of them.',
  dropped: dropped.map((word) => word.text),
})

const quoted = (words: readonly QueryWord[]): string =>
  words.map((word) => `"${word.text}"`).join(', ')

/** Own goods and offers have an index each; without a supply both are asked. */
const indexesFor = ({ supply }: GoodsFilter): string[] => {
  if (supply === undefined) return [keys.ownAlias, keys.offersAlias]
  return [supply === 'own' ? keys.ownAlias : keys.offersAlias]
}

async function run(shelf: RedisClient, request: Request, text: string): Promise<Result> {
  const { sort, offset, count } = request
  const [index = '', ...others] = indexesFor(request)
  if (others.length > 0) return await searchBoth(shelf, request, withFilter(text, request))
  return readIds(await askIndex(shelf, index, withFilter(text, request),
    [...orderOf(sort), 'NOCONTENT', 'LIMIT', offset, count]))
}

async function anyHas(shelf: RedisClient, request: Request, text: string): Promise<boolean> {
  const found = await Promise.all(indexesFor(request).map((index) =>
    anyInIndex(shelf, index, withFilter(text, request))))
  return found.includes(true)
}
