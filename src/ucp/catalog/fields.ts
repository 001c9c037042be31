/** Inputs and outlines of the catalogue's operations. Fields that UCP has and nothing here needs
 * (context, signals, attribution) are taken and not read. */
import { Type } from 'typebox'
import { Optional } from '../../contract/fields.ts'

export const IDS_MAX = 50
const ID_LENGTH_MAX = 80
const PRICE_MAX = 100_000_000
const OPTION_LENGTH_MAX = 200

const Price = Type.Integer({ minimum: 0, maximum: PRICE_MAX, description: 'In CNY fen' })

export const Filters = Type.Object({
  categories: Optional(Type.Array(Type.String({ maxLength: 120 }), {
    maxItems: 24, description: 'Values of categories in products: any of these',
  })),
  price: Optional(Type.Object({ min: Optional(Price), max: Optional(Price) })),
})

export const Pagination = Type.Object({
  cursor: Optional(Type.String({ maxLength: 64, description: 'Of the previous page' })),
  limit: Optional(Type.Integer({ minimum: 1, description: 'Default 10; at most 50 are given' })),
})

export const CatalogId = Type.String({
  minLength: 1, maxLength: ID_LENGTH_MAX, description: 'Of a product or a variant',
})

export const Selected = Type.Array(Type.Object({
  name: Type.String({ maxLength: OPTION_LENGTH_MAX }),
  label: Type.String({ maxLength: OPTION_LENGTH_MAX }),
}), { maxItems: 24, description: 'Options that are chosen so far' })

const Ucp = Type.Unknown()
const Messages = Optional(Type.Array(Type.Unknown()))
const Products = Type.Array(Type.Object({
  id: Type.String(), title: Type.String(), price_range: Type.Unknown(), variants: Type.Unknown(),
}))

/** For the list of tools: the names in an answer. */
export const SearchOutput = Type.Object({
  ucp: Ucp, products: Products, pagination: Type.Unknown(), messages: Messages,
})
export const LookupOutput = Type.Object({ ucp: Ucp, products: Products, messages: Messages })
export const ProductOutput = Type.Object({
  ucp: Ucp, product: Type.Unknown(), messages: Messages,
})
