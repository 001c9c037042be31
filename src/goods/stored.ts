/**
 * Items as JSON text that is ready to send. Parts end with a line break, which stands in no JSON
 * text, so that a node finds them without reading what they say. In the node they are byte
 * strings: each character is one byte of UTF-8, which is put together several times faster than
 * text or buffers.
 */
import { skuIdOf } from '../contract/ids.ts'
import { factsOf } from '../language/facts.ts'
import { haveUnits, unitPriceOf, type UnitPrice } from '../language/unit-price.ts'
import { finalPrice } from './document.ts'
import type { CatalogueLine } from './line.ts'
import { mallItemPage } from './purchase.ts'

/** Raised when the texts below change: the shelf is then made anew from the ledger. */
export const TEXTS_VERSION = 1

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
  return `${line.supply}\n${offerText(line)}\n${itemText(line)}`
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
    + `\n${line.group_id ?? ''}`
}

export function readDetail(stored: Buffer): StoredDetail {
  const [detail = '', page = '', group = ''] = stored.toString('latin1').split('\n')
  return { detail, page, group }
}

const inner = (value: object): string => JSON.stringify(value).slice(1, -1)

const offerText = (line: CatalogueLine): string => `${inner({
  item_id: `shelf:${skuIdOf(line.product_id)}`,
  supply: line.supply,
  coupon: line.coupon ?? null,
})},`

const itemText = (line: CatalogueLine): string => inner({
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
  const { title, brand, specs } = line
  const facts = factsOf({
    title, brand, category: null, specs: specs.map(({ value }) => value).join(' '),
  })
  const unit = unitPriceOf(facts, finalPrice(line))
  return unit ? { unit_price: unit } : {}
}
