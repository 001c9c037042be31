/**
 * A query of the index: the words of a search as the tokens that the index has, the query language
 * around them, and one FT.SEARCH with its reply. Only our own tokens and numbers reach the query
 * language, so there is nothing to escape.
 */
import { Refusal } from '../contract/errors.ts'
import { type Atom, atomsOf, isJoin, runsOf } from '../language/atoms.ts'
import { cutHan } from '../language/segment.ts'
import type { RedisClient } from '../redis/connect.ts'
import { kindToken, NO_KIND, priceFilter, type PriceRange } from './index-terms.ts'
import type { Supply } from './line.ts'

export interface GoodsFilter extends PriceRange {
  /** Any of these. */
  readonly categories?: readonly number[]
  readonly supply?: Supply
}

export type Sort = 'relevance' | 'price_asc' | 'price_desc'

/** Words that the query language keeps for itself; in quotes they are words again. */
const RESERVED = new Set(['ismissing', 'isempty'])

const tokenQuery = (token: string): string => RESERVED.has(token) ? `"${token}"` : token

/** What stands in texts that have all these words. */
export const allOf = (words: readonly QueryWord[]): string =>
  [...new Set(words.map(({ tokens, any, or }) => {
    const own = `(${tokens.map(tokenQuery).join(any ? '|' : ' ')})`
    return or ? `(${own}|(${or.map(tokenQuery).join(' ')}))` : own
  }))].join(' ')

/** Goods of the kind. */
export const ofKind = (kind: string): string => `@title:(${kindToken(kind)})`

export const OF_NO_KIND = ofKind(NO_KIND)

/** Goods whose kind nobody knows, with these words in their titles. */
export const ofNoKind = (words: readonly QueryWord[]): string =>
  `@title:(${[kindToken(NO_KIND), allOf(words)].join(' ')})`

/** Variants of one product. A hyphen stands for itself only where it is escaped. */
export const ofGroup = (group: string): string => `@group:{${group.replaceAll('-', '\\-')}}`

export function withFilter(text: string, filter: GoodsFilter): string {
  return [
    ...(filter.categories ? [`@category:{${filter.categories.join('|')}}`] : []),
    // The index of our own goods holds nothing else; that of offers holds three supplies.
    ...(filter.supply === undefined || filter.supply === 'own' ? [] : [
      `@supply:{${filter.supply}}`]),
    priceFilter(filter),
    text,
  ].filter(Boolean).join(' ')
}

/** Scores are named, because the default differs between versions of the search module. */
export const orderOf = (sort: Sort): string[] => sort === 'relevance' ? ['SCORER', 'TFIDF']
  : ['SORTBY', 'price', sort === 'price_asc' ? 'ASC' : 'DESC']

/** Ids alone are asked for; buffers cost the client less than strings. */
export async function askIndex(
  shelf: RedisClient, index: string, query: string, options: readonly (string | number)[],
): Promise<unknown[]> {
  try {
    return await shelf.callBuffer(
      'FT.SEARCH', index, query, 'VERBATIM', ...options, 'DIALECT', 2) as unknown[]
  } catch (error) {
    // A query that does not parse is a defect of ours, not a state of Redis.
    if (error instanceof Error && /^(syntax|invalid|unknown arg)/i.test(error.message)) throw error
    throw new Refusal('unavailable', {
      hint: 'The search did not end in time; send fewer words or narrower filters, or try again.',
    }, error)
  }
}

const COLON = 0x3a

/** `[total, key, key, …]` of a search without contents. */
export const readIds = ([total, ...found]: unknown[]) =>
  ({ total: Number(total), productIds: found.map(productIdOfKey) })

export const productIdOfKey = (key: unknown): number =>
  Number((key as Buffer).toString('latin1', (key as Buffer).indexOf(COLON) + 1))

/** It stands in a text that has all its tokens, or any where one is enough. */
export interface QueryWord {
  readonly text: string
  readonly tokens: readonly string[]
  readonly any: boolean
  /** Or all of these: CZ-B19 is typed without its hyphen. */
  readonly or?: readonly string[]
}

/** `text` is folded; `before` and `after` are what it stands between. Each word once. */
export function queryWords(text: string, before = '', after = ''): QueryWord[] {
  const atoms = atomsOf(text)
  const words = runsOf(atoms).flatMap(({ start, end, isHan }) => {
    const run = atoms.slice(start, end)
    if (!isHan) return latinWords(run)
    return hanWords(run.map((atom) => atom.text),
      start === 0 ? lastHan(before) : '', end === atoms.length ? firstHan(after) : '')
  })
  return [...new Map(words.map((word) => [word.text, word])).values()]
}

const lastHan = (text: string): string => /\p{Script=Han}$/u.exec(text)?.[0] ?? ''
const firstHan = (text: string): string => /^\p{Script=Han}/u.exec(text)?.[0] ?? ''

function hanWords(run: readonly string[], before: string, after: string): QueryWord[] {
  let at = 0
  return cutHan(run).map((characters): QueryWord => {
    const [previous, next] = [run[at - 1] ?? before, run[at + characters.length] ?? after]
    at += characters.length
    const text = characters.join('')
    if (characters.length > 1) return { text, tokens: pairsOf(characters), any: false }
    // By itself in a title, else as it stands here.
    const tokens = [text, ...previous ? [previous + text] : [], ...next ? [text + next] : []]
    return { text, tokens, any: tokens.length > 1 }
  })
}

/** Two words that a hyphen joins stand apart as often: only digits belong to their letters. */
function latinWords(run: readonly Atom[]): QueryWord[] {
  const names: string[][] = []
  for (const [index, { text, gap, type }] of run.entries()) {
    const isApart = index === 0 || (type === 'latin' && run[index - 1]?.type === 'latin'
      && isJoin(gap) && !/['’&]/.test(gap))
    if (isApart) names.push([text])
    else names.at(-1)?.push(text)
  }
  return names.map((parts) => {
    const [letters = '', digits] = parts
    const isModel = digits !== undefined && parts.length === 2 && /^[a-z]{2,}$/.test(letters)
    return { text: parts.join(''), tokens: pairsOf(parts), any: false,
      ...(isModel && { or: [letters, letters.slice(-1) + digits] }) }
  })
}

const pairsOf = (pieces: readonly string[]): string[] => pieces.length < 2 ? [...pieces]
  : [...new Set(pieces.slice(1).map((piece, index) => `${pieces[index]}${piece}`))]
