/**
 * The catalogue as the ledger and the shelf have it. Each line is written whole, first on the
 * ledger, which is the truth that exports and rebuilds read, then on the shelf.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Cluster } from 'ioredis'
import { parseJson } from '../contract/json.ts'
import type { RedisClient } from '../redis/connect.ts'
import {
  channels, ledger as ledgerKeys, partitionOf, PARTITIONS, shelf as shelfKeys,
} from '../redis/keys.ts'
import { defineScript, loadScript, type Operand, runScripts } from '../redis/script.ts'
import { type KeyCommand, runMany } from '../redis/send.ts'
import { finalPrice, shelfDocument, skuFields, weightOf } from './document.ts'
import type { CatalogueLine } from './line.ts'
import { listedText } from './listing.ts'
import { ensureIndexes, renewIndexes } from './shelf-index.ts'
import { storedDetail, storedItem } from './item-text.ts'
import { changeCatalogue, type Stores } from './version.ts'

export type Stored = 'new' | 'known' | 'no_stock'

const goodsPut = defineScript('goods-put',
  ['sku', 'stock', 'supplied', 'products', 'outbox'],
  ['product_id', 'supply', 'units', 'fields', 'source', 'doorbell', 'partition'],
  (reply: Stored) => reply)

export const prepareLedger = (ledger: RedisClient): Promise<void> => loadScript(ledger, goodsPut)

/** What became of each line; one that the ledger refused is not on the shelf either. */
export async function storeLines(
  { shelf, ledger }: Stores, lines: readonly CatalogueLine[],
): Promise<Stored[]> {
  const stored = await runScripts(ledger, goodsPut, lines.map(ledgerOperands))
  const failed = stored.find((result) => result instanceof Error)
  // Not the line's fault: it may not be written, so nothing after it may look as if it was.
  if (failed) throw failed
  await runMany(shelf, lines.flatMap((line, index) =>
    stored[index] === 'no_stock' ? [] : shelfCommands(line)))
  return stored as Stored[]
}

/** What `storeLines` would do on the ledger, without doing it. */
export async function foreseeLines(
  ledger: RedisClient, lines: readonly CatalogueLine[],
): Promise<Stored[]> {
  const replies = await runMany(ledger, lines.flatMap(({ product_id }): KeyCommand[] => {
    const partition = partitionOf(product_id)
    return [
      ['sismember', ledgerKeys.products(partition), product_id],
      ['hexists', ledgerKeys.stock(partition), product_id],
    ]
  }))
  return lines.map(({ supply, stock }, index) => {
    const [isKnown, hasStock] = [replies[index * 2], replies[index * 2 + 1]]
    if (supply === 'own' && stock === undefined && hasStock !== 1) return 'no_stock'
    return isKnown === 1 ? 'known' : 'new'
  })
}

function ledgerOperands(line: CatalogueLine): Operand[] {
  const { product_id, supply, stock } = line
  const partition = partitionOf(product_id)
  return goodsPut.operands({
    sku: ledgerKeys.sku(product_id),
    stock: ledgerKeys.stock(partition),
    supplied: ledgerKeys.supplied(partition),
    products: ledgerKeys.products(partition),
    outbox: ledgerKeys.outbox(partition),
  }, {
    product_id,
    supply,
    units: stock ?? '',
    fields: JSON.stringify(Object.entries(skuFields(line)).flat().map(String)),
    source: packLine(line),
    doorbell: channels.doorbell(partition),
    partition,
  })
}

/** `listed` is the kept list to write to. */
export function shelfCommands(
  line: CatalogueLine, listed: string = shelfKeys.listed,
): KeyCommand[] {
  const { product_id } = line
  if (line.delisted) return [...removal(product_id), ['hdel', listed, product_id]]
  const isOwn = line.supply === 'own'
  const keep: KeyCommand = isOwn
    ? ['hset', listed, product_id, listedText({
      category: line.category_id, price: finalPrice(line), weight: weightOf(line),
    })]
    : ['hdel', listed, product_id]
  return [
    // Texts first: what is found can be shown.
    ['set', shelfKeys.item(product_id), storedItem(line)],
    ['set', shelfKeys.detail(product_id), storedDetail(line)],
    // A product whose supply has changed leaves the other index.
    ['del', isOwn ? shelfKeys.offer(product_id) : shelfKeys.own(product_id)],
    ['hset', isOwn ? shelfKeys.own(product_id) : shelfKeys.offer(product_id),
      ...Object.entries(shelfDocument(line)).flat()],
    keep,
  ]
}

/** Takes a product off the shelf; the kept list is the caller's. */
export const removal = (productId: number): KeyCommand[] => [
  ['del', shelfKeys.own(productId)],
  ['del', shelfKeys.offer(productId)],
  ['del', shelfKeys.item(productId)],
  ['del', shelfKeys.detail(productId)],
]

/**
 * Hides an item from the shelf, or shows it again; its orders and its stock stay as they are.
 * False where the catalogue has no such product.
 */
export async function setDelisted(
  stores: Stores, productId: number, delisted: boolean,
): Promise<boolean> {
  await prepareLedger(stores.ledger)
  return await changeCatalogue(stores, async () => {
    const line = await ledgerLine(stores.ledger, productId, partitionOf(productId))
    if (!line) return false
    const { delisted: _, ...rest } = line
    await storeLines(stores, [delisted ? { ...rest, delisted } : rest])
    return true
  })
}

interface RebuildReport {
  /** Items on the shelf afterwards. */
  readonly items: number
  /** Items that stood on the shelf and are not in the catalogue. */
  readonly removed: number
}

interface RebuildOptions {
  readonly onProgress?: (done: number) => void
  readonly signal?: AbortSignal | undefined
}

