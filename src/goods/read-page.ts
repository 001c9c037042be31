/**
 * A page of goods: what is asked for, which items it means, and their texts put together. A list
 * without words is cut from the node's own; of what was found, results and the goods of a kind are
 * kept for as long as the catalogue does not change, so that most searches ask no Redis.
 */
import { LRUCache } from 'lru-cache'
import { Refusal } from '../contract/errors.ts'
import { SEARCH_DEPTH_MAX as DEPTH_MAX } from '../contract/fields.ts'
import type { JsonText } from '../contract/json.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { fold } from '../language/fold.ts'
import { understand, type Understanding } from '../language/understand.ts'
import { countHit, measures } from '../measures.ts'
import { shelf as keys } from '../redis/keys.ts'
import {
  countGoods, NO_GOODS, readCandidates, type KindList, type ListQuery,
} from './candidates.ts'
import { pageText, readItem, readMany, type Splicer, type StoredItem } from './item-text.ts'
import type { Supply } from './line.ts'
import type { KeptList } from './listing.ts'
import type { Sort } from './query.ts'
import { searchShelf, type Request, type Result } from './search.ts'
import type { ShelfAnswer, Shelves, ShelfSources } from './shelves.ts'
import type { Snapshot, Snapshots } from './snapshot.ts'
import { turns } from './turns.ts'

export interface GoodsQuery {
  readonly q?: string
  readonly category_id?: number
  /** Any of several, instead of one. */
  readonly category_ids?: readonly number[]
  readonly price_min?: number
  readonly price_max?: number
  readonly supply?: Supply
  readonly sort?: Sort
  readonly page?: number
  readonly page_size?: number
  readonly explain?: boolean
}

export const PAGE_SIZE_DEFAULT = 20

/** Own goods alone, or the curated shelf of every supply. */
export type ReadFace = 'goods' | 'shelf'

/** Of queries that come again: those that cannot change. */
const knownKeys = { goods: new WeakMap<GoodsQuery, string>(), shelf: new WeakMap() }

/** Equal for queries that have the same answer. */
export function queryKey(face: ReadFace, query: GoodsQuery): string {
  const known = knownKeys[face].get(query)
  if (known !== undefined) return known
  const key = `${face}|${makeKey(query)}`
  if (Object.isFrozen(query)) knownKeys[face].set(query, key)
  return key
}

/** What callers write freely stands last. */
function makeKey(query: GoodsQuery): string {
  const { q = '', category_id = '', category_ids = [category_id], price_min = '', price_max = '',
    supply = '', sort = '', page = 1, page_size = PAGE_SIZE_DEFAULT, explain = false } = query
  return `${category_ids.join()}|${price_min}|${price_max}|${supply}|${sort}|${page}|${page_size}|`
    + `${explain ? 1 : ''}|` + fold(q).trim()
}

/** As the words ask for it; what is cheapest by the litre is no matter of the price alone. */
const sortOf = ({ mode, per }: Understanding): Sort =>
  mode?.value === 'cheapest' && per === null ? 'price_asc' : 'relevance'

/** Refuses a query that no page can answer. */
function checkQuery(query: GoodsQuery): void {
  const { price_min, price_max } = query
  if (price_min !== undefined && price_max !== undefined && price_min > price_max) {
    const problem = 'price_min must not be above price_max'
    throw new Refusal('invalid_request', {
      fields: [{ path: 'price_min', problem }, { path: 'price_max', problem }],
    })
  }
  if (offsetOf(query) >= DEPTH_MAX) {
    throw new Refusal('invalid_request', {
      hint: `Pages reach to item ${DEPTH_MAX}: add words, a category_id or a price range instead.`,
      fields: [{ path: 'page', problem: `must not begin beyond item ${DEPTH_MAX}` }],
    })
  }
}

const offsetOf = ({ page = 1, page_size = PAGE_SIZE_DEFAULT }: GoodsQuery): number =>
  (page - 1) * page_size

