/** The food platform as a source: coupons searched, links with the general coupon, orders. */
import { LRUCache } from 'lru-cache'
import { keepRows } from '../check.ts'
import {
  SourceError, type CallOptions, type ConvertedLink, type ConvertRequest, type SearchQuery,
  type SearchResult, type Source,
} from '../contract.ts'
import type { Client } from '../http.ts'
import { linkOn } from '../links.ts'
import { DAY_MS, type Clock } from '../time.ts'
import { idOrNull, listOf } from '../wire.ts'
import * as dialect from './dialect.ts'
import { toItem, toLinks } from './map.ts'
import { GENERAL } from './orders.ts'
import { readOrders } from './read-orders.ts'
import type { Settings } from './settings.ts'
import { isCouponRow, type Body } from './wire.ts'

const { NAME, OPERATIONS, SKEW_MS } = dialect
const PAGE_SIZE_MAX = 20
const DEPTH_MAX = 1000
const SEARCHES_MAX = 500
const SEARCH_MS = 300_000
/** Long link, app link, path of a mini-program. */
const LINK_TYPES = [1, 3, 4] as const
/** Of `sortField`; which way the others sort is nowhere said. */
const SORTS = { relevance: 1, price_asc: 2 } as const

export interface Parts {
  readonly settings: Settings
  readonly client: Client
  readonly clock: Clock
}

export function createFood({ settings, client, clock }: Parts): Source {
  const itemPath = settings.itemUrl === undefined ? null : itemPathOf(settings.itemUrl)
  /** By what was searched: the later pages of a search belong to its first. */
  const searches = new LRUCache<string, string>({ max: SEARCHES_MAX, ttl: SEARCH_MS })

  const send: dialect.Send = async (operation, business, repeatable, call) => {
    try {
      return await client.call({
        operation,
        build: () => dialect.request(settings, operation, business, clock.now()),
        read: dialect.read,
        repeatable,
      }, call)
    } catch (error) {
      throw isClock(error) ? new SourceError(NAME, 'clock', { code: error.code ?? '' }) : error
    }
  }

  /** The gateway has one code for a wrong signature and for a wrong time. */
  const isClock = (error: unknown): error is SourceError => error instanceof SourceError
    && error.kind === 'auth' && Math.abs(client.health().skewMs ?? 0) > SKEW_MS - 1000

  const toItems = (data: unknown) => {
    const rows = data === null || data === undefined ? [] : listOf(data)
    if (!rows) throw new SourceError(NAME, 'bad_answer')
    return keepRows(NAME, rows, isCouponRow, (row) => toItem(row, settings.itemUrl))
  }

  async function couponsPage(query: SearchQuery, call?: CallOptions): Promise<Body> {
    const { q, page, pageSize, sort = 'relevance' } = query
    const asked = {
      ...placeOf(settings), searchText: q, sortField: SORTS[sort as keyof typeof SORTS], pageSize,
    }
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

  return {
    name: NAME,
    capabilities: {
      pageSizeMax: PAGE_SIZE_MAX, depthMax: DEPTH_MAX, itemsMax: 20,
      sorts: ['relevance', 'price_asc'],
      attribution: 'token',
      defaultItem: GENERAL,
      // A change of a part moves no time that is searched: the days before are read again.
      orders: { overlapMs: 600_000, lookbackMs: 90 * DAY_MS },
    },
    async search(query, call): Promise<SearchResult> {
      const { data, hasNext } = await couponsPage(query, call)
      const { kept, dropped } = toItems(data)
      const seen = kept.length + dropped
      const last = hasNext === false && (seen > 0 || query.page === 1)
      return {
        items: kept, dropped, total: last ? (query.page - 1) * query.pageSize + seen : null,
      }
    },
    async items(ids, call) {
      // The general coupon has no price and stands on no list.
      const wanted = ids.filter((id) => id !== GENERAL)
      if (wanted.length === 0) return { items: [], missing: [], dropped: 0 }
      const { data } = await send(OPERATIONS.coupons, {
        ...placeOf(settings), skuViewIds: wanted, pageNo: 1, pageSize: wanted.length,
      }, true, call)
      const { kept, dropped } = toItems(data)
      return { items: kept, missing: [], dropped }
    },
    convert: (request, call) => convert(settings, send, readLink, request, call),
    orders: (window, call) => readOrders({ settings, clock, send }, window, call),
    readLink,
    health: () => client.health(),
    close: () => client.close(),
  }

  function readLink(link: string): { id: string | null } | null {
    return linkOn(settings.hosts, link) && { id: itemPath?.exec(link)?.[1] ?? null }
  }
}

/** Links of items, from the template of one. */
const itemPathOf = (template: string): RegExp => new RegExp(`^${template
  .replaceAll(/[.*+?^$()|[\]\\/]/g, String.raw`\$&`)
  .replace('{id}', '([0-9A-Za-z_-]{1,128})')}$`)

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

async function convert(
  { actId, platform = 1, bizLine, miniProgramId }: Settings, send: dialect.Send, readLink: Source['readLink'],
  { item, url = '', subId }: ConvertRequest, call?: CallOptions,
): Promise<ConvertedLink> {
  const id = item ?? readLink(url)?.id ?? null
  const body = await send(OPERATIONS.convert, {
    ...(id === GENERAL ? { actId } : id === null ? { text: url } : { skuViewId: id }),
    platform,
    ...(bizLine !== undefined && { bizLine }),
    linkTypeList: LINK_TYPES,
    ...(subId !== undefined && { sid: subId }),
  }, false, call)
  const links = toLinks(body, miniProgramId)
  // The platform has no word for what it does not know: it answers well, and without a link.
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