const SCAN_COUNT = 1000
const PREFIXES = [
  shelfKeys.ownPrefix, shelfKeys.offerPrefix, shelfKeys.itemPrefix, shelfKeys.detailPrefix,
]

/** Makes the shelf again from the ledger, while searches go on. */
export async function rebuildShelf(
  stores: Stores, { onProgress, signal }: RebuildOptions = {},
): Promise<RebuildReport> {
  const { shelf, ledger } = stores
  return await changeCatalogue(stores, async (alive) => {
    await ensureIndexes(shelf)
    const onShelf = new Set<number>()
    let done = 0
    await shelf.del(shelfKeys.listedNext)
    for await (const lines of ledgerLines(ledger)) {
      await alive()
      await runMany(shelf, lines.flatMap((line) => shelfCommands(line, shelfKeys.listedNext)))
      for (const line of lines) if (!line.delisted) onShelf.add(line.product_id)
      onProgress?.(done += lines.length)
    }
    if (await shelf.exists(shelfKeys.listedNext)) {
      await shelf.rename(shelfKeys.listedNext, shelfKeys.listed)
    } else {
      await shelf.del(shelfKeys.listed)
    }
    const removed = await removeOthers(shelf, onShelf, alive)
    await renewIndexes(shelf, alive)
    return { items: onShelf.size, removed }
  }, { makesWhole: true, signal })
}

async function removeOthers(
  shelf: RedisClient, onShelf: ReadonlySet<number>, alive: () => Promise<void>,
): Promise<number> {
  const removed = new Set<number>()
  for (const node of shelf instanceof Cluster ? shelf.nodes('master') : [shelf]) {
    for (const prefix of PREFIXES) {
      let cursor = '0'
      do {
        await alive()
        const [next, found] = await node.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', SCAN_COUNT)
        const others = found.map((key) => Number(key.slice(prefix.length)))
          .filter((productId) => !onShelf.has(productId))
        await runMany(shelf, others.flatMap(removal))
        for (const productId of others) removed.add(productId)
        cursor = next
      } while (cursor !== '0')
    }
  }
  return removed.size
}

/** Lines that are read together. */
const READ_MAX = 500

/** Every line, by partition and then by id, in bounded batches; own ones with their stock. */
export async function* ledgerLines(ledger: RedisClient): AsyncGenerator<CatalogueLine[]> {
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const ids = (await ledger.smembers(ledgerKeys.products(partition))).map(Number)
      .sort((a, b) => a - b)
    for (let from = 0; from < ids.length; from += READ_MAX) {
      yield await readLines(ledger, partition, ids.slice(from, from + READ_MAX))
    }
  }
}

/** The line of one product; undefined where there is none. */
export async function ledgerLine(
  ledger: RedisClient, productId: number, partition: number,
): Promise<CatalogueLine | undefined> {
  return (await readLines(ledger, partition, [productId]))[0]
}

async function readLines(
  ledger: RedisClient, partition: number, ids: readonly number[],
): Promise<CatalogueLine[]> {
  const [units, ...sources] = await runMany(ledger, [
    ['hmget', ledgerKeys.stock(partition), ...ids],
    ...ids.map((id) => ['hgetBuffer', ledgerKeys.sku(id), 'source'] as const),
  ]) as [(string | null)[], ...(Buffer | null)[]]
  return ids.flatMap((_, index) => {
    const source = sources[index]
    if (!source) return []
    const line = unpackLine(source)
    const stock = units[index]
    return [line.supply === 'own' ? { ...line, stock: Number(stock ?? 0) } : line]
  })
}

export async function countProducts(ledger: RedisClient): Promise<number> {
  const counts = await runMany(ledger, Array.from({ length: PARTITIONS }, (_, partition) =>
    ['scard', ledgerKeys.products(partition)] as const))
  return counts.reduce<number>((sum, count) => sum + Number(count), 0)
}

/** What most lines have in common. It never changes: what was kept could not be read again. */
const DICTIONARY = Buffer.from(
  '"delisted":true,"images":["https://","kind":"","coupon":{"amount":00,"threshold":'
  + '"external_id":"1000","stock":,"qty_cap":99,"merchant_id":0,"shop":"专营店专卖店旗舰店",'
  + '"ship_within_hours":24,"free_ship_threshold":9900,"freight":0,"agent_desc":"品类：；品牌：'
  + '；型号：；颜色：；规格：；材质：；容量：；尺寸：。用于、。","aftersale_rules":"7天无理由退货，'
  + '不支持无理由；签收15天内质量问题可退换，质保1年。","specs":[{"name":"品类","value":""},'
  + '{"name":"品牌","value":""},{"name":"型号","value":""},{"name":"材质","value":""},'
  + '{"name":"颜色","value":""},{"name":"规格","value":"cm"}],"sales":,"rating":4.5}'
  + '{"product_id":1,"supply":"mall_","supply":"own","title":" ","category_id":1,"kind":"",'
  + '"brand":" ","retail_price":900')

/** The texts are short: a small buffer and little effort take a third less time. */
const OPTIONS = { dictionary: DICTIONARY, chunkSize: 2048, level: 3 }

/**
 * A line as the ledger keeps it: whole but for its stock, and compressed, because it is read only
 * by exports and rebuilds and would otherwise be most of the ledger's memory.
 */
function packLine(line: CatalogueLine): Buffer {
  // A name whose value is undefined does not stand in JSON.
  return deflateRawSync(JSON.stringify({ ...line, stock: undefined }), OPTIONS)
}

const unpackLine = (packed: Buffer): CatalogueLine =>
  parseJson(inflateRawSync(packed, OPTIONS)) as CatalogueLine
