/**
 * Our items as UCP's products. A product is a group of items, or an item without one; its variants
 * are items. Ids say which: `group:…` and `item:…` are products, digits alone a variant, and
 * `shelf:…` one that a mall sells.
 */
import { productIdOf, skuIdOf } from '../../contract/ids.ts'
import type { UcpMessage } from '../problems.ts'
import { type CatalogView, isOffer, offerId } from './view.ts'

/** What the answers about goods say of an item; its detail says more. */
export interface CatalogItem {
  readonly sku_id: number
  readonly product_id: number
  readonly group_id?: string
  /** Of what a caller with a key sees. */
  readonly supply?: string
  readonly coupon?: { readonly amount: number, readonly threshold: number } | null
  readonly merchant_id: number
  readonly title: string
  readonly retail_price: number
  readonly final_price: number
  readonly freight: number
  readonly free_ship_threshold: number
  readonly ship_within_hours: number
  /** Null where only a mall knows it. */
  readonly available_qty: number | null
  readonly qty_cap: number
  readonly category_id: number
  readonly brand: string
  readonly shop: string
  readonly sales: number
  readonly rating: number
  readonly images: readonly string[]
}

export interface ItemDetail extends CatalogItem {
  readonly agent_desc: string
  readonly aftersale_rules: string
  readonly specs: readonly Spec[]
  readonly variants?: readonly Sibling[]
}

export interface Spec { readonly name: string, readonly value: string }

/** A variant as the detail of another lists it. */
export interface Sibling {
  readonly sku_id: number
  /** In what it differs from the others. */
  readonly specs: readonly Spec[]
  readonly final_price: number
  readonly available_qty: number | null
}

export interface Option { readonly name: string, readonly label: string }

export interface CatalogVariant {
  readonly id: string
  readonly price: Money
  readonly inputs?: readonly { readonly id: string, readonly match: 'exact' | 'featured' }[]
  readonly [member: string]: unknown
}

export interface CatalogProduct {
  readonly id: string
  readonly variants: readonly CatalogVariant[]
  readonly [member: string]: unknown
}

export interface Money { readonly amount: number, readonly currency: string }

export const CURRENCY = 'CNY'
export const money = (amount: number): Money => ({ amount, currency: CURRENCY })

const GROUP_ID = /^group:([0-9A-Za-z_-]{1,64})$/
const ITEM_ID = /^item:([1-9][0-9]{0,9})$/
const VARIANT_ID = /^[1-9][0-9]{2,11}$/
const OFFER_ID = /^shelf:([1-9][0-9]{2,11})$/
const RATING_MAX = 5

export const variantId = (skuId: number): string => String(skuId)
const variantIdIn = (item: CatalogItem): string =>
  isOffer(item) ? offerId(item) : variantId(item.sku_id)
export const productIdIn = ({ group_id, product_id }: CatalogItem): string =>
  group_id === undefined ? `item:${product_id}` : `group:${group_id}`

/** The sku_id of a variant's id; undefined for any other text. */
export function skuIdIn(id: string): number | undefined {
  const skuId = VARIANT_ID.test(id) ? Number(id) : undefined
  return skuId !== undefined && productIdOf(skuId) !== undefined ? skuId : undefined
}

/** What an id leads to, and whether it named that variant or left the choice to us. */
export interface Resolved { readonly item: ItemDetail, readonly match: 'exact' | 'featured' }

/** Undefined where nothing that the caller sees has the id. */
export async function resolve(view: CatalogView, id: string): Promise<Resolved | undefined> {
  const exact = skuIdIn(id) ?? offerIn(id)
  const skuId = exact ?? await featuredOf(view, id)
  const item = skuId === undefined ? undefined : await view.item(skuId)
  if (!item || (exact !== undefined && variantIdIn(item) !== id)) return undefined
  return { item, match: exact === undefined ? 'featured' : 'exact' }
}

/** The sku_id of a mall's offer. */
export const offerIn = (id: string): number | undefined => skuIdIn(OFFER_ID.exec(id)?.[1] ?? '')

async function featuredOf(view: CatalogView, id: string): Promise<number | undefined> {
  const group = GROUP_ID.exec(id)?.[1]
  if (group !== undefined) return await view.featured(group)
  const product = ITEM_ID.exec(id)?.[1]
  return product === undefined ? undefined : skuIdOf(Number(product))
}

