/** The variants of one product, as the detail of each of them lists them. */
import { skuIdOf } from '../contract/ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { askIndex, ofGroup, orderOf, readIds } from './query.ts'
import type { Board } from './stock.ts'
import type { CatalogueLine } from './line.ts'
import {
  byteString, readDetail, readItem, readMany, type StoredDetail, type StoredItem,
} from './item-text.ts'

export const VARIANTS_MAX = 50

export interface Variant {
  readonly productId: number
  readonly isOwn: boolean
  /** Fen: what is paid for one. */
  readonly price: number
  /** In what it differs from the others. */
  readonly specs: CatalogueLine['specs']
}

/** Of every supply, the cheapest first, `productId` itself among them. */
export async function readVariants(
  shelf: RedisClient, group: string, productId: number,
): Promise<Variant[]> {
  const found = await Promise.all([keys.ownAlias, keys.offersAlias].map(async (index) =>
    readIds(await askIndex(shelf, index, ofGroup(group),
      [...orderOf('price_asc'), 'NOCONTENT', 'LIMIT', 0, VARIANTS_MAX])).productIds))
  const others = found.flat().filter((id) => id !== productId)
  if (others.length === 0) return []
  const ids = [productId, ...others]
  const texts = await readMany(shelf, ids.flatMap((id) => [keys.item(id), keys.detail(id)]))
  const lines = ids.flatMap((_, at) => {
    const [item, detail] = [texts[2 * at], texts[2 * at + 1]]
    return item && detail ? [lineOf(readItem(item), readDetail(detail))] : []
  })
  const [own, ...rest] = lines
  if (!own || rest.length === 0) return []
  const listed = [own, ...rest.toSorted(byPrice).slice(0, VARIANTS_MAX - 1)].toSorted(byPrice)
  const varying = varyingIn(listed)
  return listed.map(({ product_id, isOwn, price, specs }) => ({
    productId: product_id, isOwn, price, specs: specs.filter(({ name }) => varying.has(name)),
  }))
}

/** The cheapest of our own in a group, or else of `others`; undefined where there is none. */
export async function cheapestOf(
  shelf: RedisClient, group: string, others: boolean,
): Promise<number | undefined> {
  const cheapestIn = async (index: string): Promise<number | undefined> =>
    readIds(await askIndex(shelf, index, ofGroup(group),
      [...orderOf('price_asc'), 'NOCONTENT', 'LIMIT', 0, 1])).productIds[0]
  return await cheapestIn(keys.ownAlias)
    ?? (others ? await cheapestIn(keys.offersAlias) : undefined)
}

type Line = Pick<CatalogueLine, 'product_id' | 'specs'>
  & { readonly isOwn: boolean, readonly price: number }

function lineOf({ isOwn, offer, item }: StoredItem, { detail }: StoredDetail): Line {
  const json = Buffer.from(`{${offer}${item}${detail}}`, 'latin1').toString()
  const { product_id, specs, final_price } = JSON.parse(json) as
    Pick<CatalogueLine, 'product_id' | 'specs'> & { final_price: number }
  return { product_id, specs, isOwn, price: final_price }
}

const byPrice = (one: Line, other: Line): number =>
  one.price - other.price || one.product_id - other.product_id

/** Names of the facts that are not the same for all; one may stand for several facts. */
function varyingIn(lines: readonly Line[]): Set<string> {
  const names = new Set(lines.flatMap(({ specs }) => specs.map(({ name }) => name)))
  return new Set([...names].filter((name) => new Set(lines.map(({ specs }) =>
    JSON.stringify(specs.filter((spec) => spec.name === name)))).size > 1))
}

/** How an answer names one. */
type Named = (skuId: number) => object

export const bySku: Named = (sku_id) => ({ sku_id })
export const byItem: Named = (skuId) => ({ item_id: `shelf:${skuId}` })

/** As it follows the fields of an item; empty where there is no other. */
export function variantsText(
  variants: readonly Variant[], productId: number, named: Named, board: Board,
): string {
  if (variants.length < 2) return ''
  return `,"variants":${byteString(JSON.stringify(variants.map((variant) => ({
    ...named(skuIdOf(variant.productId)),
    specs: variant.specs,
    final_price: variant.price,
    available_qty: variant.isOwn ? board.quantity(variant.productId) : null,
    current: variant.productId === productId,
  }))))}`
}