export function readRequest(
  face: ReadFace, query: GoodsQuery, understood: Understanding = understand(query.q ?? ''),
): Request {
  checkQuery(query)
  const { category_id, category_ids, price_min, price_max,
    page_size = PAGE_SIZE_DEFAULT } = query
  const supply = face === 'goods' ? 'own' : query.supply
  const categories = category_ids ?? (category_id === undefined ? undefined : [category_id])
  const offset = offsetOf(query)
  return {
    understood,
    sort: query.sort ?? sortOf(understood),
    offset,
    count: Math.min(page_size, DEPTH_MAX - offset),
    ...(categories && { categories }),
    ...(price_min !== undefined && { min: price_min }),
    ...(price_max !== undefined && { max: price_max }),
    ...(supply !== undefined && { supply }),
    ...(query.explain && { explain: true }),
  }
}

/** Characters of the words that came last; what is understood takes about half a KB for each. */
const UNDERSTOOD_MAX = 20_000
const understood = new LRUCache<string, Understanding>({
  maxSize: UNDERSTOOD_MAX, sizeCalculation: ({ sentence }) => sentence.length + 1,
})

/** At once where the words are known or there are none. */
async function understoodOf(q: string): Promise<Understanding> {
  const known = understood.get(q)
  if (known) return known
  const read = q.trim() === '' ? understand(q)
    : await turns.start(() => understood.get(q) ?? understand(q))
  understood.set(q, read)
  return read
}

interface Options {
  readonly shelves: Shelves
  readonly snapshots: Snapshots
  readonly list: KeptList
  readonly splicer: Splicer
}

interface PageParts {
  readonly face: ReadFace
  readonly query: GoodsQuery
  readonly key: string
  readonly snapshot: Snapshot
}

export class PageReader {
  private readonly options: Options
  private readonly finder: Finder

  constructor(options: Options) {
    this.options = options
    this.finder = new Finder(options.shelves, options.snapshots)
  }

  read(face: ReadFace, query: GoodsQuery): MaybePromise<JsonText> {
    const { snapshots } = this.options
    const snapshot = snapshots.current
    const key = queryKey(face, query)
    const known = snapshots.answer(snapshot, key)
    if (known) return known
    const parts = { face, query, key, snapshot }
    const result = snapshot.results.get(key)
    const items = result?.productIds.map((id) => snapshot.products.get(id))
    if (!result || !items?.every(Boolean)) return this.find(parts)
    measures.caches.items.hits += items.length
    measures.caches.results.hits += 1
    return this.compose(parts, result, items, snapshot.version)
  }

  private async find(parts: PageParts): Promise<JsonText> {
    const { face, query, key, snapshot } = parts
    const { list, shelves } = this.options
    checkQuery(query)
    const request = readRequest(face, query, await understoodOf(query.q ?? ''))
    const isListed = face === 'goods' && !query.q?.trim()
    // Read before anything is waited for: the list may be another one afterwards.
    const version = isListed ? list.version : snapshot.version
    const { listing } = list
    if (version === 0) await shelves.assertNoCatalogue()
    const found: ShelfAnswer<Result> = isListed
      ? {
        value: listing.page(request, request.sort, request.offset, request.count), from: [],
      }
      : await this.finder.find(snapshot, key, request)
    const items = await this.readItems(snapshot, found.value.productIds)
    return this.compose(
      parts, found.value, items.value, version, [...found.from, ...items.from])
  }

  /** Undefined in the place of what was delisted since it was found. */
  private async readItems(
    snapshot: Snapshot, productIds: readonly number[],
  ): Promise<ShelfAnswer<(StoredItem | undefined)[]>> {
    const { shelves, snapshots } = this.options
    const items = productIds.map((id) => snapshot.products.get(id))
    const missing = productIds.filter((_, index) => !items[index])
    measures.caches.items.hits += items.length - missing.length
    measures.caches.items.misses += missing.length
    if (missing.length === 0) return { value: items, from: [] }
    const { value: texts, from } = await shelves.read(snapshot.version, (shelf) =>
      readMany(shelf, missing.map((id) => keys.item(id))))
    const read = new Map(missing.flatMap((id, index): [number, StoredItem][] => {
      const text = texts[index]
      return text ? [[id, readItem(text)]] : []
    }))
    if (read.size < missing.length) await shelves.assertNotEmptied()
    snapshots.confirm(snapshot, from, () => read.forEach((item, id) => {
      // One that was read whole meanwhile says the same of the same version, and more.
      if (!snapshot.products.has(id)) snapshot.products.set(id, item)
    }))
    return { value: items.map((item, index) => item ?? read.get(productIds[index] ?? 0)), from }
  }

