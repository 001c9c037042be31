/** One FT.SEARCH and its reply. */
import { Refusal } from '../contract/errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Sort } from './query.ts'

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
