/**
 * Items as JSON text that is ready to send. Parts end with a line break, which stands in no JSON
 * text, so that a node finds them without reading what they say. In the node they are byte
 * strings: each character is one byte of UTF-8, which is put together several times faster than
 * text or buffers.
 */
import { Cluster } from 'ioredis'
import { Refusal } from '../contract/errors.ts'
import { skuIdOf } from '../contract/ids.ts'
import { JsonText } from '../contract/json.ts'
import { haveUnits, type UnitPrice, unitPriceOf } from '../language/unit-price.ts'
import type { RedisClient } from '../redis/connect.ts'
import { runMany } from '../redis/send.ts'
import { candidateLines, factsOfLine } from './candidate.ts'
import { finalPrice } from './document.ts'
import type { CatalogueLine } from './line.ts'
import { mallItemPage } from './purchase.ts'
import type { Board } from './stock.ts'

/** Raised when the texts below change: the shelf is then made anew from the ledger. */
export const TEXTS_VERSION = 2

export interface StoredItem {
  readonly isOwn: boolean
  /** What an item of the curated shelf says first; ends with a comma. */
  readonly offer: string
  /** Without its braces, so that more can stand before and after it. */
  readonly item: string
  /** Whether `item` has images; where it has none, the node draws them. */
  readonly hasImages: boolean
}

export interface StoredDetail {
  readonly detail: string
  /** Where a person buys it; empty for own items, whose page is on the node that answers. */
  readonly page: string
  /** What it is a variant of; empty for goods without variants. */
  readonly group: string
}

export function storedItem(line: CatalogueLine): string {
  return `${line.supply}\n${offerFields(line)}\n${itemFields(line)}`
}

export function readItem(stored: Buffer): StoredItem {
  const [supply, offer = '', item = ''] = stored.toString('latin1').split('\n')
  return {
    isOwn: supply === 'own',
    offer,
    item,
    // Images stand last, and nothing else ends with a bracket.
    hasImages: item.endsWith(']'),
  }
}

export function storedDetail(line: CatalogueLine): string {
  const { agent_desc, aftersale_rules, specs } = line
  return `,${inner({ agent_desc, aftersale_rules, specs })}\n${mallItemPage(line)}`
    + `\n${line.group_id ?? ''}\n${candidateLines(line)}`
}

export function readDetail(stored: Buffer): StoredDetail {
  const [detail = '', page = '', group = ''] = stored.toString('latin1').split('\n')
  return { detail, page, group }
}

/** All that is stored of an item, as JSON, and what is noted of its title. */
export function storedJson(item: Buffer, detail: Buffer): { json: string, note: string } {
  const [, offer = '', fields = ''] = item.toString().split('\n')
  const [rest = '', , , note = ''] = detail.toString().split('\n')
  return { json: `{${offer}${fields}${rest}}`, note }
}

const inner = (value: object): string => JSON.stringify(value).slice(1, -1)

const offerFields = (line: CatalogueLine): string => `${inner({
  item_id: `shelf:${skuIdOf(line.product_id)}`,
  supply: line.supply,
  coupon: line.coupon ?? null,
})},`

const itemFields = (line: CatalogueLine): string => inner({
  sku_id: skuIdOf(line.product_id),
  product_id: line.product_id,
  group_id: line.group_id,
  title: line.title,
  retail_price: line.retail_price,
  final_price: finalPrice(line),
  ...unitPrice(line),
  ship_within_hours: line.ship_within_hours,
  free_ship_threshold: line.free_ship_threshold,
  freight: line.freight,
  merchant_id: line.merchant_id,
  shop: line.shop,
  qty_cap: line.qty_cap,
  category_id: line.category_id,
  brand: line.brand,
  sales: line.sales,
  rating: line.rating,
  ...(line.images?.length && { images: line.images }),
})

/** As smart search reads it from title and specification. */
function unitPrice(line: CatalogueLine): { unit_price?: UnitPrice } {
  if (!haveUnits(line.category_id)) return {}
  const unit = unitPriceOf(factsOfLine(line), finalPrice(line))
  return unit ? { unit_price: unit } : {}
}

/** Texts of the shelf: one command where one server has all keys; null for what is not there. */
export async function readMany(
  shelf: RedisClient, names: readonly string[],
): Promise<(Buffer | null)[]> {
  if (names.length === 0) return []
  try {
    if (!(shelf instanceof Cluster)) return await shelf.mgetBuffer(...names)
    return await runMany(shelf, names.map((name) => ['getBuffer', name])) as (Buffer | null)[]
  } catch (cause) {
    throw new Refusal('unavailable', {}, cause)
  }
}

interface PageFacts {
  readonly total: number
  readonly page: number
  readonly page_size: number
  readonly catalogue_version: number
  readonly relaxed?: unknown
  readonly explain?: unknown
}

/** How many views of an item the node draws. */
export const DRAWN_VIEWS = 3

/** Puts into stored texts what only this node knows: the stock, and the pictures it draws. */
export function createSplicer(board: Board, publicUrl: string) {
  // As it stands inside a JSON string.
  const imageBase = byteString(`${JSON.stringify(publicUrl).slice(1, -1)}/images/`)

  function drawn(productId: number, views: number): string {
    const base = `"${imageBase}${skuIdOf(productId)}-`
    let images = `${base}1.svg"`
    for (let view = 2; view <= views; view += 1) images += `,${base}${view}.svg"`
    return `,"images":[${images}]`
  }

  /** What follows the stored text of an item. */
  function tail(productId: number, { hasImages, isOwn }: StoredItem, views: number): string {
    const stock = isOwn
      ? `"available_qty":${board.quantity(productId)},"inventory_snapshot_at":"${board.snapshotAt}"`
      : '"available_qty":null,"inventory_snapshot_at":null'
    return `${hasImages ? '' : drawn(productId, views)},${stock}`
  }

  return {
    /** An item without its last brace. */
    own: (productId: number, stored: StoredItem, views = 1): string =>
      `{${stored.item}${tail(productId, stored, views)}`,
    offer: (productId: number, stored: StoredItem, views = 1): string =>
      `{${stored.offer}${stored.item}${tail(productId, stored, views)}`,
  }
}

export type Splicer = ReturnType<typeof createSplicer>

/** Text as one character for each byte of its UTF-8. */
export const byteString = (text: string): string => Buffer.from(text).toString('latin1')

export function pageText(items: readonly string[], facts: PageFacts): JsonText {
  const { total, page, page_size, catalogue_version, relaxed, explain } = facts
  const more = Object.entries({ relaxed, explain }).filter(([, value]) => value !== undefined)
  const note = more.map(([name, value]) =>
    `,"${name}":${byteString(JSON.stringify(value))}`).join('')
  return jsonOf(`{"items":[${items.length > 0 ? `${items.join('},')}}` : ''}],"total":${total},`
    + `"total_is_estimate":false,"page":${page},"page_size":${page_size},`
    + `"catalogue_version":${catalogue_version}${note}}`)
}

export const itemText = (...parts: readonly string[]): JsonText => jsonOf(`${parts.join('')}}`)

const jsonOf = (bytes: string): JsonText => new JsonText(Buffer.from(bytes, 'latin1'))
