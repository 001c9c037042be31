/** The food platform as a source: coupons searched, links with the general coupon, orders. */
import {
  SourceError, type CallOptions, type ConvertedLink, type ConvertRequest, type Source,
} from '../contract.ts'
import type { Client } from '../http.ts'
import { linkOn } from '../links.ts'
import { DAY_MS, type Clock } from '../time.ts'
import { idOrNull } from '../wire.ts'
import { createCoupons } from './coupons.ts'
import * as dialect from './dialect.ts'
import { toLinks } from './map.ts'
import { GENERAL } from './orders.ts'
import { readOrders } from './read-orders.ts'
import type { Settings } from './settings.ts'
import type { Body } from './wire.ts'

const { NAME, OPERATIONS, SKEW_MS } = dialect
const PAGE_SIZE_MAX = 20
const DEPTH_MAX = 1000
/** Long link, app link, path of a mini-program. */
const LINK_TYPES = [1, 3, 4] as const

export interface Parts {
  readonly settings: Settings
  readonly client: Client
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
function sendThrough({ client, settings, clock }: Parts): dialect.Send {
  const isClock = (error: unknown): error is SourceError => error instanceof SourceError
    && error.kind === 'auth' && Math.abs(client.health().skewMs ?? 0) > SKEW_MS - 1000
  return async (operation, business, repeatable, call) => {
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
}

/** Reads links of items by the template of one. */
function linkReader({ hosts, itemUrl }: Settings): Source['readLink'] {
  const path = itemUrl && new RegExp(`^${itemUrl
    .replaceAll(/[.*+?^$()|[\]\\/]/g, String.raw`\$&`)
    .replace('{id}', '([0-9A-Za-z_-]{1,128})')}$`)
  return (link) => linkOn(hosts, link) && { id: (path && path.exec(link)?.[1]) || null }
}

interface Wanted extends ConvertRequest {
  /** Null where only a link says what is wanted. */
  readonly id: string | null
}

async function convert(
  { actId, platform = 1, bizLine, miniProgramId }: Settings, send: dialect.Send,
  { id, url, subId }: Wanted, call?: CallOptions,
): Promise<ConvertedLink> {
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
