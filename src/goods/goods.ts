/**
 * Goods as callers see them: searched, listed, read. Answers are JSON texts, never parsed here;
 * one that the node still knows is given at once.
 */
import { Refusal } from '../errors.ts'
import { productIdOf } from '../ids.ts'
import type { JsonText } from '../json.ts'
import type { Logger } from '../log.ts'
import type { Maybe } from '../maybe.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { isCurrent, keptAnswer } from './answers.ts'
import type { Board } from './board.ts'
import { createFind } from './find.ts'
import { keepList } from './kept-list.ts'
import { byteString, createSplicer, DRAWN_VIEWS, itemText, pageText } from './page.ts'
import { ownItemPage } from './purchase.ts'
import { readMany } from './read.ts'
import { PAGE_SIZE_DEFAULT, queryKey, readRequest, type GoodsQuery } from './request.ts'
import { prepareSegmenter } from './segment.ts'
import { indexReady } from './shelf-index.ts'
import { followCatalogue, type Snapshot } from './snapshot.ts'
import { readDetail, readItem, type StoredDetail, type StoredItem } from './stored.ts'

export type { GoodsQuery } from './request.ts'

type Answer = Maybe<JsonText>

export interface Goods {
  /** A page of our own goods. */
  search(query: GoodsQuery): Answer
  detail(skuId: number): Answer
  /** A page of the curated shelf, of every supply. */
  shelfSearch(query: GoodsQuery): Answer
  shelfItem(itemId: string): Answer
  close(): void
}

export interface GoodsOptions {
  readonly shelf: RedisClient
  readonly board: Board
  readonly publicUrl: string
  readonly log: Logger
  /** How often the catalogue's version is read: answers are older than the shelf by no more. */
  readonly pollMs?: number
}

const POLL_MS = 1000
const ITEM_ID = /^shelf:([0-9]{1,12})$/

/** Resolves when searches are complete and the kept list is loaded. */
export async function createGoods(options: GoodsOptions): Promise<Goods> {
  const { shelf, board, publicUrl, log, pollMs = POLL_MS } = options
  const splice = createSplicer(board, publicUrl)
  prepareSegmenter()
  await indexReady(shelf)
  const list = keepList(shelf, log)
  const snapshots = await followCatalogue({ shelf, log, pollMs, onChange: list.update })
  const find = createFind({ shelf, list, snapshots })

  function answer(key: string, make: (snapshot: Snapshot) => Promise<JsonText>): Answer {
    const snapshot = snapshots.current
    const known = snapshot.answers.get(key)
    return known && isCurrent(known, board) ? known.text : make(snapshot)
  }

  function keep(
    snapshot: Snapshot, key: string, text: JsonText, productIds: readonly number[],
  ): JsonText {
    const answered = keptAnswer(text, productIds, board)
    snapshots.confirm(snapshot, () => snapshot.answers.set(key, answered))
    return text
  }

  /** What is not among them was delisted since it was found. */
  async function itemsOf(
    snapshot: Snapshot, productIds: readonly number[],
  ): Promise<[productId: number, item: StoredItem][]> {
    const missing = productIds.filter((id) => !snapshot.items.has(id))
    const texts = await readMany(shelf, missing.map((id) => keys.item(id)))
    const read = new Map<number, StoredItem>()
    for (const [index, id] of missing.entries()) {
      const text = texts[index]
      if (text) read.set(id, readItem(text))
    }
    snapshots.confirm(snapshot, () => read.forEach((item, id) => snapshot.items.set(id, item)))
    return productIds.flatMap((id) => {
      const item = read.get(id) ?? snapshot.items.get(id)
      return item ? [[id, item]] : []
    })
  }

  type Splice = (productId: number, stored: StoredItem) => string

  function page(face: string, query: GoodsQuery, spliceItem: Splice): Answer {
    const key = queryKey(query)
    return answer(face + key, async (snapshot) => {
      const request = readRequest(query)
      const isListed = face === 'goods' && !query.q?.trim()
      // Read before anything is waited for: the list may be another one afterwards.
      const catalogue_version = isListed ? list.version : snapshot.version
      const { productIds, ...found } = isListed
        ? list.listing.page(request, request.sort, request.offset, request.count)
        : await find(snapshot, key, request)
      const items = await itemsOf(snapshot, productIds)
      const { page = 1, page_size = PAGE_SIZE_DEFAULT } = query
      const text = pageText(items.map(([id, item]) => spliceItem(id, item)), {
        ...found, page, page_size, catalogue_version,
      })
      if (catalogue_version !== snapshot.version) return text
      return keep(snapshot, face + key, text, productIds)
    })
  }

  type Compose = (productId: number, item: StoredItem, detail: StoredDetail) => JsonText

  function one(skuId: number, face: string, hint: string, compose: Compose): Answer {
    return answer(face + skuId, async (snapshot) => {
      const productId = productIdOf(skuId)
      if (!productId) throw new Refusal('not_found', { hint })
      const [item, detail] = await readMany(shelf, [keys.item(productId), keys.detail(productId)])
      if (!item || !detail) throw new Refusal('not_found', { hint })
      const text = compose(productId, readItem(item), readDetail(detail))
      return keep(snapshot, face + skuId, text, [productId])
    })
  }

  return {
    search: (query) => page('goods', { ...query, supply: 'own' }, splice.own),
    shelfSearch: (query) => page('shelf', query, splice.offer),
    detail(skuId) {
      const hint = 'Take sku_id from search_goods; items of other supplies are read with '
        + 'shelf_item.'
      return one(skuId, 'sku:', hint, (productId, stored, { detail }) => {
        if (!stored.isOwn) throw new Refusal('not_found', { hint })
        return itemText(splice.own(productId, stored, DRAWN_VIEWS), detail)
      })
    },
    shelfItem(itemId) {
      const skuId = Number(ITEM_ID.exec(itemId)?.[1])
      const hint = 'Take item_id from shelf_search.'
      return one(skuId, 'offer:', hint, (productId, stored, { detail, page: mallPage }) => {
        const url = stored.isOwn ? byteString(ownItemPage(publicUrl, skuId)) : mallPage
        return itemText(splice.offer(productId, stored, DRAWN_VIEWS), detail,
          `,"purchase_url":${JSON.stringify(url)}`)
      })
    },
    close: () => snapshots.stop(),
  }
}
