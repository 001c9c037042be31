/** Items as callers name and see them: ids with their source, and nothing of commissions. */
import type { Static } from 'typebox'
import type { Breakdown, Item, Review } from '../../adapters/contract.ts'
import { SOURCE_NAMES, type SourceName } from '../../adapters/names.ts'
import { goodsPrice } from '../../adapters/price.ts'
import { isoTime } from '../contract/time.ts'
import { type Facts, factsOf } from '../language/facts.ts'
import { unitPriceOf } from '../language/unit-price.ts'
import type { MallItem, PriceBreakdown as PriceView } from './fields.ts'
import type { Sources } from './sources.ts'

export type MallItemView = Static<typeof MallItem>

export const itemIdOf = (source: string, id: string): string => `${source}:${id}`

/** `mall_b:100` → its source and id there. */
export function splitItemId(itemId: string): { source: string, id: string } {
  const colon = itemId.indexOf(':')
  return { source: itemId.slice(0, colon), id: itemId.slice(colon + 1) }
}

/** A price as callers see it, with what a fair unit of the goods costs. */
export function priceView(price: Breakdown, facts: Facts): Static<typeof PriceView> {
  const unit = unitPriceOf(facts, goodsPrice(price))
  return {
    ...price,
    coupon: price.coupon && { ...price.coupon },
    conditions: [...price.conditions],
    ...(unit && { unit_price: { ...unit } }),
  }
}

const sampleView = ({ at, ...review }: Review) =>
  ({ ...review, at: at === null ? null : isoTime(at) })

export function mallItem(item: Item): MallItemView {
  const { source, id, title, images, price, shop, sales, rating, reviews, url } = item
  return {
    item_id: itemIdOf(source, id), source, title, shop, sales, rating,
    images: [...images],
    price: priceView(price, factsOf(item)),
    final_price: goodsPrice(price),
    specs: item.spec_list ? [...item.spec_list] : null,
    ...(reviews && { reviews: { ...reviews, samples: reviews.samples.map(sampleView) } }),
    item_url: url,
  }
}

/** An item that a caller named by its id or by a link. */
export interface ItemRef {
  /** As the caller wrote it. */
  readonly text: string
  readonly source: SourceName | undefined
  readonly id: string | null
}

/** A link that no source claims has no source and no id; it is never fetched. */
export function itemRefOf(sources: Sources, text: string): ItemRef {
  const known = SOURCE_NAMES.find((name) => text.startsWith(`${name}:`) && !text.includes('://'))
  if (known) return { text, source: known, id: splitItemId(text).id }
  for (const [source, { readLink }] of sources) {
    const link = readLink(text)
    if (link) return { text, source, id: link.id }
  }
  return { text, source: undefined, id: null }
}
