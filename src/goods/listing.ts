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
  const items = new Map<number, ListedProduct>()
  let cursor = '0'
  do {
    const [next, entries] = await (shelf as Redis).hscan(keys.listed, cursor, 'COUNT', SCAN_COUNT)
    for (let at = 0; at + 1 < entries.length; at += 2) {
      const productId = Number(entries[at])
      const [category, price, weight] = (entries[at + 1] ?? '').split(' ').map(Number)
      if (category === undefined || price === undefined || weight === undefined) continue
      // A scan may show an entry twice.
      items.set(productId, { productId, category, price, weight })
    }
    cursor = next
  } while (cursor !== '0')
  return createListing([...items.values()])
}

export type ProductListing = ReturnType<typeof createListing>

function createListing(items: readonly ListedProduct[]) {
  const all = inOrders(items)
  const byCategory = new Map<number, Orders>()
  for (const category of new Set(items.map((item) => item.category))) {
    byCategory.set(category, inOrders(items.filter((item) => item.category === category)))
  }

  function ordersOf(categories: GoodsFilter['categories']): Orders | undefined {
    if (!categories) return all
    if (categories.length === 1) return byCategory.get(categories[0] ?? 0)
    const isWanted = ({ category }: ListedProduct): boolean => categories.includes(category)
    return { byPrice: all.byPrice.filter(isWanted), byWeight: all.byWeight.filter(isWanted) }
  }

  return {
    size: items.length,
    page(filter: GoodsFilter, sort: Sort, offset: number, count: number): ListingPage {
      const orders = ordersOf(filter.categories)
      if (!orders) return { total: 0, productIds: [] }
      const { min = 0, max = Infinity } = filter
      const from = firstFrom(orders.byPrice, min)
      const to = firstFrom(orders.byPrice, max + 1)
      const total = Math.max(to - from, 0)
      return { total, productIds: idsOf(pick(orders, sort, { min, max, from, to, offset, count })) }
    },
  }
}

interface Orders {
  readonly byPrice: readonly ListedProduct[]
  readonly byWeight: readonly ListedProduct[]
}

const inOrders = (items: readonly ListedProduct[]): Orders => ({
  byPrice: items.toSorted((a, b) => a.price - b.price || a.productId - b.productId),
  byWeight: items.toSorted((a, b) => b.weight - a.weight || a.productId - b.productId),
})

interface Cut {
  readonly min: number
  readonly max: number
  readonly from: number
  readonly to: number
  readonly offset: number
  readonly count: number
}

function pick(
  { byPrice, byWeight }: Orders, sort: Sort, { min, max, from, to, offset, count }: Cut,
): readonly ListedProduct[] {
  if (sort === 'price_asc') return byPrice.slice(from + offset, Math.min(from + offset + count, to))
  if (sort === 'price_desc') {
    return byPrice.slice(Math.max(to - offset - count, from), Math.max(to - offset, from))
      .toReversed()
  }
  if (to - from === byPrice.length) return byWeight.slice(offset, offset + count)
  const found: ListedProduct[] = []
  let skipped = 0
  for (const item of byWeight) {
    if (item.price < min || item.price > max) continue
    if (skipped < offset) skipped += 1
    else if (found.push(item) === count) break
  }
  return found
}

const idsOf = (items: readonly ListedProduct[]): number[] => items.map(({ productId }) => productId)

/** Place of the first item whose price is at least this. */
function firstFrom(byPrice: readonly ListedProduct[], price: number): number {
  let [low, high] = [0, byPrice.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((byPrice[middle]?.price ?? Infinity) < price) low = middle + 1
    else high = middle
  }
  return low
}
