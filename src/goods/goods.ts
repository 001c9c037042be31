/**
 * Goods as callers see them: searched, listed, read. Answers are JSON texts, never parsed here;
 * one that the node still knows is given at once.
 */
import { skuIdOf } from '../contract/ids.ts'
import type { JsonText } from '../contract/json.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { prepareUnderstanding } from '../language/understand.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { createSplicer } from './item-text.ts'
import { keepList } from './listing.ts'
import { ownItemPage } from './purchase.ts'
import { ItemReader } from './read-item.ts'
import { PageReader, type GoodsQuery } from './read-page.ts'
import { indexesComplete } from './shelf-index.ts'
import { openShelves } from './shelves.ts'
import { followCatalogue } from './snapshot.ts'
import type { Board } from './stock.ts'
import { cheapestOf } from './variants.ts'

export type { GoodsQuery } from './read-page.ts'

type Answer = MaybePromise<JsonText>

export interface Goods {
  /** A page of our own goods. */
  search(query: GoodsQuery): Answer
  detail(skuId: number): Answer
  /** A page of the curated shelf, of every supply. */
  shelfSearch(query: GoodsQuery): Answer
  shelfItem(itemId: string): Answer
  /** The same without its variants, for whoever reads many. */
  offer(itemId: string): Answer
  /**
   * The sku_id of a group's cheapest variant that is ordered here, or else of one that a mall
   * offers, where `ofMalls`; undefined without one.
   */
  inGroup(groupId: string, ofMalls?: boolean): Promise<number | undefined>
  /** Where a person sees an own item. */
  itemPage(skuId: number): string
  /** Whether the shelf has lost the catalogue that the ledger has: goods are then unavailable. */
  isEmptied(): Promise<boolean>
  /** Whether a server of the shelf has complete indexes. */
  isReady(): Promise<boolean>
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

/** Resolves when searches are complete and the kept list is loaded. */
export async function createGoods(options: GoodsOptions): Promise<Goods> {
  const { shelf, replicas = [], ledger, board, publicUrl, log, pollMs = POLL_MS } = options
  const { mallItemUrl = (_, page) => page } = options
  prepareUnderstanding()
  const shelves = await openShelves({ clients: [shelf, ...replicas], ledger, log, pollMs })
  const list = keepList(shelves, log)
  const snapshots = await followCatalogue({ shelves, board, log, onChange: list.update })
  const splicer = createSplicer(board, publicUrl)
  const pages = new PageReader({ shelves, snapshots, list, splicer })
  const items = new ItemReader({ shelves, snapshots, splicer, board, publicUrl, mallItemUrl })
  return {
    search: (query) => pages.read('goods', query),
    shelfSearch: (query) => pages.read('shelf', query),
    detail: (skuId) => items.read('goods', skuId),
    shelfItem: (itemId) => items.read('shelf', skuIdIn(itemId)),
    offer: (itemId) => items.read('offer', skuIdIn(itemId)),
    async inGroup(groupId, ofMalls = false) {
      const { value } = await shelves.read(snapshots.current.version,
        (client) => cheapestOf(client, groupId, ofMalls))
      return value === undefined ? undefined : skuIdOf(value)
    },
    itemPage: (skuId) => ownItemPage(publicUrl, skuId),
    isEmptied: () => shelves.isEmptied(),
    async isReady() {
      return (await shelves.read(shelves.version, indexesComplete)).value
    },
    close() {
      snapshots.stop()
      shelves.stop()
    },
  }
}
