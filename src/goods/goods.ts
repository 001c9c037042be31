/** Goods as callers see them: searched, listed, read. Answers are JSON texts, never parsed here. */
import { Cluster } from 'ioredis'
import { monotonicMs } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { productIdOf } from '../ids.ts'
import type { JsonText } from '../json.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { SEARCH_DEPTH_MAX as DEPTH_MAX } from '../operations/fields.ts'
import { runMany } from '../redis/slots.ts'
import type { Board } from './board.ts'
import type { Supply } from './line.ts'
import { createListing, loadListing, type Listing } from './listing.ts'
import { byteString, createSplicer, DRAWN_VIEWS, itemText, pageText } from './page.ts'
import { ownItemPage } from './purchase.ts'
import type { Sort } from './query.ts'
import { searchShelf, type Request, type Result } from './search.ts'
import { prepareSegmenter } from './segment.ts'
import { indexReady } from './shelf-index.ts'
import { readDetail, readItem, type StoredDetail, type StoredItem } from './stored.ts'
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

  type Splice = (productId: number, stored: StoredItem) => string

  /** An item that was delisted since it was found is left out. */
  async function pageOf(
    { productIds, ...found }: Result, facts: Facts, spliceItem: Splice,
  ): Promise<JsonText> {
    const texts = await readMany(shelf, productIds.map((id) => keys.item(id)))
    const items = productIds.flatMap((id, index) => {
      const text = texts[index]
      return text ? [spliceItem(id, readItem(text))] : []
    })
    return pageText(items, { ...facts, ...found })
  }

  async function one(
    productId: number | undefined,
  ): Promise<{ stored: StoredItem, detail: StoredDetail } | undefined> {
    if (!productId) return undefined
    const [item, detail] = await readMany(shelf, [keys.item(productId), keys.detail(productId)])
    return item && detail ? { stored: readItem(item), detail: readDetail(detail) } : undefined
  }

  return {
    async search(query) {
      const { request, facts } = readQuery({ ...query, supply: 'own' })
      const found = query.q?.trim() ? await searchShelf(shelf, request)
        : kept.listing.page(request, request.sort, request.offset, request.count)
      return await pageOf(found, facts, splice.own)
    },

    async shelfSearch(query) {
      const { request, facts } = readQuery(query)
      return await pageOf(await searchShelf(shelf, request), facts, splice.offer)
    },

    async detail(skuId) {
      const productId = productIdOf(skuId)
      const found = await one(productId)
      if (!productId || !found?.stored.isOwn) {
        throw new Refusal('not_found', {
          hint: 'Take sku_id from search_goods; items of other supplies are read with shelf_item.',
        })
      }
      return itemText(splice.own(productId, found.stored, DRAWN_VIEWS), found.detail.detail)
    },

    async shelfItem(itemId) {
      const skuId = Number(ITEM_ID.exec(itemId)?.[1])
      const productId = productIdOf(skuId)
      const found = await one(productId)
      if (!productId || !found) {
        throw new Refusal('not_found', { hint: 'Take item_id from shelf_search.' })
      }
      const { stored, detail } = found
      const page = stored.isOwn ? byteString(ownItemPage(publicUrl, skuId)) : detail.page
      return itemText(splice.offer(productId, stored, DRAWN_VIEWS), detail.detail,
        `,"purchase_url":${JSON.stringify(page)}`)
    },

    close: () => kept.stop(),
  }
}

/** One command where one server has all keys. */
async function readMany(shelf: RedisClient, names: readonly string[]): Promise<(Buffer | null)[]> {
  if (names.length === 0) return []
  try {
    if (!(shelf instanceof Cluster)) return await shelf.mgetBuffer(...names)
    return await runMany(shelf, names.map((name) => ['getBuffer', name])) as (Buffer | null)[]
  } catch (cause) {
    throw new Refusal('unavailable', {}, cause)
  }
}

interface Facts {
  readonly page: number
  readonly page_size: number
}

/** What is asked for, with its bounds checked as far as a schema cannot. */
function readQuery(query: GoodsQuery): { request: Request, facts: Facts } {
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
