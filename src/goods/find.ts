/**
 * Which items a query means. What a node has found for some words it narrows by itself, by price,
 * category, order and page: a price range costs the index several times what the words cost.
 */
import { Refusal } from '../errors.ts'
import { countHit } from '../measures.ts'
import type { KeptList } from './kept-list.ts'
import type { Listed } from './listing.ts'
import { searchShelf, type Request, type Result } from './search.ts'
import type { Found, Shelves } from './shelves.ts'
import type { Snapshot, Snapshots } from './snapshot.ts'

/** Searches that a node asks for at once; more would only wait until their deadline. */
const SEARCHES_MAX = 1000
/** Words that are found more often are narrowed by the index. */
const CANDIDATES_MAX = 2000

interface Options {
  readonly shelves: Pick<Shelves, 'read'>
  readonly list: KeptList
  readonly snapshots: Snapshots
}

export type Find = (snapshot: Snapshot, key: string, request: Request) => Promise<Found<Result>>

export function createFind({ shelves, list, snapshots }: Options): Find {
  const searching = new Map<string, Promise<Found<Result>>>()
  /** Of each result that narrowing starts from, what the list says of its items. */
  const candidates = new WeakMap<readonly number[], readonly Listed[]>()

  /** Equal searches at the same time are one. */
  async function once(
    snapshot: Snapshot, key: string, request: Request,
  ): Promise<Found<Result>> {
    const flight = `${snapshot.version}|${key}`
    const kept = snapshot.results.get(key)
    const flying = kept ? undefined : searching.get(flight)
    countHit('results', Boolean(kept ?? flying))
    if (kept) return { value: kept, from: [] }
    if (flying) return await flying
    if (searching.size >= SEARCHES_MAX) throw new Refusal('unavailable', { retry_after_s: 1 })
    const search = shelves.read(snapshot.version, (shelf) => searchShelf(shelf, request))
    searching.set(flight, search)
    try {
      const found = await search
      snapshots.confirm(snapshot, found.from, () => snapshot.results.set(key, found.value))
      return found
    } finally {
      searching.delete(flight)
    }
  }

  /** Undefined where the words are too common, or nothing is left of what they find. */
  async function fromCandidates(
    snapshot: Snapshot, request: Request,
  ): Promise<Found<Result> | undefined> {
    const { words, supply } = request
    if (supply !== 'own' || !isNarrowed(request) || list.version !== snapshot.version) return
    const { listing } = list
    const key = `words|${JSON.stringify(words)}`
    const { value: { total, productIds, relaxed }, from } = await once(snapshot, key, {
      words, supply, sort: 'relevance', offset: 0, count: CANDIDATES_MAX,
    })
    if (relaxed || total > CANDIDATES_MAX) return
    let items = candidates.get(productIds)
    if (!items) {
      items = productIds.flatMap((id) => listing.item(id) ?? [])
      candidates.set(productIds, items)
    }
    const result = narrow(items, request)
    return result.total > 0 ? { value: result, from } : undefined
  }

  return async (snapshot, key, request) =>
    await fromCandidates(snapshot, request) ?? await once(snapshot, key, request)
}

const isNarrowed = ({ min, max, category, sort, offset }: Request): boolean =>
  min !== undefined || max !== undefined || category !== undefined || sort !== 'relevance'
    || offset > 0

/** The page of a request among items that are ordered by relevance. */
export function narrow(items: readonly Listed[], request: Request): Result {
  const { min = 0, max = Infinity, category, sort, offset, count } = request
  const left = items.filter((item) => item.price >= min && item.price <= max
    && (category === undefined || item.category === category))
  if (sort === 'price_asc') left.sort((a, b) => a.price - b.price)
  if (sort === 'price_desc') left.sort((a, b) => b.price - a.price)
  return {
    total: left.length,
    productIds: left.slice(offset, offset + count).map(({ productId }) => productId),
  }
}
