/** Mall B as a source: its four calls, and the windows in which its orders are read. */
import {
  SourceError, type CallOptions, type ConvertedLink, type ConvertRequest, type OrderPage,
  type OrderWindow, type SearchQuery, type Source,
} from '../contract.ts'
import type { PlatformClient } from '../http.ts'
import { JOB_CALL } from '../limits.ts'
import { linkOn, webLink } from '../text.ts'
import { chinaTime, type Clock, DAY_MS, halvesOf, windowsOf } from '../time.ts'
import { keepRows, listOf } from '../wire.ts'
import { isGoodsRow, isOrderRow, isPromotion, toItem, toOrderLine } from './mapping.ts'
import {
  COUPON_CODES, METHODS, NAME, read, request, WINDOW_FULL_CODE, type Method, type ResultBody,
  type Settings,
} from './signing.ts'

const PAGE_SIZE_MAX = 30
const DEPTH_MAX = 10_000
const HOUR_MS = 3_600_000
const SHORT_LINK_DAYS = 60
const ORDER_PAGE_SIZE = 200
/** Rows move between pages while they are read: a window is halved before it is paged. */
const PAGED_WINDOW_MS = 60_000
/** The mall pages through so many rows of a window; a read beyond them is a bad answer. */
const WINDOW_ROWS_MAX = 10_000

const SORTS = {
  relevance: {},
  price_asc: { sortName: 'price', sort: 'asc' },
  price_desc: { sortName: 'price', sort: 'desc' },
  sales: { sortName: 'inOrderCount30Days', sort: 'desc' },
} as const

interface Parts {
  readonly settings: Settings
  readonly client: PlatformClient
  readonly clock: Clock
}

export function createMallB(parts: Parts): Source {
  const { settings, client } = parts
  return {
    name: NAME,
    capabilities: {
      pageSizeMax: PAGE_SIZE_MAX, depthMax: DEPTH_MAX, itemsMax: 20,
      sorts: ['relevance', 'price_asc', 'price_desc', 'sales'],
      attribution: 'token',
      defaultItem: null,
      orders: { overlapMs: 120_000, lookbackMs: 90 * DAY_MS },
    },
    async search(query, call) {
      const { data, totalCount } = await goods(parts, searchBody(query), call)
      return { ...toItems(parts, data), total: totalCount ?? null }
    },
    async items(ids, call) {
      const wanted = settings.sceneId === 1 ? { itemIds: ids } : { skuIds: ids.map(Number) }
      const { data } = await goods(parts, { ...wanted, pageIndex: 1, pageSize: 20 }, call)
      return { ...toItems(parts, data), missing: [] }
    },
    convert: (request, call) => convert(parts, request, call),
    orders: (window, call) => orders(parts, window, call),
    readLink: (url) => readLink(settings, url),
    health: () => client.health(),
    close: () => client.close(),
  }
}

function send(
  { client, settings, clock }: Parts, method: Method, business: object,
  repeatable: boolean, call?: CallOptions,
): Promise<ResultBody> {
  return client.call({
    operation: method,
    build: () => request(settings, method, business, clock.now()),
    read: (text) => read(method, text),
    repeatable,
  }, call)
}

const goods = (parts: Parts, wanted: object, call?: CallOptions): Promise<ResultBody> =>
  send(parts, METHODS.goods,
    { goodsReqDTO: { sceneId: parts.settings.sceneId, ...wanted } }, true, call)

function searchBody(query: SearchQuery): object {
  const { q, page, pageSize, sort = 'relevance', priceMin, priceMax, withCoupon } = query
  return {
    keyword: q, pageIndex: page, pageSize,
    ...SORTS[sort],
    ...(priceMin !== undefined && { pricefrom: priceMin / 100 }),
    ...(priceMax !== undefined && { priceto: priceMax / 100 }),
    ...(withCoupon && { isCoupon: 1 }),
  }
}

function toItems({ settings, clock }: Parts, data: unknown) {
  const { kept, dropped } = keepRows(NAME, rowsOf(data, 'goodsResp'), isGoodsRow,
    (row) => toItem(row, settings.sceneId, clock.now()))
  return { items: kept, dropped }
}

/** An empty result is an empty list, null, or absent. */
function rowsOf(data: unknown, key: string): readonly unknown[] {
  const rows = data === null || data === undefined ? [] : listOf(data, key)
  if (!rows) throw new SourceError(NAME, 'bad_answer')
  return rows
}

