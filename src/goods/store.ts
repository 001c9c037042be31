/** Writes lines of the catalogue: each one whole, first on the ledger, then on the shelf. */
import type { RedisClient } from '../redis/connect.ts'
import { loadScript, runScripts } from '../redis/bulk.ts'
import { channels, ledger as ledgerKeys, partitionOf, shelf as shelfKeys } from '../redis/keys.ts'
import { defineScript, type Operand } from '../redis/script.ts'
import { runMany, type KeyCommand } from '../redis/slots.ts'
import { finalPrice, shelfDocument, skuFields, weightOf } from './document.ts'
import type { CatalogueLine } from './line.ts'
import { listedText } from './listing.ts'
import { packLine } from './source.ts'
import { storedDetail, storedItem } from './stored.ts'
import type { Stores } from './version.ts'

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
