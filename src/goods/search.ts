/** One search: all words, else nearly them, else most of them. */
import { Refusal } from '../errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { allButOne, allOf, nearly, withFilter, type GoodsFilter, type Sort } from './query.ts'
import type { QueryWord } from './tokenize.ts'

export interface Request extends GoodsFilter {
  readonly words: readonly QueryWord[]
  readonly sort: Sort
  readonly offset: number
  readonly count: number
  /** Stored fields to return, as few as are sent. */
  readonly fields: readonly string[]
}

export interface Found {
  readonly productId: number
  /** Values of the fields that were asked for, in their order. */
  readonly fields: readonly Buffer[]
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
  readonly items: readonly Found[]
  readonly relaxed?: Relaxed
}

/** Beyond these many words of a query that found nothing, the rest is not looked at. */
const RELAXED_WORDS_MAX = 12
/** Neighbours in the dictionary are looked for by a walk through all of it, so for few words. */
const TYPO_WORDS_MAX = 3

export async function searchShelf(shelf: RedisClient, request: Request): Promise<Result> {
  if (request.words.length === 0) return { total: 0, items: [] }
  const found = await run(shelf, request, allOf(request.words))
  return found.total > 0 ? found : relax(shelf, request, found)
}

async function relax(shelf: RedisClient, request: Request, nothing: Result): Promise<Result> {
  const words = request.words.slice(0, RELAXED_WORDS_MAX)
  const counts = await Promise.all(words.map((word) => count(shelf, request, allOf([word]))))
  const known = words.filter((_, index) => (counts[index] ?? 0) > 0)
  const unknown = words.filter((_, index) => counts[index] === 0)

  const typos = unknown.filter((word) => word.latin)
  if (typos.length > 0 && typos.length <= TYPO_WORDS_MAX && typos.length === unknown.length) {
    const found = await run(shelf, request, [allOf(known), ...typos.map(nearly)].join(' '))
    if (found.total > 0) return { ...found, relaxed: typoNote(typos) }
  }
  // Most means at least half: fewer would be another query.
  if (unknown.length > 0 && known.length >= words.length / 2) {
    const found = await run(shelf, request, allOf(known))
    if (found.total > 0) return { ...found, relaxed: mostNote(unknown) }
  }
  if (known.length > 1 && known.length - 1 >= words.length / 2) {
    const found = await run(shelf, request, allButOne(known))
    if (found.total > 0) return { ...found, relaxed: mostNote(unknown) }
  }
  return nothing
}

const typoNote = (typos: readonly QueryWord[]): Relaxed => ({
  kind: 'typo',
  note: `Nothing has ${quoted(typos)}; these items have a word that differs in one letter.`,
  dropped: [],
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

const indexFor = ({ supply }: GoodsFilter): string =>
  supply === 'own' ? keys.ownAlias : keys.goodsAlias

/** Scores are named, because the default differs between versions of the search module. */
async function run(shelf: RedisClient, request: Request, text: string): Promise<Result> {
  const { sort, offset, count, fields } = request
  const order = sort === 'relevance' ? ['SCORER', 'TFIDF']
    : ['SORTBY', 'price', sort === 'price_asc' ? 'ASC' : 'DESC']
  return parseReply(await call(shelf, [indexFor(request), withFilter(text, request), 'VERBATIM',
    ...order, 'RETURN', fields.length, ...fields, 'LIMIT', offset, count, 'DIALECT', 2]))
}

async function count(shelf: RedisClient, request: Request, text: string): Promise<number> {
  const reply = await call(shelf, [indexFor(request), withFilter(text, request), 'VERBATIM',
    'LIMIT', 0, 0, 'DIALECT', 2])
  return Number(reply[0])
}

/** Buffers, never strings: item texts go to the caller as they are. */
async function call(shelf: RedisClient, args: (string | number)[]): Promise<unknown[]> {
  try {
    return await shelf.callBuffer('FT.SEARCH', ...args) as unknown[]
  } catch (error) {
    // A query that does not parse is a defect of ours, not a state of Redis.
    if (error instanceof Error && /^(syntax|invalid|unknown arg)/i.test(error.message)) throw error
    throw new Refusal('unavailable', {
      hint: 'The search did not end in time; send fewer words or narrower filters, or try again.',
    }, error)
  }
}

/** `[total, key, [name, value, …], key, …]`, where fields come in the order asked for. */
function parseReply(reply: unknown[]): Result {
  const items: Found[] = []
  for (let at = 1; at + 1 < reply.length; at += 2) {
    const values = reply[at + 1] as Buffer[]
    // An item that was removed while it was read has no fields.
    if (values === null || values.length < 2) continue
    const key = (reply[at] as Buffer).toString('latin1', keys.goodsPrefix.length)
    items.push({ productId: Number(key), fields: values.filter((_, index) => index % 2 === 1) })
  }
  return { total: Number(reply[0]), items }
}
