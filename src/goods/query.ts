/** The query language. Only our own tokens and numbers reach it, so there is nothing to escape. */
import { kindToken } from './kinds.ts'
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

const tokenQuery = (token: string): string => RESERVED.has(token) ? `"${token}"` : token

/** How much the kind that a query names counts against the words of titles. */
const KIND_WEIGHT = 3
const ALIKE_WEIGHT = 1.5
/** What an item's own text says counts more than what its kind may be called. */
const NAME_WEIGHT = 0.1

/** What stands in texts that have all these words; soft ones only raise what has them. */
export function allOf(words: readonly QueryWord[]): string {
  const head = headOf(words)
  return [...new Set(words.map((word) => word.soft ? `~${clause(word, word === head)}`
    : clause(word, word === head)))].join(' ')
}

/** The noun that says what is looked for: the last one. */
export const headOf = (words: readonly QueryWord[]): QueryWord | undefined =>
  words.findLast(({ kinds, soft }) => kinds !== undefined && !soft)

function clause(
  { tokens, any, kinds = [], alike = [], within = [] }: QueryWord, isHead: boolean,
): string {
  const own = `(${tokens.map(tokenQuery).join(any ? '|' : ' ')})`
  if (kinds.length + alike.length + within.length === 0) return own
  // Of alternatives often only the first that fits is scored, so the one that counts stands first.
  return `(${[
    ...isHead ? kinds.map(weighted(KIND_WEIGHT)) : [],
    ...isHead ? alike.map(weighted(ALIKE_WEIGHT)) : [],
    own,
    ...isHead ? [] : [...kinds, ...alike].map(weighted(NAME_WEIGHT)),
    ...within.map(weighted(NAME_WEIGHT)),
  ].join('|')})`
}

/** Each by itself: a weight of several is lost where the index has only one of them. */
const weighted = (weight: number) => (kind: string): string =>
  `(${kindToken(kind)}=>{$weight:${weight}})`

/** All but one of them, whichever. */
export const allButOne = (words: readonly QueryWord[]): string =>
  `(${words.map((_, out) => `(${allOf(words.filter((_, index) => index !== out))})`).join('|')})`

/** The noun; what has more of the other words comes first. */
export const headWith = (head: QueryWord, others: readonly string[]): string =>
  [clause(head, true), ...others.map((other) => `~${other}`)].join(' ')

/** A Latin word with one letter wrong, missing or too many, or two neighbours swapped. */
export function nearly({ text }: QueryWord): string {
  const swapped = Array.from(text.slice(1), (letter, at) =>
    `${text.slice(0, at)}${letter}${text[at]}${text.slice(at + 2)}`)
    .filter((other) => other !== text)
  return `(${[`%${text}%`, ...new Set(swapped)].join('|')})`
}

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
