/**
 * The curated shelf as a source among the platforms: our own goods, and selected offers of malls.
 * It calls no platform, so it costs no quota and attributes nothing.
 */
import {
  SourceError, type CallOptions, type ConvertedLink, type ConvertRequest, type Item,
  type SearchQuery, type SearchResult, type Source,
} from '../../adapters/contract.ts'
import { guard } from '../../adapters/guard.ts'
import { DEFAULT_LIMITS } from '../../adapters/limits.ts'
import { webLink } from '../../adapters/text.ts'
import { breakdown } from '../../adapters/price.ts'
import { openScope } from '../../adapters/http.ts'
import { Refusal } from '../contract/errors.ts'
import type { Goods } from '../goods/goods.ts'
import { proseOf } from '../goods/document.ts'
import { kindOf } from '../goods/index-terms.ts'
import type { Supply } from '../goods/line.ts'
import { isMallPage } from '../goods/purchase.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import type { JsonText } from '../contract/json.ts'
import { PAGE_SIZE_MAX, SEARCH_DEPTH_MAX } from '../contract/fields.ts'

const NAME = 'shelf'
const PREFIX = `${NAME}:`
const ITEM_PAGE = /\/item\/([0-9]{1,12})$/

/** The used fields of the answers of shelf_search and shelf_item. */
interface Page {
  readonly items: readonly { readonly item_id: string }[]
  readonly total: number
}
interface Offer {
  readonly item_id: string
  readonly supply: Supply
  readonly title: string
  readonly agent_desc: string
  readonly specs: readonly { readonly name: string, readonly value: string }[]
  readonly brand: string
  readonly category_id: number
  readonly shop: string
  readonly images: readonly string[]
  readonly retail_price: number
  readonly coupon: { readonly amount: number, readonly threshold: number } | null
  readonly free_ship_threshold: number
  readonly freight: number
  readonly sales: number
  readonly rating: number
  readonly purchase_url: string
}

type ShelfItem = Item & { readonly url: string }

/** `isShopPage` knows pages of simulated malls beside those of the real ones. */
export function createShelfSource(
  goods: Goods, isShopPage: (url: string) => boolean = () => false,
): Source {
  const read = createReader(goods)
  let active = 0

  /** Under the deadline of the call, with failures as all sources have them. */
  async function within<T>(call: CallOptions | undefined, work: () => Promise<T>): Promise<T> {
    const scope = openScope(NAME, call?.deadlineMs ?? DEFAULT_LIMITS.totalMs, call?.signal)
    active += 1
    try {
      return await scope.race(work())
    } catch (error) {
      throw toSourceError(error)
    } finally {
      active -= 1
      scope.close()
    }
  }

  const guarded = guard({
    name: NAME,
    capabilities: {
      pageSizeMax: PAGE_SIZE_MAX, depthMax: SEARCH_DEPTH_MAX, itemsMax: PAGE_SIZE_MAX,
      sorts: ['relevance', 'price_asc', 'price_desc'],
      attribution: 'none', defaultItem: null, orders: null,
    },
    search: (query, call) => within(call, () => search(goods, read, query)),
    items: (ids, call) => within(call, async () =>
      ({ items: await readAll(read, ids.map((id) => PREFIX + id)), missing: [], dropped: 0 })),
    convert: (request, call) => within(call, () => convert(goods, read, request)),
    // The shelf's items have its own pages and those of the malls.
    readLink(url) {
      const id = ownItem(goods, url)
      const isMalls = (): boolean => webLink(url) === url && (isMallPage(url) || isShopPage(url))
      return id !== null || isMalls() ? { id } : null
    },
    health: () => ({ circuit: 'closed', active, queued: 0, skewMs: null }),
    // The goods belong to the node.
    close: () => Promise.resolve(),
  })
  return {
    ...guarded,
    // The mall itself reads links to its pages.
    readLink(url) {
      const found = guarded.readLink(url)
      return found?.id ? found : null
    },
  }
}

