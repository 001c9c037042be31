/** One FT.SEARCH and its reply. */
import { Refusal } from '../errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import type { Sort } from './query.ts'

export interface Found {
  readonly productId: number
  /** Values of the fields that were asked for, in their order. */
  readonly fields: readonly Buffer[]
}

/** Scores are named, because the default differs between versions of the search module. */
export const orderOf = (sort: Sort): string[] => sort === 'relevance' ? ['SCORER', 'TFIDF']
  : ['SORTBY', 'price', sort === 'price_asc' ? 'ASC' : 'DESC']

/** Buffers, never strings: item texts go to the caller as they are. */
export async function askIndex(
  shelf: RedisClient, index: string, query: string, options: readonly (string | number)[],
): Promise<unknown[]> {
  try {
    return await shelf.callBuffer(
      'FT.SEARCH', index, query, 'VERBATIM', ...options, 'DIALECT', 2) as unknown[]
  } catch (error) {
    throw new Refusal('unavailable', {
      hint: 'The search did not end in time; send fewer words or narrower filters, or try again.',
    }, error)
  }
}

/** `[total, key, [name, value, …], key, …]`, where fields come in the order asked for. */
export function readItems(reply: unknown[]): { total: number, items: Found[] } {
  const items: Found[] = []
  for (let at = 1; at + 1 < reply.length; at += 2) {
    const values = reply[at + 1] as Buffer[]
    // An item that was removed while it was read has no fields.
    if (values === null || values.length < 2) continue
    items.push({
      productId: productIdOfKey(reply[at]), fields: values.filter((_, index) => index % 2 === 1),
    })
  }
  return { total: Number(reply[0]), items }
}

export const productIdOfKey = (key: unknown): number =>
  Number(String(key).slice(keys.goodsPrefix.length))