async function convert(
  parts: Parts, request: ConvertRequest, call?: CallOptions,
): Promise<ConvertedLink> {
  const { settings, clock } = parts
  const method = settings.conversion === 'common' ? METHODS.convertCommon
    : METHODS.convertSubUnion
  const sendWith = (couponUrl: string | undefined): Promise<ResultBody> => send(parts, method, {
    promotionCodeReq: {
      sceneId: settings.sceneId,
      materialId: request.url ?? materialOf(settings, request.item ?? ''),
      ...(settings.conversion === 'common' ? { siteId: settings.siteId } : { chainType: 3 }),
      ...(settings.positionId !== undefined && { positionId: settings.positionId }),
      ...(request.subId !== undefined && { subUnionId: request.subId }),
      ...(couponUrl !== undefined && { couponUrl }),
    },
  }, false, call)
  const { data, coupon } = await withCouponOrWithout(sendWith, request.couponUrl)
  if (!isPromotion(data)) throw new SourceError(NAME, 'bad_answer')
  const permanent = webLink(data.clickURL)
  const url = permanent ?? webLink(data.shortURL)
  if (url === null) throw new SourceError(NAME, 'bad_answer')
  return {
    source: NAME,
    item_id: request.item ?? readLink(settings, request.url ?? '')?.id ?? null,
    url,
    app_url: null, mini_program: null, share_code: null, share_text: null,
    attributed: request.subId !== undefined && settings.conversion === 'sub_union',
    coupon_applied: coupon,
    expires_at: permanent ? null : clock.now() + SHORT_LINK_DAYS * DAY_MS,
  }
}

/** The link is worth having where its coupon has ended. */
async function withCouponOrWithout(
  sendWith: (couponUrl: string | undefined) => Promise<ResultBody>, couponUrl: string | undefined,
): Promise<{ data: unknown, coupon: boolean }> {
  try {
    return { data: (await sendWith(couponUrl)).data, coupon: couponUrl !== undefined }
  } catch (error) {
    const ended = couponUrl !== undefined && error instanceof SourceError
      && COUPON_CODES.has(error.code ?? '')
    if (!ended) throw error
    return { data: (await sendWith(undefined)).data, coupon: false }
  }
}

const materialOf = ({ sceneId, itemUrl }: Settings, id: string): string =>
  (sceneId === 2 && itemUrl ? itemUrl.replace('{id}', id) : id)

const UNION_PATH = /\/detail\/([0-9A-Za-z_-]{1,128})(?:\.html)?$/
const SITE_PATH = /\/(\d{3,20})\.html$/

function readLink({ hosts, sceneId }: Settings, link: string): { id: string | null } | null {
  const url = linkOn(hosts, link)
  if (!url) return null
  return { id: (sceneId === 1 ? UNION_PATH : SITE_PATH).exec(url.pathname)?.[1] ?? null }
}

async function* orders(
  parts: Parts, span: OrderWindow, call?: CallOptions,
): AsyncGenerator<OrderPage> {
  const now = parts.clock.now()
  const waiting = windowsOf({ from: span.from, to: Math.min(span.to, now) }, HOUR_MS).toReversed()
  for (let window = waiting.pop(); window; window = waiting.pop()) {
    const length = window.to - window.from
    const first = await orderPage(parts, window, 1, call)
    if (first.more && length > PAGED_WINDOW_MS) {
      waiting.push(...halvesOf(window).toReversed())
      continue
    }
    yield { ...first, through: first.more ? window.from : window.to }
    for (let page = 2, more = first.more; more; page += 1) {
      const next = await orderPage(parts, window, page, call)
      more = next.more
      yield { ...next, through: more ? window.from : window.to }
    }
  }
}

interface RawPage {
  readonly lines: OrderPage['lines']
  readonly dropped: number
  readonly more: boolean
}

async function orderPage(
  parts: Parts, { from, to }: OrderWindow, page: number, call?: CallOptions,
): Promise<RawPage> {
  const { settings: { sceneId, orderPageSize = ORDER_PAGE_SIZE }, clock } = parts
  if (page * orderPageSize > WINDOW_ROWS_MAX) throw new SourceError(NAME, 'bad_answer')
  const orderReq = {
    // 3: by time of update.
    type: 3, pageIndex: page, pageSize: orderPageSize,
    // Whole seconds, outwards: a row at the edge comes twice rather than never.
    startTime: chinaTime(from), endTime: chinaTime(Math.ceil(to / 1000) * 1000),
  }
  try {
    const { data, hasMore } = await send(
      parts, METHODS.orders, { orderReq }, true, { ...JOB_CALL, ...call })
    const rows = rowsOf(data, 'orderRowResp')
    if (hasMore && rows.length === 0) throw new SourceError(NAME, 'bad_answer')
    const { kept, dropped } = keepRows(NAME, rows, isOrderRow,
      (row) => toOrderLine(row, sceneId, clock.now()))
    return { lines: kept, dropped, more: hasMore === true }
  } catch (error) {
    const full = error instanceof SourceError && error.code === WINDOW_FULL_CODE
      && page === 1 && to - from > PAGED_WINDOW_MS
    if (!full) throw error
    return { lines: [], dropped: 0, more: true }
  }
}
