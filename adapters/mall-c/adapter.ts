/** Mall C as a source. */
import { keepRows } from '../check.ts'
import type {
  CallOptions, ItemsResult, SearchQuery, SearchResult, Sort, Source,
} from '../contract.ts'
import type { Client } from '../http.ts'
import { DAY_MS, type Clock } from '../time.ts'
import { rowsOf, send, type Parts } from './calls.ts'
import { convert, readLink } from './convert.ts'
import { NAME, TYPES } from './dialect.ts'
import { toItem } from './map.ts'
import { createMemory } from './memory.ts'
import { orders } from './orders.ts'
import { positionOf, registered } from './registration.ts'
import type { Settings } from './settings.ts'
import { isGoodsRow } from './wire.ts'

const PAGE_SIZE_MIN = 10
const PAGE_SIZE_MAX = 100
const DEPTH_MAX = 2000
/** Each item is a call. */
const ITEMS_MAX = 10
const HOUR_MS = 3_600_000
const LISTS_MAX = 500
const LIST_MS = 600_000

/** By what is paid after the coupon. */
const SORTS: Readonly<Record<Sort, number>> =
  { relevance: 0, price_asc: 9, price_desc: 10, sales: 6 }
const AFTER_COUPON = 1
/** The mall takes ranges with both ends only. */
const PRICE_END = 1_000_000_000

export function createMallC(given: {
  readonly settings: Settings, readonly client: Client, readonly clock: Clock,
}): Source {
  const { settings, client, clock } = given
  const parts: Parts = {
    ...given,
    lists: createMemory(clock, LISTS_MAX, LIST_MS),
    registrations: createMemory(clock, LISTS_MAX, HOUR_MS),
  }
  return {
    name: NAME,
    capabilities: {
      pageSizeMax: PAGE_SIZE_MAX, depthMax: DEPTH_MAX, itemsMax: ITEMS_MAX,
      sorts: ['relevance', 'price_asc', 'price_desc', 'sales'],
      attribution: 'token',
      defaultItem: null,
      // An hour less than the mall keeps, so that a long read does not fall out at the far end.
      orders: { overlapMs: 600_000, lookbackMs: 90 * DAY_MS - HOUR_MS },
    },
    search: (query, call) => search(parts, query, call),
    items: (ids, call) => items(parts, ids, call),
    convert: (request, call) => convert(parts, request, call),
    orders: (window, call) => orders(parts, window, call),
    readLink: (url) => readLink(settings, url),
    health: () => client.health(),
    close: () => client.close(),
  }
}

/** Where a page lies within those of at least ten that the mall gives out. */
export function placeOf(page: number, pageSize: number) {
  const share = Math.ceil(PAGE_SIZE_MIN / pageSize)
  const skip = ((page - 1) % share) * pageSize
  return {
    page: Math.ceil(page / share), size: share * pageSize, from: skip, to: skip + pageSize,
  }
}

async function search(
  parts: Parts, query: SearchQuery, call?: CallOptions,
): Promise<SearchResult> {
  const place = placeOf(query.page, query.pageSize)
  const { pid, custom } = positionOf(parts)
  const asked = { ...wanted(query), page_size: place.size, pid, custom_parameters: custom }
  const key = JSON.stringify(asked)
  const list = place.page > 1 ? parts.lists.get(key) ?? undefined : undefined
  const body = await registered(parts, custom, call, () => send(
    parts, TYPES.search, { ...asked, page: place.page, list_id: list }, true, call))
  if (body.list_id) parts.lists.set(key, body.list_id)
  const rows = rowsOf(body, 'goods_list').slice(place.from, place.to)
  return { ...toItems(parts, rows), total: body.total_count ?? null }
}

function wanted({ q, sort = 'relevance', priceMin, priceMax, withCoupon }: SearchQuery): object {
  const bounded = priceMin !== undefined || priceMax !== undefined
  return {
    keyword: q,
    sort_type: SORTS[sort],
    with_coupon: withCoupon ?? false,
    ...(bounded && { range_list: [{
      range_id: AFTER_COUPON, range_from: priceMin ?? 0, range_to: priceMax ?? PRICE_END,
    }] }),
  }
}

/** The mall tells of one item a call; the client's places bound how many go out at once. */
async function items(
  parts: Parts, ids: readonly string[], call?: CallOptions,
): Promise<ItemsResult> {
  const { pid, custom } = positionOf(parts)
  const bodies = await registered(parts, custom, call, () => Promise.all(ids.map((id) => send(
    parts, TYPES.detail, { goods_sign: id, pid, custom_parameters: custom }, true, call))))
  const rows = bodies.flatMap((body) => rowsOf(body, 'goods_details'))
  return { ...toItems(parts, rows), missing: [] }
}

function toItems({ settings, clock }: Parts, rows: readonly unknown[]) {
  const { kept, dropped } = keepRows(NAME, rows, isGoodsRow,
    (row) => toItem(row, settings, clock.now()))
  return { items: kept, dropped }
}
