/** Fields that several operations share, with their bounds. */
import { Type, type Static, type TSchema } from 'typebox'
import { API_KEY_PATTERN, ORDER_NO_PATTERN } from './ids.ts'

/** `Type.Object` options: every input and output says all it has. */
export const CLOSED = { additionalProperties: false } as const

const PRODUCT_ID_MAX = 9_999_999_999
export const PAGE_SIZE_MAX = 50
/** Pages reach this many items deep: cost in the index grows with depth. */
export const SEARCH_DEPTH_MAX = 1000

/** Gives a schema of its own the value that documents show for it. */
export const like = <T extends TSchema>(schema: T, example: Static<T>): T =>
  Object.assign(schema, { examples: [example] })

/** What MCP's schemas leave out. */
export const restOnly = <T extends TSchema>(schema: T): T => ({ ...schema, restOnly: true })

/** Money in CNY fen. */
export const Fen = (description?: string) =>
  Type.Integer({ minimum: 0, maximum: 100_000_000_00, ...(description && { description }) })
export const PriceMin = Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'In fen' })
export const PriceMax = Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'In fen' })
export const Text = (maxLength: number, description?: string, minLength = 1) =>
  Type.String({ minLength, maxLength, ...(description && { description }) })
/** Of every answer that names a price: search, detail, smart search, comparison, mall. */
export const FinalPrice =
  Fen('What the buyer pays for one after coupons, in fen; freight is named apart')
export const UnitPrice = Type.Object({
  fen: Fen('The share of final_price, in fen'),
  per: Text(10, 'litre, 100ml, 100g, 100 sheets, 100 pieces, tablet (or capsule) or piece'),
}, { ...CLOSED, description: 'Absent where the pack is not known' })
export const Time = like(Type.String({ format: 'date-time' }), '2026-03-01T02:30:00.000Z')
export const Optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
export const OneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({
    type: 'string', enum: [...values], ...(description && { description }),
  })
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** An own item of the generated catalogue: the documents read and order it. */
export const ITEM_EXAMPLE = { sku_id: 10_096_101, product_id: 100_961, merchant_id: 1112 } as const
export const ORDER_NO_EXAMPLE = 'AM3VQ2Z7K8M1T5R9C4XD'

export const SkuId = like(Type.Integer({
  minimum: 1, maximum: PRODUCT_ID_MAX * 100 + 99, description: 'sku_id of a goods item',
}), ITEM_EXAMPLE.sku_id)
export const ProductId = like(Type.Integer({
  minimum: 1, maximum: PRODUCT_ID_MAX, description: 'product_id of a goods item',
}), ITEM_EXAMPLE.product_id)
export const MerchantId = like(Type.Integer({
  minimum: 1, maximum: PRODUCT_ID_MAX, description: 'merchant_id of the same item',
}), ITEM_EXAMPLE.merchant_id)
export const GroupId = like(Type.String({
  pattern: '^[0-9A-Za-z_-]{1,64}$', description: 'The same for variants of one product',
}), 'g100241')
export const CategoryId = Type.Integer({ minimum: 1, maximum: 24, description: 'Category 1–24' })
export const Page = Type.Integer({
  minimum: 1, maximum: SEARCH_DEPTH_MAX, default: 1, description: 'To item 1,000',
})
export const PageSize = Type.Integer({
  minimum: 1, maximum: PAGE_SIZE_MAX, default: 20, description: 'Items',
})
export const OrderNo = like(
  Type.String({ pattern: ORDER_NO_PATTERN, description: 'Order number' }), ORDER_NO_EXAMPLE)
export const ApiKey = like(
  Type.String({ pattern: API_KEY_PATTERN, secret: true, description: 'Shown once: keep it' }),
  'ak_trial_0000000000000000000000000EXAMPLE')

/** Bare or quoted in the header; the gate lower-cases it and takes the quotes off. */
export const IdempotencyKey = like(Type.String({
  format: 'uuid',
  description: 'UUID made once for this action; the same with every retry',
}), '7f1f8e5e-3c1b-4a67-9d0e-5b8f2f8f6a10')

export const UserRef = Text(64, 'Your own id of the user')

export const Receiver = Type.Object({
  name: Text(50),
  phone: like(
    Type.String({
      minLength: 5, maxLength: 20, pattern: '^\\+?[0-9][0-9 -]*$', description: 'Digits',
    }), '13800001234'),
  province: Text(30),
  city: Text(30),
  district: Text(30),
  address: Text(200, 'Street and room'),
}, { ...CLOSED, description: 'Who receives the goods' })

export const Spec = Type.Object({ name: Text(40), value: Text(120) }, CLOSED)
