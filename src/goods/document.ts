/** What is stored of a catalogue line to find it on the shelf, and to sell it from the ledger. */
import { skuIdOf } from '../contract/ids.ts'
import { fold } from '../language/fold.ts'
import { isNameOf, kindOf, kindToken, NO_KIND } from './kinds.ts'
import type { CatalogueLine } from './line.ts'
import { priceBuckets } from './price.ts'
import { indexTokens } from './tokenize.ts'

/** The fields of the index; what is sent is stored apart, so that the index need not carry it. */
export type ShelfDocument = Record<'title' | 'text' | 'supply' | 'category' | 'bucket' | 'group'
  | 'price' | 'weight', string | number>

export function shelfDocument(line: CatalogueLine): ShelfDocument {
  const { title, text } = lineTokens(line)
  const price = finalPrice(line)
  return {
    title: title.join(' '),
    text: text.join(' '),
    supply: line.supply,
    category: line.category_id,
    bucket: priceBuckets(price).join(','),
    price,
    weight: weightOf(line),
    // Always written: a field that an update leaves out would keep its value.
    group: line.group_id ?? '',
  }
}

/** Raised when the tokens below change: the shelf is then made anew from the ledger. */
export const TOKENS_VERSION = 4

/** What a line is found by; what its title has is not repeated as text. */
export function lineTokens(line: CatalogueLine): { title: string[], text: string[] } {
  const kind = kindOf(line)
  const title = [
    kindToken(kind ?? NO_KIND),
    // Where the kind is known, single characters need not stand for it.
    ...indexTokens([line.title, line.brand], { ends: kind === undefined }),
  ]
  const colours = line.specs.filter(({ name }) => COLOUR_NAME.test(name))
    .flatMap(({ value }) => fold(value).match(COLOURS) ?? [])
  const inTitle = new Set(title)
  const text = indexTokens([proseOf(line, kind), ...line.specs.map((spec) => spec.value)],
    { ends: false })
  return { title, text: [...new Set([...text, ...colours])].filter((one) => !inTitle.has(one)) }
}

/** 黑色 finds 曜石黑 by its 黑. */
const COLOUR_NAME = /色|外观|花型|盘面/
const COLOURS = /[黑白灰红粉橙黄绿青蓝紫棕金银]/g

const PHRASE_ENDS = /(?<=[、，。；\n])/

/**
 * The description without the labels of its facts, which nobody searches for and all have, and
 * without other names of the kind, which its token stands for.
 */
export function proseOf(
  { agent_desc, specs }: {
    readonly agent_desc: string, readonly specs: readonly { readonly name: string }[],
  }, kind: string | undefined,
): string {
  const prose = specs.reduce((text, { name }) => text.replaceAll(`${name}：`, ' '), agent_desc)
  if (kind === undefined) return prose
  return prose.split(PHRASE_ENDS).filter((phrase) => !isNameOf(kind, phrase.slice(0, -1))).join('')
}

/** What is paid for one: a coupon counts where its condition is met by one piece. */
export function finalPrice(
  { retail_price, coupon }: Pick<CatalogueLine, 'retail_price' | 'coupon'>,
): number {
  return coupon && retail_price >= coupon.threshold ? retail_price - coupon.amount : retail_price
}

/** From 0.5 to 1 by sales and rating: orders what is equal otherwise. */
export function weightOf(
  { sales, rating }: Pick<CatalogueLine, 'sales' | 'rating'>,
): number {
  const popularity = Math.min(Math.log10(1 + sales) / 6, 1)
  return Math.round((0.5 + 0.35 * popularity + 0.15 * rating / 5) * 1000) / 1000
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
