/** Mall A as a source: goods, shops, links and orders. */
import {
  type CallOptions, type ConvertedLink, type ConvertRequest, type OrderPage, type OrderWindow,
  type SearchQuery, type ShopQuery, type Source, SourceError,
} from '../contract.ts'
import type { PlatformClient } from '../http.ts'
import { JOB_CALL } from '../limits.ts'
import { linkOn, webLink } from '../text.ts'
import { chinaTime, type Clock, DAY_MS } from '../time.ts'
import { keepRows } from '../wire.ts'
import {
  type Body, type Business, type Method, METHODS, NAME, read, request, type Settings,
} from './signing.ts'
import {
  isFlatRow, isLinkRow, isNestedRow, isOrderData, isOrderRow, isShareCode, isShopRow,
  type LinkRow, rowsOf, toItem, toItemLegacy, toOrderLine, toShop,
} from './mapping.ts'

const PAGE_SIZE_MAX = 100
/** Documented for shops; for goods no larger number is known. */
const PAGES_MAX = 100

const SORTS = {
  // Always sent: the mall's default may be its commission.
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

/** An empty result is an empty list, a list without its key, or a count of 0 alone. */
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
    // Whole yuan, outwards: the guard drops the excess after mapping.
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
  const requested = new Map(ids.map((id) => [headOf(id), id]))
  return {
    items: found.items.map((item) => ({ ...item, id: requested.get(headOf(item.id)) ?? item.id })),
    missing: [], dropped: found.dropped,
  }
}

/** The mall may answer a list without known items as an error. */
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

interface Parts {
  readonly settings: Settings
  readonly client: PlatformClient
  readonly clock: Clock
}

function send(
  { client, settings, clock }: Parts, method: Method, business: Business, repeatable: boolean,
  call?: CallOptions,
): Promise<Body> {
  return client.call({
    operation: method,
    build: () => request(settings, method, business, clock.now()),
    read: (text) => read(method, text),
    repeatable,
  }, call)
}

/** The neutral position belongs to no agent, even where an operator lists it. */
const poolOf = (
  { adzoneId, poolKind = 'adzone', poolIds = [] }: Settings,
): readonly string[] =>
  (poolKind === 'adzone' ? poolIds.filter((id) => id !== adzoneId) : poolIds)

/** Ids of the newer kind are "head-tail", and the tail is another one from time to time. */
const headOf = (id: string): string => id.split('-', 1)[0] || id

const ITEM_PATH = /\/(?:item|e?detail)\b/i
const ID = /^[0-9A-Za-z_-]{1,128}$/

/** Item pages carry the id in their query; tracked and shortened links hold none. */
function readLink({ hosts }: Settings, link: string): { id: string | null } | null {
  const url = linkOn(hosts, link)
  if (!url) return null
  const id = ITEM_PATH.test(url.pathname)
    ? url.searchParams.get('id') ?? url.searchParams.get('itemId') : null
  return { id: id !== null && ID.test(id) ? id : null }
}

// Links that count for an agent, and the codes that the mall's application reads.

async function convert(
  parts: Parts, request: ConvertRequest, call?: CallOptions,
): Promise<ConvertedLink> {
  const { settings, clock } = parts
  const began = clock.now()
  const { business, attributed } = positionOf(settings, request.subId)
  const { item, url: asked = '' } = request
  const { data } = await send(parts, METHODS.convert, {
    ...business,
    biz_scene_id: settings.sceneId,
    // Commas separate the list's entries, and links may hold some.
    ...(item !== undefined ? { item_id_list: item }
      : { material_list: asked.replaceAll(',', '%2C') }),
  }, false, call)
  const found = linkOf(firstRow(data, item === undefined ? 'material_url_list' : 'item_url_list'))
  const share = found.code === null
    ? await shareCode(parts, found.url, remaining(call, clock.now() - began))
    : { code: found.code, text: found.text }
  return {
    source: NAME,
    item_id: item ?? readLink(settings, asked)?.id ?? null,
    url: found.url,
    app_url: null, mini_program: null,
    share_code: share.code, share_text: share.text,
    attributed, coupon_applied: found.coupon,
    expires_at: null,
  }
}

/** The mall echoes no text of ours, only ids that it issued: those of the pool. */
function positionOf(
  settings: Settings, subId: string | undefined,
): { business: Business, attributed: boolean } {
  const { adzoneId, poolKind = 'adzone' } = settings
  const pool = poolOf(settings)
  if (subId === undefined || pool.length === 0) {
    return { business: { adzone_id: adzoneId }, attributed: false }
  }
  if (!pool.includes(subId)) throw new SourceError(NAME, 'invalid_arg')
  return { business: { adzone_id: adzoneId, [`${poolKind}_id`]: subId }, attributed: true }
}

/** not_found for an item that is unknown, or that the mall does not promote. */
function firstRow(data: unknown, key: string): LinkRow {
  const rows = rowsOf((data as Readonly<Record<string, unknown>> | null | undefined)?.[key], key)
  if (!rows) throw new SourceError(NAME, 'bad_answer')
  const [row] = rows
  if (row === undefined) throw new SourceError(NAME, 'not_found')
  if (!isLinkRow(row)) throw new SourceError(NAME, 'bad_answer')
  return row
}