  private compose(
    { face, query, key, snapshot }: PageParts, { productIds, ...found }: Result,
    items: readonly (StoredItem | undefined)[], catalogue_version: number, from: ShelfSources = [],
  ): JsonText {
    const { splicer, snapshots } = this.options
    const splice = face === 'goods' ? splicer.own : splicer.offer
    const texts: string[] = []
    for (const [index, item] of items.entries()) {
      if (item) texts.push(splice(productIds[index] ?? 0, item))
    }
    const { page = 1, page_size = PAGE_SIZE_DEFAULT } = query
    const text = pageText(texts, { page, page_size, catalogue_version, ...found })
    return catalogue_version === snapshot.version
      ? snapshots.keepAnswer(snapshot, key, text, productIds, from) : text
  }
}

/** Searches that a node asks for at once; more would only wait until their deadline. */
const SEARCHES_MAX = 1000

/** Which items a query means. */
class Finder {
  private readonly shelves: Shelves
  private readonly snapshots: Snapshots
  private readonly searching = new Map<string, Promise<ShelfAnswer<unknown>>>()

  constructor(shelves: Shelves, snapshots: Snapshots) {
    this.shelves = shelves
    this.snapshots = snapshots
  }

  async find(snapshot: Snapshot, key: string, request: Request): Promise<ShelfAnswer<Result>> {
    const kept = snapshot.results.get(key)
    countHit('results', kept !== undefined)
    if (kept) return { value: kept, from: [] }
    const found = await this.once(`${snapshot.version}|${key}`,
      () => this.search(snapshot, request))
    this.snapshots.confirm(snapshot, found.from, () => snapshot.results.set(key, found.value))
    return found
  }

  /** Equal questions at the same time are one. */
  private async once<T>(
    flight: string, ask: () => Promise<ShelfAnswer<T>>,
  ): Promise<ShelfAnswer<T>> {
    const flying = this.searching.get(flight)
    if (flying) return await flying as ShelfAnswer<T>
    if (this.searching.size >= SEARCHES_MAX) throw new Refusal('unavailable', { retry_after_s: 1 })
    const asked = ask()
    this.searching.set(flight, asked)
    try {
      return await asked
    } finally {
      this.searching.delete(flight)
    }
  }

  private async search(snapshot: Snapshot, request: Request): Promise<ShelfAnswer<Result>> {
    const from: ShelfSources[] = []
    const { value, from: searched } = await this.shelves.read(snapshot.version, (shelf) =>
      searchShelf(shelf, (query) => this.list(snapshot, query, from), request))
    return { value, from: [...new Set([...searched, ...from.flat()])] }
  }

  private async list(
    snapshot: Snapshot, query: ListQuery, from: ShelfSources[],
  ): Promise<KindList> {
    const { text, index, narrowed, among } = query
    const name = `${index} ${text}`
    const kept = narrowed ? undefined : snapshot.kinds.get(name)
    if (kept) return kept
    const isEmpty = among !== undefined && await this.count(snapshot, index, among, from) === 0
    if (isEmpty) return NO_GOODS
    const flight = `${snapshot.version}|kind|${JSON.stringify(query)}`
    const found = await this.once(flight, () =>
      this.shelves.read(snapshot.version, (shelf) => readCandidates(shelf, query)))
    from.push(found.from)
    if (!narrowed) {
      this.snapshots.confirm(snapshot, found.from, () => snapshot.kinds.set(name, found.value))
    }
    return found.value
  }

  private async count(
    snapshot: Snapshot, index: string, text: string, from: ShelfSources[],
  ): Promise<number> {
    const name = `${index} ${text}`
    const known = snapshot.counts.get(name)
    if (known !== undefined) return known
    const found = await this.once(`${snapshot.version}|count|${name}`, () =>
      this.shelves.read(snapshot.version, (shelf) => countGoods(shelf, index, text)))
    from.push(found.from)
    this.snapshots.confirm(snapshot, found.from, () => snapshot.counts.set(name, found.value))
    return found.value
  }
}
