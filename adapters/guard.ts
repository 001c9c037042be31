/**
 * What stands between every adapter and its callers: arguments within the source's limits on the
 * way in; clean, checked and consistent data on the way out. Adapters only map.
 */
import {
  type CallOptions, ConvertedLink, type ConvertRequest, type FailureKind, ID_PATTERN, IMAGES_MAX,
  Item, type ItemsResult, NAME_MAX, OrderLine, type OrderWindow, REVIEW_MAX, SAMPLES_MAX,
  type SearchQuery, type SearchResult, Shop, type ShopQuery, type ShopsResult, type Source,
  SourceError, SUB_ID_PATTERN, TITLE_MAX,
} from './contract.ts'
import { addsUp } from './price.ts'
import { cleanText, opensApp, textOrNull, webLink } from './text.ts'
import { fits } from './wire.ts'

const isItem = fits(Item)
const isShop = fits(Shop)
const isLink = fits(ConvertedLink)
const isLine = fits(OrderLine)
const ID = new RegExp(ID_PATTERN)
const SUB_ID = new RegExp(SUB_ID_PATTERN)
const QUERY_LENGTH_MAX = 200

export function guard(adapter: Source): Source {
  const fail = (kind: FailureKind, cause?: unknown): SourceError =>
    new SourceError(adapter.name, kind, { cause })
  const wrapped = { adapter, fail }
  return {
    name: adapter.name,
    capabilities: adapter.capabilities,
    search: (query, call) => withSourceError(fail, () => search(wrapped, query, call)),
    items: (ids, call) => withSourceError(fail, () => items(wrapped, ids, call)),
    ...(adapter.shops && {
      shops: (query, call) => withSourceError(fail, () => shops(wrapped, query, call)),
    }),
    ...(adapter.convert && {
      convert: (request, call) => withSourceError(fail, () => convert(wrapped, request, call)),
    }),
    ...(adapter.orders && { orders: (window, call) => orders(wrapped, window, call) }),
    readLink: (url) => (webLink(url) === url ? adapter.readLink(url) : null),
    health: () => adapter.health(),
    close: () => adapter.close(),
  }
}

interface Guarded {
  readonly adapter: Source
  fail(kind: FailureKind, cause?: unknown): SourceError
}

/** A defect of a mapping over an unforeseen answer is a bad answer too. */
async function withSourceError<T>(fail: Guarded['fail'], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SourceError ? error : fail('bad_answer', error)
  }
}

async function search(
  { adapter, fail }: Guarded, query: SearchQuery, call?: CallOptions,
): Promise<SearchResult> {
  const { sort = 'relevance', priceMin = 0, priceMax = Infinity, withCoupon = false } = query
  const valid = pageFits(adapter, query) && priceMin <= priceMax
    && adapter.capabilities.sorts.includes(sort)
  if (!valid) throw fail('invalid_arg')
  const found = await adapter.search(query, call)
  const rows = found.items.length + found.dropped
  const kept = keepItems(adapter, found.items).slice(0, query.pageSize)
  return {
    // Some malls filter by whole yuan, or by a price of their own, or not at all; and a coupon that
    // a mall counts may have ended, or ask for more than the item costs.
    items: kept.filter(({ price, special }) => (!withCoupon || price.coupon !== null)
      && [price, special].some((one) =>
        one && one.payable >= priceMin && one.payable <= priceMax)),
    dropped: rows - kept.length,
    total: soundTotal(found.total, query, rows),
  }
}

interface Page { readonly q: string, readonly page: number, readonly pageSize: number }

function pageFits(adapter: Source, { q, page, pageSize }: Page): boolean {
  const { pageSizeMax, depthMax } = adapter.capabilities
  return q.trim() !== '' && q.length <= QUERY_LENGTH_MAX
    && Number.isInteger(page) && Number.isInteger(pageSize) && page >= 1 && pageSize >= 1
    && pageSize <= pageSizeMax && page * pageSize <= depthMax
}

async function shops(
  { adapter, fail }: Guarded, query: ShopQuery, call?: CallOptions,
): Promise<ShopsResult> {
  if (!adapter.shops || !pageFits(adapter, query)) throw fail('invalid_arg')
  const found = await adapter.shops(query, call)
  const rows = found.shops.length + found.dropped
  const kept = found.shops.map((shop) => ({
    ...shop,
    title: cleanText(shop.title, NAME_MAX),
    image: webLink(shop.image),
    url: ownLink(adapter, shop.url),
  })).filter((shop) => isShop(shop) && shop.source === adapter.name).slice(0, query.pageSize)
  return {
    shops: kept, dropped: rows - kept.length, total: soundTotal(found.total, query, rows),
  }
}

/** An address on a foreign host does not lead to this item. */
function ownLink(adapter: Source, text: string | null): string | null {
  const link = webLink(text)
  return link !== null && adapter.readLink(link) ? link : null
}

