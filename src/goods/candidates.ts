/**
 * All goods of a kind, with what is known of them: what a search by kind chooses from. A node keeps
 * those of the kinds that are asked for, for one version of the catalogue.
 */
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { type Candidate, notedCandidate, readCandidate } from './candidate.ts'
import { askIndex, type GoodsFilter, orderOf, readIds, type Sort, withFilter } from './query.ts'
import type { Supply } from './line.ts'
import { readMany, storedJson } from './item-text.ts'

export type { Candidate } from './candidate.ts'

/** Of a list that is longer, the index chooses: by the order that is asked for, after filters. */
export const CANDIDATES_MAX = 2000

export interface ListQuery {
  /** In the query language. */
  readonly text: string
  /** Of own goods or of offers. */
  readonly index: string
  /** A wider query: where that one finds nothing, this one need not be asked. */
  readonly among?: string
  /** What all its items are, where that is known. */
  readonly kind?: string
  /** Of a list for one search only; what is kept holds the best-selling. */
  readonly narrowed?: GoodsFilter & { readonly sort: Sort }
}

export interface KindList {
  readonly items: readonly Candidate[]
  /** How many there are; more than `items` where the list is too long. */
  readonly total: number
}

export const NO_GOODS: KindList = { items: [], total: 0 }

export const countGoods = async (
  shelf: RedisClient, index: string, text: string,
): Promise<number> =>
  readIds(await askIndex(shelf, index, text, ['NOCONTENT', 'LIMIT', 0, 0])).total

export async function readCandidates(
  shelf: RedisClient, { text, index, kind, narrowed }: ListQuery,
): Promise<KindList> {
  const order = narrowed && narrowed.sort !== 'relevance' ? orderOf(narrowed.sort)
    : ['SCORER', 'DOCSCORE']
  const { total, productIds: ids } = readIds(await askIndex(
    shelf, index, narrowed ? withFilter(text, narrowed) : text,
    [...order, 'NOCONTENT', 'LIMIT', 0, CANDIDATES_MAX]))
  const details = await readMany(shelf, ids.map((id) => keys.detail(id)))
  const noted = details.map((detail, at) => detail && notedCandidate(ids[at] ?? 0, detail, kind))
  const others = ids.filter((_, at) => details[at] && !noted[at])
  const texts = new Map((await readMany(shelf, others.map((id) => keys.item(id))))
    .map((text, at) => [others[at], text]))
  const items = noted.flatMap((candidate, at) => {
    const [item, detail] = [texts.get(ids[at]), details[at]]
    if (candidate || !item || !detail) return candidate ?? []
    const { json, note } = storedJson(item, detail)
    return [readCandidate(json, note, kind)]
  })
  return { items, total }
}

/** Own goods and offers have an index each; without a supply both of them are meant. */
export const indexesFor = (supply: Supply | undefined): string[] => supply === undefined
  ? [keys.ownAlias, keys.offersAlias] : [supply === 'own' ? keys.ownAlias : keys.offersAlias]

/** For who asks once and keeps nothing. */
export const listsOf = (shelf: RedisClient) =>
  (query: ListQuery): Promise<KindList> => readCandidates(shelf, query)
