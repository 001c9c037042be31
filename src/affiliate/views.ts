/** The normal form as callers see it: ids with their source, and nothing of commissions. */
import type { Static } from 'typebox'
import type { Breakdown, Item, Review } from '../../adapters/normal.ts'
import { goodsPrice } from '../../adapters/price.ts'
import { isoTime } from '../contract/time.ts'
import { factsOf, type Facts } from '../language/facts.ts'
import { unitPriceOf } from '../language/unit-price.ts'
import type { Breakdown as PriceView, MallItem } from '../contract/affiliate-fields.ts'

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

const sampleView = ({ at, ...said }: Review) => ({ ...said, at: at === null ? null : isoTime(at) })

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