/** Null for an item that is not on the shelf, or no longer. */
type Read = (itemId: string) => Promise<ShelfItem | null>

function createReader(goods: Goods): Read {
  /** Items by the text of their answer, which the node reuses. */
  const known = new WeakMap<JsonText, ShelfItem>()
  return async (itemId) => {
    try {
      const text = await goods.offer(itemId)
      const item = known.get(text) ?? toItem(text.toJSON() as Offer)
      known.set(text, item)
      return item
    } catch (error) {
      if (error instanceof Refusal && error.error === 'not_found') return null
      throw error
    }
  }
}

const readAll = async (read: Read, itemIds: readonly string[]): Promise<Item[]> =>
  (await Promise.all(itemIds.map(read))).filter((item) => item !== null)

async function search(goods: Goods, read: Read, query: SearchQuery): Promise<SearchResult> {
  const { q, page, pageSize, sort, priceMin, priceMax, withCoupon } = query
  const found = (await goods.shelfSearch({
    q, page, page_size: pageSize,
    ...(sort !== undefined && sort !== 'sales' && { sort }),
    ...(priceMin !== undefined && { price_min: priceMin }),
    ...(priceMax !== undefined && { price_max: priceMax }),
  })).toJSON() as Page
  // The page of a list does not hold where an item is bought; the item itself does.
  const there = await readAll(read, found.items.map(({ item_id }) => item_id))
  const items = withCoupon ? there.filter(({ price }) => price.coupon !== null) : there
  return {
    items, dropped: found.items.length - items.length,
    // The shelf counts items, whether they have a coupon or not.
    total: withCoupon ? null : found.total,
  }
}

async function convert(
  goods: Goods, read: Read, { item, url = '' }: ConvertRequest,
): Promise<ConvertedLink> {
  const id = item ?? ownItem(goods, url)
  if (id === null) throw new SourceError(NAME, 'invalid_arg')
  const found = await read(PREFIX + id)
  if (!found) throw new SourceError(NAME, 'not_found')
  return {
    source: NAME, item_id: id, url: found.url,
    app_url: null, mini_program: null, share_code: null, share_text: null,
    attributed: false, coupon_applied: false, expires_at: null,
  }
}

/** The id of the item whose page on this service the link is. */
function ownItem(goods: Goods, link: string): string | null {
  if (webLink(link) !== link) return null
  const url = new URL(link)
  url.search = ''
  url.hash = ''
  const id = ITEM_PAGE.exec(url.href)?.[1]
  return id !== undefined && new URL(goods.itemPage(Number(id))).href === url.href ? id : null
}

/** The price of one piece with its freight, which is known for our own goods only. */
function priceOf(offer: Offer): Item['price'] {
  const { supply, retail_price: list, coupon, freight, free_ship_threshold } = offer
  return breakdown({
    list, coupon,
    freight: supply !== 'own' ? null : list >= free_ship_threshold ? 0 : freight,
  })
}

const toItem = (offer: Offer): ShelfItem => ({
  source: NAME,
  id: offer.item_id.slice(PREFIX.length),
  title: offer.title,
  specs: offer.specs.map(({ value }) => value).join(' '),
  prose: proseOf(offer, kindOf(offer)),
  spec_list: offer.specs.map(({ name, value }) => ({ name, value })),
  brand: offer.brand,
  category: taxonomy().categories[offer.category_id - 1]?.name_zh ?? null,
  shop: offer.shop,
  images: [...offer.images],
  price: priceOf(offer),
  special: null,
  sales: offer.sales,
  rating: offer.rating,
  reviews: null,
  url: offer.purchase_url,
  coupon_url: null,
  commission: null,
})

function toSourceError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const kind = error.error === 'invalid_request' ? 'invalid_arg' : 'network'
  return new SourceError(NAME, kind, { cause: error })
}
