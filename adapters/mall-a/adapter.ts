/** Mall A as a source: goods, shops and links. */
import { keepRows } from '../check.ts'
import {
  SourceError, type CallOptions, type SearchQuery, type ShopQuery, type Source,
} from '../contract.ts'
import { DAY_MS } from '../time.ts'
import { headOf, poolOf, readLink, send, type Parts } from './call.ts'
import { convert } from './convert.ts'
import { METHODS, NAME, type Business } from './dialect.ts'
import { toItem, toItemLegacy, toShop } from './map.ts'
import { orders } from './orders.ts'
import type { Settings } from './settings.ts'
import { isFlatRow, isNestedRow, isShopRow, rowsOf, type Body } from './wire.ts'

const PAGE_SIZE_MAX = 100
/** So many pages of shops, as documented; of goods the gateway is not known to give more. */
const PAGES_MAX = 100

const SORTS = {
  // Said aloud: what the mall sorts by when it is not told may be its commission.
  relevance: 'match_des',
  price_asc: 'final_promotion_price_asc',
  price_desc: 'final_promotion_price_des',
  sales: 'total_sales_des',
} as const
const LEGACY_SORTS = { ...SORTS, price_asc: 'price_asc', price_desc: 'price_des' } as const

const SHOP_FIELDS = 'user_id,shop_title,shop_type,seller_nick,pict_url,shop_url'

export function createMallA(parts: Parts): Source {
  const { settings, client } = parts
  const legacy = settings.generation === 'legacy'
  const pool = poolOf(settings)
  return {
    name: NAME,
    capabilities: {
      pageSizeMax: PAGE_SIZE_MAX, depthMax: PAGES_MAX * PAGE_SIZE_MAX,
      itemsMax: legacy ? 40 : 20,
      sorts: ['relevance', 'price_asc', 'price_desc', 'sales'],
      attribution: pool.length > 0 ? 'pool' : 'none',
      pool,
      defaultItem: null,
      orders: { overlapMs: 300_000, lookbackMs: 90 * DAY_MS },
    },
    async search(query, call) {
      const body = await send(parts, legacy ? METHODS.searchLegacy : METHODS.search,
        searchBody(settings, query), true, call)
      const { items, dropped } = itemsOf(parts, body, body.result_list, 'map_data')
      return { items, dropped, total: body.total_results ?? null }
    },
    items: (ids, call) => items(parts, ids, call),
    shops: (query, call) => shops(parts, query, call),
    convert: (request, call) => convert(parts, request, call),
    orders: (window, call) => orders(parts, window, call),
    readLink: (url) => readLink(settings, url),
    health: () => client.health(),
    close: () => client.close(),
  }
}

/** Nothing found is an empty list, a list without its key, or a count of 0 alone. */
function listed(body: Body, list: unknown, key: string): readonly unknown[] {
  const absent = list === null || list === undefined
  const rows = absent ? body.total_results === 0 ? [] : null : rowsOf(list, key)
  if (!rows) throw new SourceError(NAME, 'bad_answer')
  return rows
}

function searchBody(settings: Settings, query: SearchQuery): Business {
  const { q, page, pageSize, sort = 'relevance', priceMin, priceMax, withCoupon } = query
  return {
    adzone_id: settings.adzoneId,
    biz_scene_id: settings.sceneId,
    q, page_no: page, page_size: pageSize,
    sort: (settings.generation === 'legacy' ? LEGACY_SORTS : SORTS)[sort],
    // Whole yuan, outwards: what is too much is left out after mapping.
    start_price: priceMin === undefined ? undefined : Math.floor(priceMin / 100),
    end_price: priceMax === undefined ? undefined : Math.ceil(priceMax / 100),
    has_coupon: withCoupon || undefined,
  }
}

function itemsOf({ settings, clock }: Parts, body: Body, list: unknown, key: string) {
  const context = { now: clock.now(), itemUrl: settings.itemUrl }
  const rows = listed(body, list, key)
  const { kept, dropped } = settings.generation === 'legacy'
    ? keepRows(NAME, rows, isFlatRow, (row) => toItemLegacy(row, context))
    : keepRows(NAME, rows, isNestedRow, (row) => toItem(row, context))
  // One product under two tails is still one product.
  const seen = new Set<string>()
  const items = kept.filter(({ id }) => !seen.has(headOf(id)) && seen.add(headOf(id)))
  return { items, dropped: dropped + kept.length - items.length }
}

async function items(
  parts: Parts, ids: readonly string[], call?: CallOptions,
): ReturnType<Source['items']> {
  const { settings } = parts
  const [method, name, key] = settings.generation === 'legacy'
    ? [METHODS.itemsLegacy, 'num_iids', 'n_tbk_item'] as const
    : [METHODS.items, 'item_id', 'tbk_item_detail'] as const
  const body = await knownOrEmpty(send(parts, method,
    { [name]: ids.join(','), biz_scene_id: settings.sceneId }, true, call))
  const found = itemsOf(parts, body, body.results, key)
  const asked = new Map(ids.map((id) => [headOf(id), id]))
  return {
    items: found.items.map((item) => ({ ...item, id: asked.get(headOf(item.id)) ?? item.id })),
    missing: [], dropped: found.dropped,
  }
}

/** That none of the items is known may come as an error. */
const knownOrEmpty = (answer: Promise<Body>): Promise<Body> => answer.catch((error: unknown) => {
  if (error instanceof SourceError && error.kind === 'not_found') return { total_results: 0 }
  throw error
})

async function shops(
  parts: Parts, { q, page, pageSize, brandOnly }: ShopQuery, call?: CallOptions,
): ReturnType<NonNullable<Source['shops']>> {
  if (page > PAGES_MAX) throw new SourceError(NAME, 'invalid_arg')
  const body = await send(parts, METHODS.shops, {
    q, fields: SHOP_FIELDS, page_no: page, page_size: pageSize, is_tmall: brandOnly || undefined,
  }, true, call)
  const { kept, dropped } = keepRows(NAME, listed(body, body.results, 'n_tbk_shop'), isShopRow,
    toShop)
  return { shops: kept, dropped, total: body.total_results ?? null }
}
