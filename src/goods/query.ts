/** The query language. Only our own tokens and numbers reach it, so there is nothing to escape. */
import { kindToken, NO_KIND } from './kinds.ts'
import type { Supply } from './line.ts'
import { priceFilter, type PriceRange } from './price.ts'
import type { QueryWord } from './words.ts'

export interface GoodsFilter extends PriceRange {
  readonly category?: number
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

/** Goods whose kind nobody knows, with these words in their titles. */
export const ofNoKind = (words: readonly QueryWord[]): string =>
  `@title:(${[kindToken(NO_KIND), allOf(words)].join(' ')})`

/** Variants of one product. A hyphen stands for itself only where it is escaped. */
export const ofGroup = (group: string): string => `@group:{${group.replaceAll('-', '\\-')}}`

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