/** A count must agree with what was seen; a page that is not full is the last. */
function soundTotal(claimed: number | null, query: Page, rows: number): number | null {
  const before = (query.page - 1) * query.pageSize
  if (rows === 0) return claimed === null && before > 0 ? null : Math.min(claimed ?? 0, before)
  if (rows < query.pageSize) return before + rows
  return claimed === null ? null : Math.max(claimed, before + query.pageSize)
}

async function items(
  { adapter, fail }: Guarded, ids: readonly string[], call?: CallOptions,
): Promise<ItemsResult> {
  const wanted = new Set(ids)
  const { itemsMax } = adapter.capabilities
  if (wanted.size === 0 || wanted.size > itemsMax) throw fail('invalid_arg')
  const known = [...wanted].filter((id) => ID.test(id))
  const found = known.length === 0 ? { items: [], dropped: 0 } : await adapter.items(known, call)
  const kept = keepItems(adapter, found.items).filter((item) => wanted.has(item.id))
  const ours = new Set(kept.map((item) => item.id))
  return {
    items: kept,
    missing: [...wanted].filter((id) => !ours.has(id)),
    dropped: found.dropped + found.items.length - kept.length,
  }
}

/** Clean, whole and each only once. */
function keepItems(adapter: Source, candidates: readonly Item[]): Item[] {
  const kept = new Map<string, Item>()
  for (const candidate of candidates) {
    const item = cleaned(adapter, candidate)
    const sound = isItem(item) && addsUp(item.price) && (!item.special || addsUp(item.special))
    if (sound && item.source === adapter.name && !kept.has(item.id)) kept.set(item.id, item)
  }
  return [...kept.values()]
}

function cleaned(adapter: Source, item: Item): Item {
  const images = item.images.map(webLink).filter((image) => image !== null)
  return {
    ...item,
    title: cleanText(item.title, TITLE_MAX),
    brand: textOrNull(item.brand, NAME_MAX),
    category: textOrNull(item.category, NAME_MAX),
    shop: textOrNull(item.shop, NAME_MAX),
    images: [...new Set(images)].slice(0, IMAGES_MAX),
    url: ownLink(adapter, item.url),
    reviews: item.reviews && soundReviews(item.reviews),
  }
}

async function convert(
  { adapter, fail }: Guarded, asked: ConvertRequest, call?: CallOptions,
): Promise<ConvertedLink> {
  const { attribution, defaultItem } = adapter.capabilities
  const general = asked.item === undefined && asked.url === undefined
  const request = general && defaultItem !== null ? { ...asked, item: defaultItem } : asked
  const { item, url, subId } = request
  const one = item === undefined ? url !== undefined && adapter.readLink(url) !== null
    : url === undefined && ID.test(item)
  const echoed = subId === undefined || attribution === 'pool' || SUB_ID.test(subId)
  if (!one || !echoed || !adapter.convert) throw fail('invalid_arg')
  const link = await adapter.convert(request, call)
  const safe = isLink(link) && adapter.readLink(link.url) !== null
    && (link.app_url === null || opensApp(link.app_url))
  if (!safe) throw fail('bad_answer')
  return link
}

async function* orders(
  { adapter, fail }: Guarded, window: OrderWindow, call?: CallOptions,
): ReturnType<NonNullable<Source['orders']>> {
  const { from, to } = window
  if (!adapter.orders || !(from < to)) throw fail('invalid_arg')
  let through = from
  try {
    for await (const page of adapter.orders(window, call)) {
      const lines = page.lines.map((line) => ({
        ...line, title: cleanText(line.title, TITLE_MAX) || line.line_id,
      })).filter((line) => isLine(line) && line.source === adapter.name)
      through = Math.min(Math.max(through, page.through), to)
      yield { lines, dropped: page.dropped + page.lines.length - lines.length, through }
    }
  } catch (error) {
    throw error instanceof SourceError ? error : fail('bad_answer', error)
  }
}

type Reviews = NonNullable<Item['reviews']>

/** From so many stars on a review counts as a good one. */
export const GOOD_STARS = 4

/** What buyers wrote: clean texts, and a summary that does not contradict them. */
export function soundReviews({ count, positive_percent, samples }: Reviews): Reviews {
  const clean = samples.map((sample) => ({ ...sample, text: cleanText(sample.text, REVIEW_MAX) }))
    .filter(({ text }) => text !== '').slice(0, SAMPLES_MAX)
  const isBelied = clean.some(({ rating }) => rating !== null
    && positive_percent === (rating < GOOD_STARS ? 100 : 0))
  return {
    count: Math.max(count, clean.length),
    positive_percent: isBelied ? null : positive_percent,
    samples: clean,
  }
}
