/**
 * Goods as callers see them: searched, listed, read. Answers are JSON texts, never parsed here;
 * one that the node still knows is given at once.
 */
import { Refusal } from '../contract/errors.ts'
import { productIdOf, skuIdOf } from '../contract/ids.ts'
import type { JsonText } from '../contract/json.ts'
import type { Logger } from '../log.ts'
import type { Maybe } from '../contract/maybe.ts'
import { countHit, measures } from '../measures.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as ledgerKeys, shelf as keys } from '../redis/keys.ts'
import { prepareUnderstanding } from '../language/understand.ts'
import { orUnavailable } from '../redis/verdict.ts'
import { isCurrent, keptAnswer, type KeptAnswer } from './answers.ts'
import type { Board } from './board.ts'
import { createFind } from './find.ts'
import { keepList } from './kept-list.ts'
import { byteString, createSplicer, DRAWN_VIEWS, itemText, pageText } from './page.ts'
import { ownItemPage } from './purchase.ts'
import { readMany } from './read.ts'
import { PAGE_SIZE_DEFAULT, queryKey, readRequest, type Face, type GoodsQuery } from './request.ts'
import { indexReady } from './shelf-index.ts'
import type { Result } from './search.ts'
import { openShelves, type Found, type Sources } from './shelves.ts'
import { followCatalogue, type Snapshot } from './snapshot.ts'
import { readDetail, readItem, type StoredDetail, type StoredItem } from './stored.ts'
import { byItem, bySku, readVariants, variantsText, type Variant } from './variants.ts'
import { shelfVersion } from './version.ts'

export type { GoodsQuery } from './request.ts'

type Answer = Maybe<JsonText>

export interface Goods {
  /** A page of our own goods. */
  search(query: GoodsQuery): Answer
  detail(skuId: number): Answer
  /** A page of the curated shelf, of every supply. */
  shelfSearch(query: GoodsQuery): Answer
  shelfItem(itemId: string): Answer
  /** The same without its variants, for whoever reads many. */
  offer(itemId: string): Answer
  /** Where a person sees an own item. */
  itemPage(skuId: number): string
  /** Whether the shelf has lost the catalogue that the ledger has: goods are then unavailable. */
  isEmptied(): Promise<boolean>
  /** Rejects when no server of the shelf has complete indexes within `ms`. */
  isReady(ms: number): Promise<void>
  close(): void
}

export interface GoodsOptions {
  readonly shelf: RedisClient
  /** Servers that follow it, or have taken its place. */
  readonly replicas?: readonly RedisClient[]
  /** Says whether there is a catalogue; without it an empty shelf is one without goods. */
  readonly ledger?: RedisClient
  readonly board: Board
  readonly publicUrl: string
  /** Where a mall's product is bought: its stored page, unless the mall is simulated. */
  readonly mallItemUrl?: (productId: number, page: string) => string
  readonly log: Logger
  /** How often the catalogue's version is read: answers are older than the shelf by no more. */
  readonly pollMs?: number
}

const POLL_MS = 1000
const ITEM_ID = /^shelf:([0-9]{1,12})$/
const skuIdIn = (itemId: string): number => Number(ITEM_ID.exec(itemId)?.[1])

const NO_VARIANTS: Found<readonly Variant[]> = { value: [], from: [] }

