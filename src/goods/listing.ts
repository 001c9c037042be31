/**
 * The own goods in order, in the node's memory: pages without a query are cut from here, with
 * exact totals, where the index would walk through all goods for each page.
 */
import type { Redis } from 'ioredis'
import { monotonicMs } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import type { GoodsFilter, Sort } from './query.ts'
import type { Shelves } from './shelves.ts'

export interface KeptList {
  readonly listing: ProductListing
  /** The catalogue's version that was read before the list was. */
  readonly version: number
  update(version: number): Promise<void>
}

/** Is loaded again when the catalogue's version has changed. */
export function keepList(shelves: Pick<Shelves, 'read'>, log: Logger): KeptList {
  let listing = createListing([])
  let held = -1
  return {
    get listing() { return listing },
    get version() { return held },
    async update(version) {
      if (version === held) return
      const start = monotonicMs()
      const { value, from } = await shelves.read(version, loadListing)
      listing = value
      // What another version's shelf gave is asked for again.
      held = from.every(Boolean) ? version : -1
      log.debug({ items: listing.size, ms: Math.round(monotonicMs() - start) }, 'goods listed')
    },
  }
}

export interface ListedProduct {
  readonly productId: number
  readonly category: number
  readonly price: number
  readonly weight: number
}

interface ListingPage {
  readonly total: number
  readonly productIds: readonly number[]
}

/** What the shelf keeps of an item for this. */
export const listedText = ({ category, price, weight }: Omit<ListedProduct, 'productId'>): string =>
  `${category} ${price} ${weight}`

const SCAN_COUNT = 2000

export async function loadListing(shelf: RedisClient): Promise<ProductListing> {
  const items = new Map<number, string>()
  let cursor = '0'
  do {
    const [next, entries] = await (shelf as Redis).hscan(keys.listed, cursor, 'COUNT', SCAN_COUNT)
    // A scan may show an entry twice.
    for (let at = 0; at + 1 < entries.length; at += 2) {
      items.set(Number(entries[at]), entries[at + 1] ?? '')
    }
    cursor = next
  } while (cursor !== '0')
  return createListing([...items].flatMap(([productId, text]): ListedProduct[] => {
    const [category, price, weight] = text.split(' ').map(Number)
    return category === undefined || price === undefined || weight === undefined ? []
      : [{ productId, category, price, weight }]
  }))
}

export type ProductListing = ReturnType<typeof createListing>

/** Of each item, by its place in the list: a third of what objects take. */
interface Items {
  readonly productIds: Float64Array
  readonly categories: Uint8Array
  readonly prices: Float64Array
}

function createListing(list: readonly ListedProduct[]) {
  const items: Items = {
    productIds: Float64Array.from(list, ({ productId }) => productId),
    categories: Uint8Array.from(list, ({ category }) => category),
    prices: Float64Array.from(list, ({ price }) => price),
  }
  const all = inOrders(items, list.map(({ weight }) => weight))
  const ofCategory = (orders: Orders, isWanted: (category: number) => boolean): Orders => ({
    byPrice: orders.byPrice.filter((at) => isWanted(items.categories[at] ?? 0)),
    byWeight: orders.byWeight.filter((at) => isWanted(items.categories[at] ?? 0)),
  })
  const byCategory = new Map([...new Set(items.categories)].map((category) =>
    [category, ofCategory(all, (one) => one === category)]))

  function ordersOf(categories: GoodsFilter['categories']): Orders | undefined {
    if (!categories) return all
    if (categories.length === 1) return byCategory.get(categories[0] ?? 0)
    return ofCategory(all, (category) => categories.includes(category))
  }

  return {
    size: list.length,
    page(filter: GoodsFilter, sort: Sort, offset: number, count: number): ListingPage {
      const orders = ordersOf(filter.categories)
      if (!orders) return { total: 0, productIds: [] }
      const { min = 0, max = Infinity } = filter
      const from = firstFrom(items, orders.byPrice, min)
      const to = firstFrom(items, orders.byPrice, max + 1)
      const total = Math.max(to - from, 0)
      const places = pick(items, orders, sort, { min, max, from, to, offset, count })
      return { total, productIds: Array.from(places, (at) => items.productIds[at] ?? 0) }
    },
  }
}

/** Places of items. */
type Places = Uint32Array

interface Orders {
  readonly byPrice: Places
  readonly byWeight: Places
}

function inOrders({ productIds, prices }: Items, weights: readonly number[]): Orders {
  const sorted = (compare: (a: number, b: number) => number): Places =>
    Uint32Array.from(productIds, (_, at) => at).sort((a, b) =>
      compare(a, b) || (productIds[a] ?? 0) - (productIds[b] ?? 0))
  return {
    byPrice: sorted((a, b) => (prices[a] ?? 0) - (prices[b] ?? 0)),
    byWeight: sorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0)),
  }
}

interface Cut {
  readonly min: number
  readonly max: number
  readonly from: number
  readonly to: number
  readonly offset: number
  readonly count: number
}

function pick(
  { prices }: Items, { byPrice, byWeight }: Orders, sort: Sort,
  { min, max, from, to, offset, count }: Cut,
): Iterable<number> {
  if (sort === 'price_asc') return byPrice.slice(from + offset, Math.min(from + offset + count, to))
  if (sort === 'price_desc') {
    return byPrice.slice(Math.max(to - offset - count, from), Math.max(to - offset, from))
      .toReversed()
  }
  if (to - from === byPrice.length) return byWeight.slice(offset, offset + count)
  const found: number[] = []
  let skipped = 0
  for (const at of byWeight) {
    const price = prices[at] ?? 0
    if (price < min || price > max) continue
    if (skipped < offset) skipped += 1
    else if (found.push(at) === count) break
  }
  return found
}

/** Place of the first item whose price is at least this. */
function firstFrom({ prices }: Items, byPrice: Places, price: number): number {
  let [low, high] = [0, byPrice.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((prices[byPrice[middle] ?? 0] ?? Infinity) < price) low = middle + 1
    else high = middle
  }
  return low
}
