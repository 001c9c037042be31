/** The generated products as four sources would offer them, each at its own price. */
import type { SourceName } from '../../../adapters/names.ts'
import {
  type Assortment, type Catalogue, createAssortment, createCatalogue,
} from '../../../adapters/simulator/catalogue.ts'
import type { Item } from '../../../adapters/contract.ts'
import { catalogueLine } from '../../../src/goods/generate.ts'
import { generatedProduct } from '../../../src/goods/generated-product.ts'

export const SEED = 'judged'
const SOURCES = ['shelf', 'mall_a', 'mall_b', 'mall_c'] as const
const PAGE_SIZE = 30

export interface World {
  readonly assortment: Assortment
  /** What the sources answer to keywords, all in one list. */
  search(q: string, max?: number): Item[]
  item(source: SourceName, index: number): Item | null
}

export function createWorld(products: number): World {
  const assortment = createAssortment(Array.from({ length: products }, (_, index) => {
    const { category, basePrice, brand } = generatedProduct(SEED, index)
    const { title } = catalogueLine(SEED, index)
    return { index, title, brand: brand.zh, category: category.name_zh, basePrice }
  }))
  const catalogues = new Map<SourceName, Catalogue>(SOURCES.map((source) =>
    [source, createCatalogue(source, assortment, { groupShare: 0.2, couponOn: 'price' })]))
  const item = (source: SourceName, index: number): Item | null => {
    const offer = catalogues.get(source)?.offer(index)
    if (!offer) return null
    const { product, expected, expectedSpecial, sales, positivePercent, reviews, shop } = offer
    return {
      source, id: String(index), title: product.title, brand: product.brand,
      category: product.category, shop, images: [], price: expected, special: expectedSpecial,
      sales, rating: Math.round(positivePercent / 2) / 10,
      reviews: { count: reviews, positive_percent: positivePercent, samples: [] },
      url: null, coupon_url: null,
      commission: { bps: offer.commissionBps, fen: 0 },
    }
  }
  return {
    assortment, item,
    search: (q, max) => SOURCES.flatMap((source) =>
      catalogues.get(source)?.search({ q, page: 1, pageSize: PAGE_SIZE, max }).offers
        .map(({ product }) => item(source, product.index)).filter((one) => one !== null) ?? []),
  }
}
