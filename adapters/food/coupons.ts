/** The list of coupons: searched page by page, and read by ids. */
import { LRUCache } from 'lru-cache'
import { keepRows } from '../check.ts'
import {
  SourceError, type CallOptions, type ItemsResult, type SearchQuery, type SearchResult,
} from '../contract.ts'
import { listOf } from '../wire.ts'
import { NAME, OPERATIONS, type Send } from './dialect.ts'
import { toItem } from './map.ts'
import { GENERAL } from './orders.ts'
import type { Settings } from './settings.ts'
import { isCouponRow, type Body } from './wire.ts'

const SEARCHES_MAX = 500
const SEARCH_MS = 300_000

/** Of `sortField`; which way the others sort is nowhere said. */
const SORTS = { relevance: 1, price_asc: 2, price_desc: undefined, sales: undefined } as const

export function createCoupons(settings: Settings, send: Send) {
  /** By what was searched: the later pages of a search belong to its first. */
  const searches = new LRUCache<string, string>({ max: SEARCHES_MAX, ttl: SEARCH_MS })

  async function page(query: SearchQuery, call?: CallOptions): Promise<Body> {
    const { q, page, pageSize, sort = 'relevance' } = query
    const asked = { ...placeOf(settings), searchText: q, sortField: SORTS[sort], pageSize }
    const key = JSON.stringify(asked)
    const ask = async (pageNo: number, searchId: string | undefined): Promise<Body> => {
      const body = await send(OPERATIONS.coupons,
        { ...asked, pageNo, ...(searchId && { searchId }) }, true, call)
      if (body.searchId) searches.set(key, body.searchId)
      return body
    }
    if (page === 1) return ask(1, undefined)
    return ask(page, searches.get(key) ?? (await ask(1, undefined)).searchId ?? undefined)
  }

  function toItems(data: unknown): Pick<ItemsResult, 'items' | 'dropped'> {
    const rows = data === null || data === undefined ? [] : listOf(data)
    if (!rows) throw new SourceError(NAME, 'bad_answer')
    const { kept, dropped } = keepRows(NAME, rows, isCouponRow,
      (row) => toItem(row, settings.itemUrl))
    return { items: kept, dropped }
  }

  return {
    async search(query: SearchQuery, call?: CallOptions): Promise<SearchResult> {
      const { data, hasNext } = await page(query, call)
      const { items, dropped } = toItems(data)
      const seen = items.length + dropped
      const isLast = hasNext === false && (seen > 0 || query.page === 1)
      return { items, dropped, total: isLast ? (query.page - 1) * query.pageSize + seen : null }
    },
    async items(ids: readonly string[], call?: CallOptions): Promise<ItemsResult> {
      // The general coupon has no price and stands on no list.
      const wanted = ids.filter((id) => id !== GENERAL)
      if (wanted.length === 0) return { items: [], missing: [], dropped: 0 }
      const { data } = await send(OPERATIONS.coupons, {
        ...placeOf(settings), skuViewIds: wanted, pageNo: 1, pageSize: wanted.length,
      }, true, call)
      return { ...toItems(data), missing: [] }
    },
  }
}

/** Places are whole numbers of millionths of a degree. */
function placeOf({ platform = 1, bizLine, cityId, latitude, longitude }: Settings): object {
  return {
    platform,
    ...(bizLine !== undefined && { bizLine }),
    ...(cityId !== undefined && { cityId }),
    ...(latitude !== undefined && { latitude: Math.round(latitude * 1e6) }),
    ...(longitude !== undefined && { longitude: Math.round(longitude * 1e6) }),
  }
}
