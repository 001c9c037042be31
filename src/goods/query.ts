/** The query language. Only our own tokens and numbers reach it, so there is nothing to escape. */
import type { Supply } from './line.ts'
import { priceFilter, type PriceRange } from './price.ts'
import type { QueryWord } from './tokenize.ts'

export interface GoodsFilter extends PriceRange {
  readonly category?: number
  readonly supply?: Supply
}

export type Sort = 'relevance' | 'price_asc' | 'price_desc'

/** Words that the query language keeps for itself; in quotes they are words again. */
const RESERVED = new Set(['ismissing', 'isempty'])

export const tokenQuery = (token: string): string => RESERVED.has(token) ? `"${token}"` : token

/** What stands in texts that have all these words. */
export const allOf = (words: readonly QueryWord[]): string =>
  [...new Set(words.flatMap(({ tokens, any }) =>
    any ? [`(${tokens.map(tokenQuery).join('|')})`] : tokens.map(tokenQuery)))].join(' ')

/** All but one of them, whichever. */
export const allButOne = (words: readonly QueryWord[]): string =>
  `(${words.map((_, out) => `(${allOf(words.filter((_, index) => index !== out))})`).join('|')})`

/** A Latin word with one letter wrong, missing or too many. */
export const nearly = (word: QueryWord): string => `%${word.text}%`

export function withFilter(text: string, filter: GoodsFilter): string {
  return [
    ...(filter.category === undefined ? [] : [`@category:{${filter.category}}`]),
    // The index of our own goods holds nothing else; that of offers holds three supplies.
    ...(filter.supply === undefined || filter.supply === 'own' ? [] : [
      `@supply:{${filter.supply}}`]),
    priceFilter(filter),
    text,
  ].filter(Boolean).join(' ')
}
