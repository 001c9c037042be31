/** The food platform as a source: coupons searched, links with the general coupon, orders. */
import { LRUCache } from 'lru-cache'
import {
  type CallOptions, type ConvertedLink, type ConvertRequest, type ItemsResult, type OrderLine,
  type OrderPage, type OrderWindow, type SearchQuery, type SearchResult, type Source, SourceError,
} from '../contract.ts'
import type { PlatformClient } from '../http.ts'
import { JOB_CALL } from '../limits.ts'
import { linkOn } from '../text.ts'
import { type Clock, DAY_MS, windowsOf } from '../time.ts'
import { idOrNull, keepRows, listOf } from '../wire.ts'
import {
  GENERAL, isCouponRow, isOrderRow, isScrollPage, toItem, toLinks, toOrderLine,
} from './mapping.ts'
import {
  NAME, OPERATIONS, read, request, SKEW_MS, type Body, type Send, type Settings,
} from './signing.ts'

const PAGE_SIZE_MAX = 20
const DEPTH_MAX = 1000
/** Long link, app link, path of a mini-program. */
const LINK_TYPES = [1, 3, 4] as const

interface Parts {
  readonly settings: Settings
  readonly client: PlatformClient
  readonly clock: Clock
}

export function createFood(parts: Parts): Source {
  const { settings, client, clock } = parts
  const send = sendThrough(parts)
  const coupons = createCoupons(settings, send)
  const readLink = linkReader(settings)
  return {
    name: NAME,
    capabilities: {
      pageSizeMax: PAGE_SIZE_MAX, depthMax: DEPTH_MAX, itemsMax: PAGE_SIZE_MAX,
      sorts: ['relevance', 'price_asc'],
      attribution: 'token',
      defaultItem: GENERAL,
      // A change of a part moves no time that is searched: the days before are read again.
      orders: { overlapMs: 600_000, lookbackMs: 90 * DAY_MS },
    },
    search: (query, call) => coupons.search(query, call),
    items: (ids, call) => coupons.items(ids, call),
    convert(request, call) {
      const id = request.item ?? readLink(request.url ?? '')?.id ?? null
      return convert(settings, send, { ...request, id }, call)
    },
    orders: (window, call) => readOrders({ settings, clock, send }, window, call),
    readLink,
    health: () => client.health(),
    close: () => client.close(),
  }
}

/** The gateway has one code for a wrong signature and for a wrong time: the clocks tell. */
function sendThrough({ client, settings, clock }: Parts): Send {
  const isClock = (error: unknown): error is SourceError => error instanceof SourceError
    && error.kind === 'auth' && Math.abs(client.health().skewMs ?? 0) > SKEW_MS - 1000
  return async (operation, business, repeatable, call) => {
    try {
      return await client.call({
        operation,
        build: () => request(settings, operation, business, clock.now()),
        read,
        repeatable,
      }, call)
    } catch (error) {
      throw isClock(error) ? new SourceError(NAME, 'clock', { code: error.code ?? '' }) : error
    }
  }
}

/** Reads links of items by the template of one. */
function linkReader({ hosts, itemUrl }: Settings): Source['readLink'] {
  const path = itemUrl && new RegExp(`^${itemUrl
    .replaceAll(/[.*+?^$()|[\]\\/]/g, String.raw`\$&`)
    .replace('{id}', '([0-9A-Za-z_-]{1,128})')}$`)
  return (link) => linkOn(hosts, link) && { id: (path && path.exec(link)?.[1]) || null }
}

interface Conversion extends ConvertRequest {
  /** Null where only a link names the item. */
  readonly id: string | null
}

async function convert(
  { actId, platform = 1, bizLine, miniProgramId }: Settings, send: Send,
  { id, url, subId }: Conversion, call?: CallOptions,
): Promise<ConvertedLink> {
  const body = await send(OPERATIONS.convert, {
    ...(id === GENERAL ? { actId } : id === null ? { text: url } : { skuViewId: id }),
    platform,
    ...(bizLine !== undefined && { bizLine }),
    linkTypeList: LINK_TYPES,
    ...(subId !== undefined && { sid: subId }),
  }, false, call)
  const links = toLinks(body, miniProgramId)
  // The platform has no code for an unknown item: it answers 0, and no link.
  if (links === null) throw new SourceError(NAME, hasLinks(body) ? 'bad_answer' : 'not_found')
  return {
    source: NAME,
    item_id: id ?? idOrNull(body.skuViewId),
    ...links,
    share_code: null, share_text: null,
    attributed: subId !== undefined,
    coupon_applied: false,
    expires_at: null,
  }
}

const hasLinks = ({ data, referralLinkMap }: Body): boolean =>
  Boolean(data) || Boolean(referralLinkMap)

const SEARCHES_MAX = 500
const SEARCH_MS = 300_000

