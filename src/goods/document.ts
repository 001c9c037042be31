/** What is stored of a catalogue line: on the shelf to be found and sent, on the ledger to sell. */
import { skuIdOf } from '../ids.ts'
import type { CatalogueLine } from './line.ts'
import { priceBuckets } from './price.ts'
import { mallItemPage } from './purchase.ts'
import { indexTokens } from './tokenize.ts'

/**
 * Fields of a shelf document. Those that are sent are JSON text that needs no reading:
 * `item` lacks its last brace, so that images, stock and more can follow. One that brings its own
 * images ends with their bracket, which no other `item` ends with.
 */
export type ShelfDocument = Record<
  'title' | 'text' | 'supply' | 'category' | 'bucket' | 'price' | 'weight'
  | 'item' | 'offer' | 'detail' | 'page', string | number>

export function shelfDocument(line: CatalogueLine): ShelfDocument {
  const title = indexTokens([line.title, line.brand], { singles: true })
  const inTitle = new Set(title)
  const text = indexTokens([proseOf(line), ...line.specs.map((spec) => spec.value)],
    { singles: false })
  const price = finalPrice(line)
  return {
    title: title.join(' '),
    text: text.filter((token) => !inTitle.has(token)).join(' '),
    supply: line.supply,
    category: line.category_id,
    bucket: priceBuckets(price).join(','),
    price,
    weight: weightOf(line),
    item: itemText(line),
    offer: offerText(line),
    detail: detailText(line),
    page: mallItemPage(line),
  }
}

/** The description without the labels of its facts: nobody searches for them, and all have them. */
function proseOf({ agent_desc, specs }: CatalogueLine): string {
  return specs.reduce((text, { name }) => text.replaceAll(`${name}：`, ' '), agent_desc)
}

/** What is paid for one: a coupon counts where its condition is met by one piece. */
export function finalPrice({ retail_price, coupon }: CatalogueLine): number {
  return coupon && retail_price >= coupon.threshold ? retail_price - coupon.amount : retail_price
}

/** From 0.5 to 1 by sales and rating: orders what is equal otherwise. */
export function weightOf({ sales, rating }: CatalogueLine): number {
  const popularity = Math.min(Math.log10(1 + sales) / 6, 1)
  return Math.round((0.5 + 0.35 * popularity + 0.15 * rating / 5) * 1000) / 1000
}

function itemText(line: CatalogueLine): string {
  const skuId = skuIdOf(line.product_id)
  return JSON.stringify({
    sku_id: skuId,
    product_id: line.product_id,
    title: line.title,
    retail_price: line.retail_price,
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
  }).slice(0, -1)
}

/** What an affiliate offer says first; ends with a comma, `item` follows without its brace. */
function offerText(line: CatalogueLine): string {
  return `${JSON.stringify({
    item_id: `shelf:${skuIdOf(line.product_id)}`,
    supply: line.supply,
    coupon: line.coupon ?? null,
    final_price: finalPrice(line),
  }).slice(0, -1)},`
}

function detailText({ agent_desc, aftersale_rules, specs }: CatalogueLine): string {
  return `,${JSON.stringify({ agent_desc, aftersale_rules, specs }).slice(1, -1)}`
}

/** What orders read; an affiliate item is never ordered here. */
export function skuFields(line: CatalogueLine): Record<string, string | number> {
  const fields = { sku_id: skuIdOf(line.product_id), supply: line.supply,
    delisted: line.delisted ? 1 : 0 }
  if (line.supply !== 'own') return fields
  return {
    ...fields,
    title: line.title,
    retail_price: line.retail_price,
    qty_cap: line.qty_cap,
    merchant_id: line.merchant_id,
    shop: line.shop,
    freight: line.freight,
    free_ship_threshold: line.free_ship_threshold,
    ship_within_hours: line.ship_within_hours,
    category_id: line.category_id,
  }
}
