/** A search of everything: both indexes are asked for what could be on the page, and merged. */
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { askIndex, orderOf, productIdOfKey } from './ask.ts'
import type { Request } from './search.ts'

interface Ranked {
  readonly productId: number
  /** Score or price, so that a higher one comes first. */
  readonly rank: number
}

export async function searchBoth(
  shelf: RedisClient, request: Request, query: string,
): Promise<{ total: number, productIds: number[] }> {
  const { offset, count } = request
  const [own, offers] = await Promise.all(
    [keys.ownAlias, keys.offersAlias].map((index) => rank(shelf, request, index, query)))
  if (!own || !offers) return { total: 0, productIds: [] }
  const page = merge(own.ranked, offers.ranked).slice(offset, offset + count)
  return {
    total: own.total + offers.total, productIds: page.map(({ productId }) => productId),
  }
}

/**
 * The first `offset + count` of one index. Scores of the two indexes are
 * comparable, not equal: how rare a word is is counted in each by itself.
 */
async function rank(
  shelf: RedisClient, { sort, offset, count }: Request, index: string, query: string,
): Promise<{ total: number, ranked: Ranked[] }> {
  const isScored = sort === 'relevance'
  const what = isScored ? ['WITHSCORES', 'NOCONTENT'] : ['RETURN', 1, 'price']
  const reply = await askIndex(shelf, index, query,
    [...orderOf(sort), ...what, 'LIMIT', 0, offset + count])
  const ranked: Ranked[] = []
  for (let at = 1; at + 1 < reply.length; at += 2) {
    const value = isScored ? reply[at + 1] : (reply[at + 1] as Buffer[] | null)?.[1]
    const number = Number(String(value))
    ranked.push({
      productId: productIdOfKey(reply[at]), rank: sort === 'price_asc' ? -number : number,
    })
  }
  return { total: Number(reply[0]), ranked }
}

/** Keeps the order within each list. */
function merge(one: readonly Ranked[], other: readonly Ranked[]): Ranked[] {
  const merged: Ranked[] = []
  let [a, b] = [0, 0]
  while (a < one.length || b < other.length) {
    const [left, right] = [one[a], other[b]]
    if (left && (!right || left.rank >= right.rank)) {
      merged.push(left)
      a += 1
    } else if (right) {
      merged.push(right)
      b += 1
    }
  }
  return merged
}