/** Resolves when searches are complete and the kept list is loaded. */
export async function createGoods(options: GoodsOptions): Promise<Goods> {
  const { shelf, replicas = [], ledger, board, publicUrl, log, pollMs = POLL_MS } = options
  const { mallItemUrl = (_, page) => page } = options
  const splice = createSplicer(board, publicUrl)
  prepareUnderstanding()
  const shelves = await openShelves({ clients: [shelf, ...replicas], log, pollMs })
  const list = keepList(shelves, log)
  const snapshots = await followCatalogue({ shelves, log, onChange: list.update })
  const find = createFind({ shelves, snapshots })

  const hasCatalogue = async (): Promise<boolean> => ledger !== undefined
    && Number(await ledger.get(ledgerKeys.catalogueVersion) ?? 0) > 0
  const isEmptied = async (): Promise<boolean> => shelves.version <= 0 && await hasCatalogue()

  /** Something is not there: is it that nothing is? Asked before anybody is told so. */
  async function assertNotEmptied(): Promise<void> {
    if (!ledger) return
    if (shelves.version > 0) {
      const { value } = await shelves.read(shelves.version, (client) => shelfVersion(client))
      if (value !== null) return
      await shelves.lookAtAll()
    }
    if (await orUnavailable(isEmptied())) throw new Refusal('unavailable')
  }

  /** What is not there is gone only from a shelf that held the same catalogue all the while. */
  async function assertSame({ version }: Snapshot): Promise<void> {
    if (!ledger || version <= 0) return
    const { value } = await shelves.read(version, (client) => shelfVersion(client))
    if (Number(value) !== version) throw new Refusal('unavailable', { retry_after_s: 1 })
  }

  /** Of what was read from a shelf without a version: that is no catalogue, or an empty shelf. */
  async function assertNone(): Promise<void> {
    if (await orUnavailable(hasCatalogue())) throw new Refusal('unavailable')
  }

  /** The answer that was given before, as long as it is still true. */
  function answer(key: string, make: (snapshot: Snapshot) => Answer): Answer {
    const snapshot = snapshots.current
    const known = snapshot.answers.get(key)
    const isKnown = known !== undefined && isCurrent(known, board)
    return countHit('answers', isKnown) ? (known as KeptAnswer).text : make(snapshot)
  }

  /** `from` are those who were asked for it, beside what was kept. */
  function keep(
    snapshot: Snapshot, key: string, text: JsonText, productIds: readonly number[],
    from: Sources = [],
  ): JsonText {
    const answered = keptAnswer(text, productIds, board)
    snapshots.confirm(snapshot, from, () => snapshot.answers.set(key, answered))
    return text
  }

  /** Undefined in the place of what was delisted since it was found. */
  async function readItems(
    snapshot: Snapshot, productIds: readonly number[],
  ): Promise<Found<(StoredItem | undefined)[]>> {
    const items = productIds.map((id) => snapshot.items.get(id))
    const missing = productIds.filter((_, index) => !items[index])
    measures.caches.items.hits += items.length - missing.length
    measures.caches.items.misses += missing.length
    if (missing.length === 0) return { value: items, from: [] }
    const { value: texts, from } = await shelves.read(snapshot.version, (shelf) =>
      readMany(shelf, missing.map((id) => keys.item(id))))
    const read = new Map(missing.flatMap((id, index): [number, StoredItem][] => {
      const text = texts[index]
      return text ? [[id, readItem(text)]] : []
    }))
    if (read.size < missing.length) await assertNotEmptied()
    snapshots.confirm(snapshot, from, () =>
      read.forEach((item, id) => snapshot.items.set(id, item)))
    return { value: items.map((item, index) => item ?? read.get(productIds[index] ?? 0)), from }
  }

  interface PageParts {
    readonly face: Face
    readonly query: GoodsQuery
    readonly key: string
    readonly snapshot: Snapshot
  }

  function composePage(
    { face, query, key, snapshot }: PageParts, { productIds, ...found }: Result,
    items: readonly (StoredItem | undefined)[], catalogue_version: number, from: Sources = [],
  ): JsonText {
    const spliceItem = face === 'goods' ? splice.own : splice.offer
    const texts: string[] = []
    for (const [index, item] of items.entries()) {
      if (item) texts.push(spliceItem(productIds[index] ?? 0, item))
    }
    const { page = 1, page_size = PAGE_SIZE_DEFAULT } = query
    const text = pageText(texts, { ...found, page, page_size, catalogue_version })
    return catalogue_version === snapshot.version
      ? keep(snapshot, key, text, productIds, from) : text
  }

  async function findPage(parts: PageParts): Promise<JsonText> {
    const { face, query, key, snapshot } = parts
    const request = readRequest(face, query)
    const isListed = face === 'goods' && !query.q?.trim()
    // Read before anything is waited for: the list may be another one afterwards.
    const version = isListed ? list.version : snapshot.version
    const { listing } = list
    if (version === 0) await assertNone()
    const found: Found<Result> = isListed
      ? {
        value: listing.page(request, request.sort, request.offset, request.count), from: [],
      }
      : await find(snapshot, key, request)
    const items = await readItems(snapshot, found.value.productIds)
    return composePage(parts, found.value, items.value, version, [...found.from, ...items.from])
  }

  function page(face: Face, query: GoodsQuery): Answer {
    const key = queryKey(face, query)
    return answer(key, (snapshot) => {
      const parts = { face, query, key, snapshot }
      const result = snapshot.results.get(key)
      const items = result?.productIds.map((id) => snapshot.items.get(id))
      if (!result || !items?.every(Boolean)) return findPage(parts)
      measures.caches.items.hits += items.length
      measures.caches.results.hits += 1
      return composePage(parts, result, items, snapshot.version)
    })
  }

  /** One of the two ways in which a single item is shown. */
  interface View {
    readonly name: string
    readonly ownOnly: boolean
    readonly hint: string
    readonly hasVariants: boolean
    compose(
      productId: number, item: StoredItem, detail: StoredDetail, variants: readonly Variant[],
    ): JsonText
  }

  const goodsView: View = {
    name: 'sku:',
    ownOnly: true,
    hint: 'Take sku_id from search_goods; items of other supplies are read with shelf_item.',
    hasVariants: true,
    // What cannot be ordered here is no choice.
    compose: (productId, item, { detail }, variants) =>
      itemText(splice.own(productId, item, DRAWN_VIEWS), detail, variantsText(
        variants.filter(({ isOwn }) => isOwn), productId, bySku, board)),
  }

  const shelfView: View = {
    name: 'shelf:',
    ownOnly: false,
    hint: 'Take item_id from shelf_search.',
    hasVariants: true,
    compose(productId, item, { detail, page: mallPage }, variants) {
      const url = byteString(item.isOwn ? ownItemPage(publicUrl, skuIdOf(productId))
        : mallItemUrl(productId, mallPage))
      return itemText(splice.offer(productId, item, DRAWN_VIEWS), detail,
        `,"purchase_url":${JSON.stringify(url)}`,
        variantsText(variants, productId, byItem, board))
    },
  }

  const offerView: View = { ...shelfView, name: 'offer:', hasVariants: false }

  async function readOne(snapshot: Snapshot, view: View, skuId: number): Promise<JsonText> {
    const id = productIdOf(skuId)
    if (!id) throw new Refusal('not_found', { hint: view.hint })
    const read = () => shelves.read(snapshot.version,
      (shelf) => readMany(shelf, [keys.item(id), keys.detail(id)]))
    let found = await read()
    if (found.value.includes(null)) {
      await assertNotEmptied()
      // The shelf may have been filled again between the two looks.
      found = await read()
      if (found.value.includes(null)) await assertSame(snapshot)
    }
    const { value: [itemBytes, detailBytes], from } = found
    const item = itemBytes && readItem(itemBytes)
    if (!item || !detailBytes || (view.ownOnly && !item.isOwn)) {
      throw new Refusal('not_found', { hint: view.hint })
    }
    const detail = readDetail(detailBytes)
    const variants = view.hasVariants ? await variantsOf(snapshot, id, detail) : NO_VARIANTS
    snapshots.confirm(snapshot, from, () => {
      snapshot.items.set(id, item)
      snapshot.details.set(id, detail)
    })
    return keep(snapshot, view.name + skuId, view.compose(id, item, detail, variants.value),
      [id, ...variants.value.map(({ productId }) => productId)], [...from, ...variants.from])
  }

  async function variantsOf(
    snapshot: Snapshot, id: number, { group }: StoredDetail,
  ): Promise<Found<readonly Variant[]>> {
    const kept = group === '' ? [] : snapshot.variants.get(id)
    if (kept) return { value: kept, from: [] }
    const found = await shelves.read(snapshot.version, (shelf) => readVariants(shelf, group, id))
    snapshots.confirm(snapshot, found.from, () => snapshot.variants.set(id, found.value))
    return found
  }

  function one(view: View, skuId: number): Answer {
    const key = view.name + skuId
    return answer(key, (snapshot) => {
      // Where it was answered before, only the stock has changed since.
      const id = snapshot.answers.has(key) ? productIdOf(skuId) : undefined
      const item = id && snapshot.items.get(id)
      const detail = id && snapshot.details.get(id)
      const variants = id && view.hasVariants && detail && detail.group !== ''
        ? snapshot.variants.get(id) : NO_VARIANTS.value
      return countHit('items', Boolean(item && detail && variants)) && item && detail && variants
        ? keep(snapshot, key, view.compose(id, item, detail, variants),
          [id, ...variants.map(({ productId }) => productId)])
        : readOne(snapshot, view, skuId)
    })
  }

  return {
    search: (query) => page('goods', query),
    shelfSearch: (query) => page('shelf', query),
    detail: (skuId) => one(goodsView, skuId),
    shelfItem: (itemId) => one(shelfView, skuIdIn(itemId)),
    offer: (itemId) => one(offerView, skuIdIn(itemId)),
    itemPage: (skuId) => ownItemPage(publicUrl, skuId),
    isEmptied,
    async isReady(ms) {
      await shelves.read(shelves.version, (client) => indexReady(client, ms))
    },
    close() {
      snapshots.stop()
      shelves.stop()
    },
  }
}
