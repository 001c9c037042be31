/** One line of a catalogue file: what import takes, export writes and the generator makes. */
import { Type, type Static } from 'typebox'
import {
  CategoryId, CLOSED, Fen, GroupId, OneOf, Optional, ProductId, Spec, Text,
} from '../contract/fields.ts'

export const SUPPLIES = ['own', 'mall_a', 'mall_b', 'mall_c'] as const
export type Supply = (typeof SUPPLIES)[number]

export const CatalogueLine = Type.Object({
  product_id: ProductId,
  supply: OneOf(SUPPLIES),
  title: Text(120),
  category_id: CategoryId,
  kind: Optional(Text(60)),
  /** Lines that have the same are variants of one product, such as its sizes and colours. */
  group_id: Optional(GroupId),
  brand: Text(60),
  retail_price: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
  /** Units; taken for a new own product only. */
  stock: Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
  qty_cap: Type.Integer({ minimum: 1, maximum: 99 }),
  /** 0 for affiliate supplies. */
  merchant_id: Type.Integer({ minimum: 0, maximum: 9_999_999_999 }),
  shop: Text(60),
  ship_within_hours: Type.Integer({ minimum: 1, maximum: 8760 }),
  free_ship_threshold: Fen(),
  freight: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  agent_desc: Text(2000),
  aftersale_rules: Text(500),
  specs: Type.Array(Spec, { maxItems: 24 }),
  sales: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
  rating: Type.Number({ minimum: 0, maximum: 5 }),
  coupon: Optional(Type.Object({
    amount: Type.Integer({ minimum: 1, maximum: 100_000_000 }), threshold: Fen(),
  }, CLOSED)),
  /** The platform's own id of an affiliate item. */
  external_id: Optional(Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$' })),
  /** Absolute image addresses; without any, the node draws one. */
  images: Optional(Type.Array(Type.String({ pattern: '^https?://[^\\s"<>\\\\]{1,500}$' }),
    { maxItems: 9 })),
  /** True hides the item from the shelf and keeps its orders. */
  delisted: Optional(Type.Boolean()),
}, CLOSED)

export type CatalogueLine = Static<typeof CatalogueLine>
