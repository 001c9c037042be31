/**
 * Mall C as a source. The mall answers searches and conversions only for positions, and users of
 * positions, that a person once registered in its app: a refusal carries the page for that.
 */
import {
  AnyLink, type CallOptions, type ConvertedLink, ConvertedLink as ConvertedLinkSchema,
  type ConvertRequest, ID_PATTERN, type ItemsResult, type OrderPage, type OrderWindow,
  type SearchQuery, type SearchResult, type MallSort, type Source, SourceError,
} from '../contract.ts'
import type { PlatformClient } from '../http.ts'
import { JOB_CALL } from '../limits.ts'
import { linkOn } from '../text.ts'
import { type Clock, DAY_MS, halvesOf, windowsOf } from '../time.ts'
import { fits, keepRows } from '../wire.ts'
import {
  type Body, type CallType, customOf, NAME, read, REGISTRATION_CHANNEL, request, type Settings,
  SIGN_CODE, TYPES,
} from './signing.ts'
import {
  isGoodsRow, isOrderRow, isPromotion, type Promotion, toItem, toOrderLine,
} from './mapping.ts'

const PAGE_SIZE_MIN = 10
const PAGE_SIZE_MAX = 100
const DEPTH_MAX = 2000
/** Each item is a call. */
const ITEMS_MAX = 10
const HOUR_MS = 3_600_000
const LISTS_MAX = 500
const LIST_MS = 600_000

/** By what is paid after the coupon. */
const SORTS: Readonly<Record<MallSort, number>> =
  { relevance: 0, price_asc: 9, price_desc: 10, sales: 6 }
const AFTER_COUPON = 1
/** The mall takes ranges with both ends only. */
const PRICE_END = 1_000_000_000