/** Of `sortField`; how the others sort is not documented. */
const SORTS = { relevance: 1, price_asc: 2, price_desc: undefined, sales: undefined } as const

/** The list of coupons: searched page by page, and read by ids. */
function createCoupons(settings: Settings, send: Send) {
  /** Search ids by query: the later pages of a search belong to its first. */
  const searches = new LRUCache<string, string>({ max: SEARCHES_MAX, ttl: SEARCH_MS })

  async function fetchPage(query: SearchQuery, call?: CallOptions): Promise<Body> {
    const { q, page, pageSize, sort = 'relevance' } = query
    const criteria = { ...locationOf(settings), searchText: q, sortField: SORTS[sort], pageSize }
    const key = JSON.stringify(criteria)
    const fetch = async (pageNo: number, searchId: string | undefined): Promise<Body> => {
      const body = await send(OPERATIONS.coupons,
        { ...criteria, pageNo, ...(searchId && { searchId }) }, true, call)
      if (body.searchId) searches.set(key, body.searchId)
      return body
    }
    if (page === 1) return fetch(1, undefined)
    return fetch(page, searches.get(key) ?? (await fetch(1, undefined)).searchId ?? undefined)
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
      const { data, hasNext } = await fetchPage(query, call)
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
        ...locationOf(settings), skuViewIds: wanted, pageNo: 1, pageSize: wanted.length,
      }, true, call)
      return { ...toItems(data), missing: [] }
    },
  }
}

/** Coordinates are whole numbers of millionths of a degree. */
function locationOf({ platform = 1, bizLine, cityId, latitude, longitude }: Settings): object {
  return {
    platform,
    ...(bizLine !== undefined && { bizLine }),
    ...(cityId !== undefined && { cityId }),
    ...(latitude !== undefined && { latitude: Math.round(latitude * 1e6) }),
    ...(longitude !== undefined && { longitude: Math.round(longitude * 1e6) }),
  }
}

const ORDER_PAGE_SIZE = 100
/** A scroll of more rows is a bad answer: no day of an operator has so many. */
const SCROLL_ROWS_MAX = 200_000
const BY_UPDATE = 2
const SCROLL = 2

interface OrderParts extends Pick<Parts, 'settings' | 'clock'> {
  readonly send: Send
}

/** Changed orders, window by window; within a window the platform scrolls. */
async function* readOrders(
  parts: OrderParts, span: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const to = Math.min(span.to, parts.clock.now())
  for (const window of windowsOf({ from: span.from, to }, DAY_MS)) {
    yield* scrollThrough(parts, window, call)
  }
}

async function* scrollThrough(
  parts: OrderParts, window: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const seen = new Set<string>()
  let rows = 0
  for (let scrollId: string | null = null; ;) {
    const page: OrdersRead = await orderPage(parts, window, scrollId, call)
    const before = seen.size
    for (const { line_id } of page.lines) seen.add(line_id)
    rows += page.lines.length + page.dropped
    scrollId = page.next
    const hasMore = scrollId !== null
    // A scroll without new rows, or without an end, would be read for ever.
    const stuck = hasMore && page.dropped === 0 && seen.size === before
    if (stuck || rows > SCROLL_ROWS_MAX) throw new SourceError(NAME, 'bad_answer')
    yield {
      lines: page.lines, dropped: page.dropped, through: hasMore ? window.from : window.to,
    }
    if (!hasMore) return
  }
}

interface OrdersRead {
  readonly lines: readonly OrderLine[]
  readonly dropped: number
  /** Null after the last page, whether the platform ends the scroll or only has no more rows. */
  readonly next: string | null
}

async function orderPage(
  { settings, send }: OrderParts, { from, to }: OrderWindow, scrollId: string | null,
  call?: CallOptions,
): Promise<OrdersRead> {
  const { platform = 1, actId, orderPageSize = ORDER_PAGE_SIZE } = settings
  const { data } = await send(OPERATIONS.orders, {
    // Whole seconds, outwards: a row at the edge comes twice rather than never.
    endTime: Math.ceil(to / 1000), limit: orderPageSize, page: 1, platform,
    queryTimeType: BY_UPDATE, searchType: SCROLL, startTime: Math.floor(from / 1000),
    ...(scrollId !== null && { scrollId }),
  }, true, { ...JOB_CALL, ...call })
  if (data === null || data === undefined) return { lines: [], dropped: 0, next: null }
  if (!isScrollPage(data)) throw new SourceError(NAME, 'bad_answer')
  const rows = data.dataList ?? []
  const contradicts = scrollId === null && rows.length === 0 && (data.skuCount ?? 0) > 0
  if (contradicts) throw new SourceError(NAME, 'bad_answer')
  const { kept, dropped } = keepRows(NAME, rows, isOrderRow, (row) => toOrderLine(row, actId))
  const next = data.scrollId && data.scrollId !== 'null' && rows.length > 0 ? data.scrollId : null
  return { lines: kept, dropped, next }
}
