/** Items as tests need them. */
import { breakdown, type PriceParts } from '../../../adapters/price.ts'
import type { Breakdown, Item } from '../../../adapters/contract.ts'
import { rank, type RankedResult } from '../result/index.ts'
import { understand, type Parameters } from '../../language/understand.ts'

export const price = (list: number, parts: Omit<PriceParts, 'list'> = {}): Breakdown =>
  breakdown({ list, ...parts })

export const anItem = (title: string, fen: number, more: Partial<Item> = {}): Item => ({
  source: 'mall_a', id: '1', title, brand: null, category: null, shop: null, images: [],
  price: price(fen), special: null, sales: null, rating: null, reviews: null, url: null,
  coupon_url: null, commission: null, ...more,
})

const PAGE_SIZE = 30

export const ranked = (
  sentence: string, items: readonly Item[], parameters: Parameters = {},
  unanswered: readonly string[] = [],
): RankedResult => rank(understand(sentence, parameters), items, {
  pageSize: PAGE_SIZE, unanswered,
  buy: ({ id }) => ({ tool: 'buy', arguments: { id }, purchase_url: null }),
})
