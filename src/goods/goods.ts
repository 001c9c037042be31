/** Goods as callers see them: searched, listed, read. Answers are JSON texts, never parsed here. */
import { monotonicMs } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { productIdOf, skuIdOf } from '../ids.ts'
import type { JsonText } from '../json.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { SEARCH_DEPTH_MAX as DEPTH_MAX } from '../operations/fields.ts'
import { runMany } from '../redis/slots.ts'
import type { Board } from './board.ts'
import type { Supply } from './line.ts'
import { createListing, loadListing, type Listing } from './listing.ts'
import { createSplicer, DRAWN_VIEWS, itemText, pageText } from './page.ts'
import { ownItemPage } from './purchase.ts'
import type { Sort } from './query.ts'
import { searchShelf, type Request } from './search.ts'
import { prepareSegmenter } from './segment.ts'
import { indexReady } from './shelf-index.ts'
import { queryWords } from './tokenize.ts'
import { shelfVersion } from './version.ts'

export interface GoodsQuery {
  readonly q?: string
  readonly category_id?: number
  readonly price_min?: number
  readonly price_max?: number
  readonly supply?: Supply
  readonly sort?: Sort
  readonly page?: number
  readonly page_size?: number
}

export interface Goods {
  /** A page of our own goods. */
  search(query: GoodsQuery): Promise<JsonText>
  detail(skuId: number): Promise<JsonText>
  /** A page of the curated shelf, of every supply. */
  shelfSearch(query: GoodsQuery): Promise<JsonText>
  shelfItem(itemId: string): Promise<JsonText>
  close(): void
}

export interface GoodsOptions {
  readonly shelf: RedisClient
  readonly board: Board
  readonly publicUrl: string
  readonly log: Logger
  /** How often the catalogue's version is read; each change of it reloads the kept list. */
  readonly pollMs?: number
}

const POLL_MS = 1000
const ITEM_ID = /^shelf:([0-9]{1,12})$/

/** Resolves when searches are complete and the kept list is loaded. */
export async function createGoods(options: GoodsOptions): Promise<Goods> {
  const { shelf, board, publicUrl } = options
  const splice = createSplicer(board, publicUrl)
  prepareSegmenter()
  await indexReady(shelf)
  const kept = await keepListing(options)

  async function listed(request: Request, facts: Facts): Promise<JsonText> {
    const { sort, offset, count } = request
    const { total, productIds } = kept.listing.page(request, sort, offset, count)
    const texts = await runMany(shelf, productIds.map((id) =>
      ['hgetBuffer', keys.goods(id), 'item'] as const)).catch(unavailable)
    const items = productIds.flatMap((id, index) => {
      const text = texts[index] as Buffer | null
      // The list is up to a poll older than the shelf: an item may have been delisted since.
      return text ? [splice.own(id, text)] : []
    })
    return pageText(items, { ...facts, total })
  }

  return {
    async search(query) {
      const { request, facts } = readQuery({ ...query, supply: 'own' }, ['item'])
      if (!query.q?.trim()) return listed(request, facts)
      const { items, ...found } = await searchShelf(shelf, request)
      return pageText(items.map(({ productId, fields: [item] }) =>
        splice.own(productId, item ?? NO_TEXT)), { ...facts, ...found })
    },

    async shelfSearch(query) {
      const { request, facts } = readQuery(query, ['supply', 'offer', 'item'])
      const { items, ...found } = await searchShelf(shelf, request)
      return pageText(items.map(({ productId, fields: [supply, offer, item] }) =>
        splice.offer(productId, isOwn(supply), offer ?? NO_TEXT, item ?? NO_TEXT)),
      { ...facts, ...found })
    },

    async detail(skuId) {
      const productId = productIdOf(skuId)
      const [supply, item, detail] = await read(shelf, productId, ['supply', 'item', 'detail'])
      if (!productId || !item || !detail || !isOwn(supply)) {
        throw new Refusal('not_found', {
          hint: 'Take sku_id from search_goods; items of other supplies are read with shelf_item.',
        })
      }
      return itemText(...splice.own(productId, item, DRAWN_VIEWS), detail)
    },

    async shelfItem(itemId) {
      const skuId = Number(ITEM_ID.exec(itemId)?.[1])
      const productId = productIdOf(skuId)
      const [supply, offer, item, detail, page] =
        await read(shelf, productId, ['supply', 'offer', 'item', 'detail', 'page'])
      if (!productId || !offer || !item || !detail) {
        throw new Refusal('not_found', { hint: 'Take item_id from shelf_search.' })
      }
      const address = isOwn(supply) ? ownItemPage(publicUrl, skuIdOf(productId)) : String(page)
      return itemText(...splice.offer(productId, isOwn(supply), offer, item, DRAWN_VIEWS), detail,
        Buffer.from(`,"purchase_url":${JSON.stringify(address)}`))
    },

    close: () => kept.stop(),
  }
}

const OWN = Buffer.from('own')
const NO_TEXT = Buffer.alloc(0)

const isOwn = (supply: Buffer | null | undefined): boolean => supply?.equals(OWN) ?? false

const unavailable = (cause: unknown): never => {
  throw new Refusal('unavailable', {}, cause)
}

async function read(
  shelf: RedisClient, productId: number | undefined, fields: string[],
): Promise<(Buffer | null)[]> {
  if (!productId) return []
  return await shelf.hmgetBuffer(keys.goods(productId), ...fields).catch(unavailable)
}

interface Facts {
  readonly page: number
  readonly page_size: number
}

/** What is asked for, with its bounds checked as far as a schema cannot. */
function readQuery(
  query: GoodsQuery, fields: readonly string[],
): { request: Request, facts: Facts } {
  const { q = '', category_id, price_min, price_max, supply, sort = 'relevance', page = 1,
    page_size = 20 } = query
  if (price_min !== undefined && price_max !== undefined && price_min > price_max) {
    const problem = 'price_min must not be above price_max'
    throw new Refusal('invalid_request', {
      fields: [{ path: 'price_min', problem }, { path: 'price_max', problem }],
    })
  }
  const offset = (page - 1) * page_size
  if (offset >= DEPTH_MAX) {
    throw new Refusal('invalid_request', {
      hint: `Pages reach to item ${DEPTH_MAX}: add words, a category_id or a price range instead.`,
      fields: [{ path: 'page', problem: `must not begin beyond item ${DEPTH_MAX}` }],
    })
  }
  return {
    facts: { page, page_size },
    request: {
      words: queryWords(q),
      sort,
      offset,
      count: Math.min(page_size, DEPTH_MAX - offset),
      fields,
      ...(category_id !== undefined && { category: category_id }),
      ...(price_min !== undefined && { min: price_min }),
      ...(price_max !== undefined && { max: price_max }),
      ...(supply !== undefined && { supply }),
    },
  }
}

/** The kept list, made anew when the catalogue's version has changed. */
async function keepListing({ shelf, log, pollMs = POLL_MS }: GoodsOptions) {
  const kept = { listing: createListing([]) as Listing, stop: (): void => clearInterval(timer) }
  let version: string | null | undefined
  let isBusy = false

  async function poll(): Promise<void> {
    const now = await shelfVersion(shelf)
    if (now === version) return
    const start = monotonicMs()
    kept.listing = await loadListing(shelf)
    version = now
    log.info({ items: kept.listing.size, ms: Math.round(monotonicMs() - start) }, 'goods listed')
  }

  await poll()
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    poll().catch((error: Error) => log.warn({ error: error.message }, 'goods list not read'))
      .finally(() => { isBusy = false })
  }, pollMs)
  timer.unref()
  return kept
}