/** A product with these of its items as variants, the first of them featured. */
export function productOf(
  view: CatalogView, items: readonly [CatalogItem, ...CatalogItem[]],
  variants: readonly CatalogVariant[],
): CatalogProduct {
  const [first] = items
  const prices = items.map(({ final_price }) => final_price)
  const description = (first as Partial<ItemDetail>).agent_desc ?? first.title
  return {
    id: productIdIn(first),
    title: first.title,
    description: { plain: description },
    // A mall's offer has the address of its variant, which attributes the sale.
    ...(!isOffer(first) && { url: view.address(first) }),
    categories: [{ value: String(first.category_id), taxonomy: 'merchant' }],
    price_range: { min: money(Math.min(...prices)), max: money(Math.max(...prices)) },
    media: mediaOf(first),
    variants,
    ...(first.rating > 0 && {
      rating: { value: first.rating, scale_min: 0, scale_max: RATING_MAX },
    }),
    tags: [first.brand],
    metadata: { sales: first.sales },
  }
}

interface VariantParts {
  /** Those in which it differs from others of its product. */
  readonly options?: readonly Option[]
  /** Whether it stands first in a page, where its product shows its media. */
  readonly isFeatured?: boolean
}

export function variantOf(
  view: CatalogView, item: CatalogItem, { options = [], isFeatured = false }: VariantParts = {},
): CatalogVariant {
  const { agent_desc, aftersale_rules } = item as Partial<ItemDetail>
  const chosen = options.map(({ label }) => label).join(' / ')
  return {
    id: variantIdIn(item),
    sku: variantId(item.sku_id),
    title: chosen || item.title,
    description: { plain: agent_desc ?? item.title },
    url: view.address(item),
    price: money(item.final_price),
    ...(item.retail_price > item.final_price && { list_price: money(item.retail_price) }),
    availability: availabilityOf(item.available_qty),
    ...(options.length > 0 && { options }),
    ...(!isFeatured && { media: mediaOf(item) }),
    seller: { name: item.shop },
    metadata: {
      ...(isOffer(item) ? { sold_by: item.supply, ...(item.coupon && { coupon: item.coupon }) }
        : { available_quantity: item.available_qty, quantity_max: item.qty_cap }),
      shipping: {
        price: money(item.freight), free_from: money(item.free_ship_threshold),
        ships_within_hours: item.ship_within_hours,
      },
      ...(aftersale_rules !== undefined && { return_policy: aftersale_rules }),
    },
  }
}

/** What a mall has in stock it does not say. */
function availabilityOf(quantity: number | null): object {
  if (quantity === null) return { available: true }
  return quantity > 0 ? { available: true, status: 'in_stock' }
    : { available: false, status: 'out_of_stock' }
}

/** Without alt_text: the title would stand there again. */
const mediaOf = ({ images }: CatalogItem): object[] => images.map((url) => ({ type: 'image', url }))

/** One fact may have several values: they are one label. */
export function optionsOf(specs: readonly Spec[]): Option[] {
  const labels = new Map<string, string[]>()
  for (const { name, value } of specs) labels.set(name, [...labels.get(name) ?? [], value])
  return [...labels].map(([name, values]) => ({ name, label: values.join(', ') }))
}

export interface Wanted {
  readonly categories?: readonly string[]
  readonly price?: { readonly min?: number, readonly max?: number }
}

/** Whether a variant is left by filters that apply to what was found already. */
export const isWanted = (
  { final_price, category_id }: Pick<CatalogItem, 'final_price' | 'category_id'>,
  { categories, price: { min = 0, max = Infinity } = {} }: Wanted = {},
): boolean => final_price >= min && final_price <= max
  && (!categories || categories.length === 0 || categories.includes(String(category_id)))

/** Absent where there are none. */
export const messagesOf = (messages: readonly UcpMessage[]): object =>
  (messages.length > 0 ? { messages } : {})

/** What is not ordered by a checkout is said once. */
export const offerNotes = (items: readonly CatalogItem[]): UcpMessage[] =>
  items.some(isOffer) ? [{
    type: 'info', code: 'sold_elsewhere',
    content: 'Variants with metadata.sold_by are sold by a mall: they are bought at their url, '
      + 'which attributes the sale to you, and not by a checkout.',
  }] : []
