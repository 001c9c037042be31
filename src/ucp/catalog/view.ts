/**
 * What a caller sees of the catalogue. Without a key: what is ordered here. With one: the offers of
 * malls beside it, ranked among them, each at an address that attributes a sale to the agent.
 */
import type { Caller } from '../../contract/caller.ts'
import { Refusal } from '../../contract/errors.ts'
import type { JsonText } from '../../contract/json.ts'
import type { MaybePromise } from '../../contract/maybe-promise.ts'
import type { GoodsQuery } from '../../goods/goods.ts'
import type { Services } from '../../services.ts'
import type { CatalogItem, ItemDetail } from './product.ts'

type Used = Pick<Services, 'goods' | 'affiliate'>

export interface CatalogView {
  /** A page of items. */
  search(query: GoodsQuery): MaybePromise<JsonText>
  /** Undefined where this caller sees none. */
  item(skuId: number): Promise<ItemDetail | undefined>
  /** The sku_id of a group's variant that stands for it; undefined without one. */
  featured(group: string): Promise<number | undefined>
  /** Where a person buys an item. */
  address(item: CatalogItem): string
  /** The beginning of an offer's address, the same for all callers. */
  addressOf(itemId: string): string
  /** What follows an offer's address for this caller, for each of these: all of one length. */
  marksOf(itemIds: readonly string[]): string
}

const SHELF_PREFIX = 'shelf:'

/** Whether a mall sells it: it is bought at its address, and not by a checkout. */
export const isOffer = ({ supply }: Pick<CatalogItem, 'supply'>): boolean =>
  supply !== undefined && supply !== 'own'

export const offerId = ({ sku_id }: Pick<CatalogItem, 'sku_id'>): string => SHELF_PREFIX + sku_id

export const ownView = ({ goods }: Pick<Services, 'goods'>): CatalogView => ({
  search: (query) => goods.search(query),
  item: (skuId) => readDetail(() => goods.detail(skuId)),
  featured: (group) => goods.inGroup(group),
  address: ({ sku_id }) => goods.itemPage(sku_id),
  addressOf: () => '',
  marksOf: () => '',
})

export function viewFor({ agent }: Caller, { goods, affiliate }: Used): CatalogView {
  if (agent === null) return ownView({ goods })
  const { offers } = affiliate
  return {
    // A list without words is that of our own goods.
    search: (query) => query.q === undefined ? goods.search(query) : goods.shelfSearch(query),
    item: (skuId) => readDetail(() => goods.shelfItem(SHELF_PREFIX + skuId)),
    featured: (group) => goods.inGroup(group, true),
    address: (item) =>
      isOffer(item) ? offers.address(agent, offerId(item)) : goods.itemPage(item.sku_id),
    addressOf: offers.addressOf,
    marksOf: (itemIds) => offers.marksOf(agent, itemIds),
  }
}

async function readDetail(
  read: () => MaybePromise<JsonText>,
): Promise<ItemDetail | undefined> {
  try {
    return withSkuIds((await read()).toJSON() as Detail)
  } catch (error) {
    if (error instanceof Refusal && error.error === 'not_found') return undefined
    throw error
  }
}

type Variant = NonNullable<ItemDetail['variants']>[number]
/** The shelf names variants by item_id. */
interface Detail extends Omit<ItemDetail, 'variants'> {
  readonly variants?: readonly (Omit<Variant, 'sku_id'> & (
    { readonly sku_id: number } | { readonly item_id: string }))[]
}

const withSkuIds = ({ variants, ...detail }: Detail): ItemDetail => ({
  ...detail,
  ...(variants && {
    variants: variants.map((one): Variant => 'sku_id' in one ? one
      : { ...one, sku_id: Number(one.item_id.slice(SHELF_PREFIX.length)) }),
  }),
})
