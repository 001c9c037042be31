/**
 * Terms of the index that are no words of a text: the kind of an item, as one token, and its
 * price, as tags of price buckets.
 */
import { productTypeOf } from '../language/facts/product-type.ts'
import { fold } from '../language/fold.ts'
import type { CatalogueLine } from './line.ts'
import { taxonomy } from './taxonomy.ts'

/** One token for each kind; no text has it, since an underscore joins nothing there. */
export const kindToken = (kind: string): string => `k_${kind}`

/** In place of a kind, of items whose kind nobody knows. */
export const NO_KIND = 'none'

/** Of a whole name; wider words and ends of names are no proof. */
const WHOLE_NAME = 0.85

/**
 * As its file says, else what its title names: the noun first, then the other names from the last
 * one on, in the item's category.
 */
export function kindOf(
  { kind, title, category_id }: Pick<CatalogueLine, 'kind' | 'title' | 'category_id'>,
): string | undefined {
  if (kind !== undefined && taxonomy().kinds.has(kind)) return kind
  const { head, names, isStuffed } = productTypeOf(fold(title))
  if (isStuffed) return undefined
  for (const { senses } of [...head ? [head] : [], ...names.toReversed()]) {
    const named = senses.find((sense) => sense.weight >= WHOLE_NAME
      && taxonomy().kinds.get(sense.kind)?.category_id === category_id)
    if (named) return named.kind
  }
  return undefined
}

/** Names of the kind that its token stands for: a description repeats them. */
export const namesOf = (kind: string): readonly string[] =>
  taxonomy().kinds.get(kind)?.aliases ?? []

/**
 * Price ranges in the index. A numeric range costs as much as all the postings in it, skipped one
 * list at a time; buckets of half an octave, and blocks of 2, 4, 8 and 16 of them, cover any range
 * with a few tags, so that only the two ends need numbers.
 */
const LEVELS = 5

const bucketOf = (fen: number): number => Math.floor(2 * Math.log2(fen))
const bucketStart = (bucket: number): number => Math.ceil(2 ** (bucket / 2))

/** The tags of a price, one of each level. */
export const priceBuckets = (fen: number): string[] =>
  Array.from({ length: LEVELS }, (_, level) => tagOf(level, bucketOf(fen) >> level))

const tagOf = (level: number, block: number): string => `${level}x${block}`

export interface PriceRange {
  readonly min?: number
  readonly max?: number
}

const number = (from: number, to: number): string => `@price:[${from} ${to}]`

/** The range in the query language; empty when it holds every price. */
export function priceFilter({ min, max }: PriceRange, dearest = 100_000_000): string {
  const low = Math.max(min ?? 1, 1)
  const high = Math.min(max ?? dearest, dearest)
  if (low <= 1 && high >= dearest) return ''
  if (high < low) return number(low, high)
  const [first, last] = [bucketOf(low), bucketOf(high)]
  if (last - first < 2) return number(low, high)
  // An end that fills its bucket needs no numbers either.
  const isWholeStart = low <= bucketStart(first)
  const isWholeEnd = high >= bucketStart(last + 1) - 1
  const tags = blocks(isWholeStart ? first : first + 1, isWholeEnd ? last : last - 1)
  const ends = [
    ...(isWholeStart ? [] : [number(low, bucketStart(first + 1) - 1)]),
    ...(isWholeEnd ? [] : [number(bucketStart(last), high)]),
  ]
  return `(${[`@bucket:{${tags.join('|')}}`, ...ends].join('|')})`
}

/** The fewest blocks that cover the buckets from `low` to `high`. */
function blocks(low: number, high: number): string[] {
  const tags: string[] = []
  let [from, to, level] = [low, high, 0]
  for (; level < LEVELS - 1 && from <= to; level += 1) {
    if (from & 1) tags.push(tagOf(level, from++))
    if (from <= to && !(to & 1)) tags.push(tagOf(level, to--))
    from >>= 1
    to >>= 1
  }
  for (let block = from; block <= to; block += 1) tags.push(tagOf(level, block))
  return tags
}