interface Found {
  readonly url: string
  readonly coupon: boolean
  readonly code: string | null
  readonly text: string | null
}

/** With the coupon where there is one; long before short, since short links expire. */
function linkOf({ code, link_info_dto: info }: LinkRow): Found {
  const withCoupon = webLink(info?.coupon_long_url) ?? webLink(info?.coupon_short_url)
  const url = withCoupon ?? webLink(info?.cps_long_url) ?? webLink(info?.cps_short_url)
  if (!info || url === null) {
    throw new SourceError(NAME, 'not_found', code == null ? {} : { code })
  }
  const coupon = withCoupon !== null
  return {
    url, coupon,
    code: cleanCode(coupon ? info.coupon_short_tpwd : info.cps_short_tpwd, 100),
    text: cleanCode(coupon ? info.coupon_full_tpwd : info.cps_full_tpwd, 500),
  }
}

/** Requested where the conversion gave none; a link is worth having without its code. */
async function shareCode(
  parts: Parts, url: string, call: CallOptions | undefined,
): Promise<{ code: string | null, text: string | null }> {
  try {
    const { data } = await send(parts, METHODS.shareCode, { url }, false, call)
    if (!isShareCode(data)) return { code: null, text: null }
    return { code: cleanCode(data.password_simple, 100), text: cleanCode(data.model, 500) }
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind === 'aborted') throw error
    return { code: null, text: null }
  }
}

/** Keeps the marks that the application needs; a truncated code would be unreadable. */
function cleanCode(text: string | null | undefined, length: number): string | null {
  const clean = (text ?? '').replaceAll(/[^\n\P{Cc}]/gu, '').trim()
  return clean !== '' && clean.length <= length ? clean : null
}

const remaining = (call: CallOptions | undefined, spentMs: number): CallOptions | undefined =>
  (call?.deadlineMs === undefined ? call
    : { ...call, deadlineMs: Math.max(1, call.deadlineMs - spentMs) })

// Orders: windows by time of update, and inside them pages that follow a position.

const LONG_MS = 3 * 3_600_000
/** The longest window during the big sales, whose dates the gateway does not announce. */
const SHORT_MS = 20 * 60_000
const BY_UPDATE = 4
const PAGE_SIZE = 100
const ORDER_PAGES_MAX = 100
const TOO_MANY = 'pages'

async function* orders(
  parts: Parts, span: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const end = Math.min(span.to, parts.clock.now())
  let length = LONG_MS
  for (let from = span.from; from < end;) {
    const window = { from, to: Math.min(from + length, end) }
    try {
      yield* pages(parts, window, call)
      from = window.to
    } catch (error) {
      if (!tooLong(error) || window.to - from <= SHORT_MS) throw error
      length = SHORT_MS
    }
  }
}

const tooLong = (error: unknown): boolean => error instanceof SourceError
  && (error.kind === 'invalid_arg' || error.code === TOO_MANY)

/** The position in an answer is stable while rows change; a page number is not. */
async function* pages(
  parts: Parts, window: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  let position: string | undefined
  for (let page = 1; page <= ORDER_PAGES_MAX; page += 1) {
    const { lines, dropped, next } = await orderPage(parts, window, { page, position }, call)
    yield { lines, dropped, through: next === null ? window.to : window.from }
    if (next === null) return
    position = next
  }
  throw new SourceError(NAME, 'bad_answer', { code: TOO_MANY })
}

interface Cursor { readonly page: number, readonly position: string | undefined }

async function orderPage(
  parts: Parts, { from, to }: OrderWindow, { page, position }: Cursor, call?: CallOptions,
): Promise<Pick<OrderPage, 'lines' | 'dropped'> & { readonly next: string | null }> {
  const { settings } = parts
  const { data } = await send(parts, METHODS.orders, {
    query_type: BY_UPDATE,
    // Whole seconds, outwards: a row at the edge comes twice rather than never.
    start_time: chinaTime(from), end_time: chinaTime(Math.ceil(to / 1000) * 1000),
    page_size: settings.orderPageSize ?? PAGE_SIZE,
    ...(page > 1 && { page_no: page, position_index: position, jump_type: 1 }),
  }, true, { ...JOB_CALL, ...call })
  if (!isOrderData(data)) throw new SourceError(NAME, 'bad_answer')
  const rows = rowsOf(data.results ?? {}, 'publisher_order_dto')
  if (!rows || (data.has_next == null && rows.length === 0)) {
    throw new SourceError(NAME, 'bad_answer')
  }
  const next = data.has_next ? data.position_index ?? '' : null
  // More without rows, or more from the position of this page, would never end.
  const endless = next !== null && (rows.length === 0 || next === '' || next === position)
  if (endless) throw new SourceError(NAME, 'bad_answer')
  const { kept, dropped } = keepRows(NAME, rows, isOrderRow, (row) => toOrderLine(row, settings))
  return { lines: kept, dropped, next }
}