export function createMallC(given: {
  readonly settings: Settings, readonly client: PlatformClient, readonly clock: Clock,
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
export function sliceOf(page: number, pageSize: number) {
  const share = Math.ceil(PAGE_SIZE_MIN / pageSize)
  const skip = ((page - 1) % share) * pageSize
  return {
    page: Math.ceil(page / share), size: share * pageSize, from: skip, to: skip + pageSize,
  }
}

async function search(
  parts: Parts, query: SearchQuery, call?: CallOptions,
): Promise<SearchResult> {
  const slice = sliceOf(query.page, query.pageSize)
  const { pid, custom } = positionOf(parts)
  const criteria = { ...criteriaOf(query), page_size: slice.size, pid, custom_parameters: custom }
  const key = JSON.stringify(criteria)
  const list = slice.page > 1 ? parts.lists.get(key) ?? undefined : undefined
  const body = await registered(parts, custom, call, () => send(
    parts, TYPES.search, { ...criteria, page: slice.page, list_id: list }, true, call))
  if (body.list_id) parts.lists.set(key, body.list_id)
  const rows = rowsOf(body, 'goods_list').slice(slice.from, slice.to)
  return { ...toItems(parts, rows), total: body.total_count ?? null }
}

function criteriaOf(
  { q, sort = 'relevance', priceMin, priceMax, withCoupon }: SearchQuery,
): object {
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

/** The mall answers one item a call; the client's slots bound how many run at once. */
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

interface Parts {
  readonly settings: Settings
  readonly client: PlatformClient
  readonly clock: Clock
  /** The list that the mall cut its pages from, by query: the next page is of the same list. */
  readonly lists: Memory<string>
  /** Where a person registers, by custom parameters. */
  readonly registrations: Memory<string>
}

/** The mall accepts ten minutes; the header that shows the difference has whole seconds. */
const SKEW_MS = 590_000

async function send(
  { client, settings, clock }: Parts, type: CallType, business: object, repeatable: boolean,
  call?: CallOptions,
): Promise<Body> {
  try {
    return await client.call({
      operation: type,
      build: () => request(settings, type, business, clock.now()),
      read: (text) => read(type, text),
      repeatable,
    }, call)
  } catch (error) {
    const late = error instanceof SourceError && error.code?.split(':')[0] === SIGN_CODE
      && Math.abs(client.health().skewMs ?? 0) > SKEW_MS
    throw late ? new SourceError(NAME, 'clock', { code: error.code ?? SIGN_CODE }) : error
  }
}

/** An empty list may be null; an absent one is a bad answer. */
function rowsOf(body: Body, key: string): readonly unknown[] {
  const rows = body[key]
  if (rows === null) return []
  if (!Array.isArray(rows)) throw new SourceError(NAME, 'bad_answer')
  return rows as readonly unknown[]
}

// Links that count for an agent.

const ID = new RegExp(ID_PATTERN)
const isAnyLink = fits(AnyLink)
const isMiniProgram = fits(ConvertedLinkSchema.properties.mini_program)

async function convert(
  parts: Parts, { item, url = '', subId }: ConvertRequest, call?: CallOptions,
): Promise<ConvertedLink> {
  const id = item ?? readLink(parts.settings, url)?.id ?? await searchIdOfLink(parts, url, call)
  const { pid, custom } = positionOf(parts, subId)
  const body = await registered(parts, custom, call, () => send(parts, TYPES.convert, {
    p_id: pid, goods_sign_list: [id], custom_parameters: custom, generate_short_url: true,
    generate_schema_url: true, generate_we_app: true,
  }, false, call))
  const [row] = rowsOf(body, 'goods_promotion_url_list')
  if (row === undefined) throw new SourceError(NAME, 'not_found')
  const link = isPromotion(row) ? browserLink(parts, row) : null
  if (!isPromotion(row) || link === null) throw new SourceError(NAME, 'bad_answer')
  return {
    source: NAME,
    item_id: id,
    url: link,
    app_url: isAnyLink(row.schema_url) ? row.schema_url : null,
    mini_program: miniProgramOf(row),
    share_code: null, share_text: null,
    attributed: subId !== undefined,
    // The link carries the coupon of its item, if it has one, whatever the request.
    coupon_applied: false,
    expires_at: null,
  }
}

function miniProgramOf({ we_app_info: info }: Promotion): ConvertedLink['mini_program'] {
  const program = { app_id: info?.app_id, path: info?.page_path }
  return isMiniProgram(program) ? program : null
}

/** Short links, and links of the older ids, hold no item id; the mall's search takes them. */
async function searchIdOfLink(parts: Parts, url: string, call?: CallOptions): Promise<string> {
  const { pid, custom } = positionOf(parts)
  const body = await registered(parts, custom, call, () => send(parts, TYPES.search, {
    keyword: url, page: 1, page_size: 10, pid, custom_parameters: custom,
  }, true, call))
  const rows = rowsOf(body, 'goods_list')
  const [row] = rows
  // Several are other results of the search, not the link's item.
  if (rows.length !== 1) throw new SourceError(NAME, 'not_found')
  if (!isGoodsRow(row) || !ID.test(row.goods_sign)) throw new SourceError(NAME, 'bad_answer')
  return row.goods_sign
}

function readLink({ hosts }: Settings, link: string): { id: string | null } | null {
  const url = linkOn(hosts, link)
  if (!url) return null
  const id = url.searchParams.get('goods_sign') ?? ''
  return { id: ID.test(id) ? id : null }
}

// Orders by time of change, each window's pages read from the last to the first.

const PAGE_SIZE = 50
/** A window of more pages is halved: an aborted read then loses less. */
const PAGES_GOOD = 10
const HALVED_WINDOW_MS = 60_000
/** More pages of one minute are a bad answer. */
const PAGES_MAX = 1000

/**
 * A row that changes while it is read leaves its closed window, and the rows behind it move up.
 * Reading backwards meets them again; reading forwards would miss one. So the first page, which was
 * read for the count, is used only where it is the only one.
 */
async function* orders(
  parts: Parts, span: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const { orderPageSize = PAGE_SIZE } = parts.settings
  const end = Math.min(span.to, parts.clock.now())
  const waiting = windowsOf(wholeSeconds({ from: span.from, to: end }), DAY_MS).toReversed()
  for (let window = waiting.pop(); window; window = waiting.pop()) {
    const done = Math.min(window.to, end)
    const first = await orderPage(parts, window, 1, true, call)
    const pages = Math.ceil(first.total / orderPageSize)
    if (pages <= 1) {
      yield { lines: first.lines, dropped: first.dropped, through: done }
      continue
    }
    if (pages > PAGES_GOOD && window.to - window.from > HALVED_WINDOW_MS) {
      waiting.push(...halvesOf(window).toReversed())
      continue
    }
    if (pages > PAGES_MAX) throw new SourceError(NAME, 'bad_answer')
    for (let page = pages; page >= 1; page -= 1) {
      const { lines, dropped } = await orderPage(parts, window, page, false, call)
      yield { lines, dropped, through: page === 1 ? done : window.from }
    }
  }
}

/** Outwards, since the mall counts in seconds: a row at the edge comes twice rather than never. */
const wholeSeconds = ({ from, to }: OrderWindow): OrderWindow =>
  ({ from: Math.floor(from / 1000) * 1000, to: Math.ceil(to / 1000) * 1000 })

interface CountedPage {
  readonly lines: OrderPage['lines']
  readonly dropped: number
  readonly total: number
}

async function orderPage(
  parts: Parts, { from, to }: OrderWindow, page: number, counted: boolean, call?: CallOptions,
): Promise<CountedPage> {
  const { settings } = parts
  const body = await send(parts, TYPES.orders, {
    start_update_time: from / 1000, end_update_time: to / 1000,
    page, page_size: settings.orderPageSize ?? PAGE_SIZE,
    // Counting costs the mall most of the time of such a call.
    return_count: counted,
  }, true, { ...JOB_CALL, ...call })
  const rows = rowsOf(body, 'order_list')
  const total = counted ? body.total_count : 0
  if (total == null || (counted && total < rows.length)) throw new SourceError(NAME, 'bad_answer')
  const { kept, dropped } = keepRows(NAME, rows, isOrderRow, (row) => toOrderLine(row, settings))
  return { lines: kept, dropped, total }
}

// Registration of positions and of their users.

const LINK_WAIT_MS = 1500

/** The position and user of a call: the neutral user where there is no other. */
function positionOf({ settings: { pid, neutralUid } }: Parts, uid = neutralUid) {
  return { pid, custom: uid === undefined ? undefined : customOf(uid) }
}

/** Does the work; a refusal of an unregistered position carries the link that registers it. */
async function registered<T>(
  parts: Parts, custom: string | undefined, call: CallOptions | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const began = parts.clock.now()
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind !== 'registration') throw error
    const left = (call?.deadlineMs ?? Infinity) - (parts.clock.now() - began)
    const link = left <= 0 ? null : await registrationLink(parts, custom, {
      ...call, deadlineMs: Math.min(left, LINK_WAIT_MS),
    })
    throw new SourceError(NAME, 'registration', {
      ...(error.code !== undefined && { code: error.code }), ...(link !== null && { link }),
    })
  }
}

/** Null when it cannot be fetched: the caller's own operation has failed already. */
async function registrationLink(
  parts: Parts, custom: string | undefined, call: CallOptions,
): Promise<string | null> {
  const known = parts.registrations.get(custom ?? '')
  if (known !== null) return known
  try {
    const [row] = rowsOf(await send(parts, TYPES.register, {
      p_id_list: [parts.settings.pid], channel_type: REGISTRATION_CHANNEL,
      custom_parameters: custom, generate_short_url: true,
    }, true, call), 'url_list')
    const link = isPromotion(row) ? browserLink(parts, row) : null
    if (link !== null) parts.registrations.set(custom ?? '', link)
    return link
  } catch {
    return null
  }
}

/** The first of the mall's links that opens in a browser and is its own. */
function browserLink({ settings }: Parts, row: Promotion): string | null {
  const links = [row.mobile_short_url, row.short_url, row.mobile_url, row.url]
  return links.map((link) => linkOn(settings.hosts, link ?? '') && link)
    .find((link) => link) ?? null
}

/** Values that expire; the oldest is dropped when there are too many. */
interface Memory<T> {
  get(key: string): T | null
  set(key: string, value: T): void
}

function createMemory<T>(clock: Clock, max: number, keepMs: number): Memory<T> {
  const held = new Map<string, { value: T, until: number }>()
  return {
    get(key) {
      const found = held.get(key)
      return found && found.until > clock.now() ? found.value : null
    },
    set(key, value) {
      held.delete(key)
      held.set(key, { value, until: clock.now() + keepMs })
      const oldest = held.size > max ? held.keys().next().value : undefined
      if (oldest !== undefined) held.delete(oldest)
    },
  }
}
