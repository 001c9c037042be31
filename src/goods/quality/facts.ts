/** What is true of each item, from the generator's own structures: no text is read for it. */
import { finalPrice } from '../document.ts'
import { catalogueLine } from '../generate.ts'
import type { Supply } from '../line.ts'
import { universeProduct } from '../universe.ts'

export interface ItemFacts {
  readonly index: number
  readonly productId: number
  readonly category: number
  readonly supply: Supply
  readonly price: number
  readonly kind: string
  /** The Chinese name; the Latin one beside it. */
  readonly brand: string
  readonly latin: string
  readonly model: string | null
  /** Values with their units by the attribute's Chinese name. */
  readonly values: ReadonlyMap<string, string>
  readonly features: readonly string[]
  readonly scenes: readonly string[]
  readonly pack: string | null
}

export function factsOf(seed: string, index: number): ItemFacts {
  const product = universeProduct(seed, index)
  const line = catalogueLine(seed, index)
  return {
    index,
    productId: line.product_id,
    category: line.category_id,
    supply: line.supply,
    price: finalPrice(line),
    kind: product.kind.kind,
    brand: product.brand.zh,
    latin: product.brand.latin,
    model: product.model,
    values: new Map(product.attributes.map(({ attribute, text }) => [attribute.name_zh, text])),
    features: product.features,
    scenes: product.scenes,
    pack: product.pack,
  }
}

export const allFacts = (seed: string, items: number): ItemFacts[] =>
  Array.from({ length: items }, (_, index) => factsOf(seed, index))
