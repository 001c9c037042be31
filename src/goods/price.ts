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
