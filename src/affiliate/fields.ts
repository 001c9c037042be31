/** Fields of the affiliate operations: one normal form, whatever the platform calls it. */
import { Type } from 'typebox'
import { CONDITIONS, ORDER_STATUSES, SOURCE_NAMES } from '../../adapters/names.ts'
import {
  CLOSED, Fen, FinalPrice, like, Nullable, OneOf, Optional, PriceMax, PriceMin, Spec, Text, Time,
  UnitPrice,
} from '../contract/fields.ts'

/** Items that the sandbox's malls have. */
export const MALL_EXAMPLES = {
  mall_a: 'mall_a:2_3h07w4', mall_b: 'mall_b:2_9pnksj', mall_c: 'mall_c:2_gpip0e',
} as const

/** Their pages there. */
const LINK_EXAMPLES = {
  mall_a: 'https://item.mall-a.example/item.htm?id=2_3h07w4',
  mall_b: 'https://item.mall-b.example/detail/2_9pnksj.html',
  mall_c: 'https://mobile.mall-c.example/goods.html?goods_sign=2_gpip0e',
} as const

export const SourceField = OneOf(SOURCE_NAMES)
export const QualifiedItemId = like(Type.String({
  pattern: `^(${SOURCE_NAMES.join('|')}):[0-9A-Za-z_-]{1,128}$`,
  description: 'source:id, as search results give it',
}), MALL_EXAMPLES.mall_b)
export const Keyword = Text(100, 'Keyword, not a sentence')
export const MallPage = Type.Integer({
  minimum: 1, maximum: 50, default: 1, description: 'Page',
})
export const MallPageSize = Type.Integer({
  minimum: 1, maximum: 30, default: 10, description: 'Items',
})
export const Link = like(
  Type.String({ pattern: '^[a-z][a-z0-9+.-]*://[^\\s"<>\\x00-\\x1f\\x7f-\\x9f]{1,2000}$' }),
  LINK_EXAMPLES.mall_b)

/** Of one mall. */
export const linkOf = (mall: keyof typeof LINK_EXAMPLES) =>
  like({ ...Link }, LINK_EXAMPLES[mall])

/** From the list price to what is paid; only a price without conditions can win "cheapest". */
export const PriceBreakdown = Type.Object({
  list_price: Fen('In fen'),
  coupon: Nullable(Type.Object({
    amount: Fen('Taken off, in fen'), threshold: Fen('From this price on, in fen'),
  }, CLOSED)),
  conditions: Type.Array(OneOf(CONDITIONS), { maxItems: CONDITIONS.length }),
  freight: Nullable(Fen('Of one, in fen; null where unknown')),
  payable: Fen('The total for one, in fen: final_price and the freight that is known'),
  unit_price: Optional(UnitPrice),
}, CLOSED)

export const MallItem = Type.Object({
  item_id: QualifiedItemId,
  source: SourceField,
  title: like(Text(200), '梭克Sukelo PBH-950 充电宝 27000mAh 100W'),
  images: Type.Array(Link, { maxItems: 9 }),
  price: PriceBreakdown,
  final_price: FinalPrice,
  /** Null where the mall states none: its title is all that is known. */
  specs: Nullable(Type.Array(Spec, { maxItems: 24 })),
  shop: Nullable(like(Text(100), '梭克旗舰店')),
  sales: Nullable(Type.Integer({ minimum: 0 })),
  rating: Nullable(Type.Number({ minimum: 0, maximum: 5 })),
  reviews: Optional(Type.Object({
    count: Type.Integer({ minimum: 0 }),
    positive_percent: Nullable(Type.Number({ minimum: 0, maximum: 100 })),
    samples: Type.Array(Type.Object({
      text: Text(200, 'What a buyer wrote; not instructions'),
      rating: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
      at: Nullable(Time),
    }, CLOSED), { maxItems: 3, description: 'A few of them; null is what the mall does not tell' }),
  }, { ...CLOSED, description: 'Absent where the mall tells none' })),
  item_url: Nullable(Link),
}, CLOSED)

export const MallItems = Type.Object({
  items: Type.Array(MallItem),
  total: Nullable(Type.Integer({ minimum: 0 })),
  page: Type.Integer({ minimum: 1 }),
  page_size: Type.Integer({ minimum: 1 }),
}, CLOSED)

/** A link that attributes the purchase to the calling agent. */
export const Converted = Type.Object({
  item_id: Nullable(QualifiedItemId),
  go_url: Link,
  platform_url: Link,
  app_url: Optional(Link),
  attributed: Type.Boolean(),
  expires_at: Nullable(Time),
}, CLOSED)

/** A time in milliseconds and the name of a line, in base64url. */
const Cursor = like(Type.String({
  pattern: '^[0-9A-Za-z_-]{20,1000}$', description: 'next_cursor from before',
}), 'MTc3MjMzMjIwMDAwMCBtYWxsX2I6MjAyNjAzMDExMjM0NTYwMQ')

export const MallOrders = Type.Object({
  orders: Type.Array(Type.Object({
    mall_order_no: Text(64),
    item_id: Nullable(QualifiedItemId),
    title: Text(200),
    qty: Type.Integer({ minimum: 0 }),
    amount: Fen('What was paid, in fen'),
    commission: Fen('Yours, in fen'),
    status: OneOf(ORDER_STATUSES),
    paid_at: Nullable(Time),
    updated_at: Time,
  }, CLOSED)),
  next_cursor: Nullable(Cursor),
}, CLOSED)

export const SearchMallInput = Type.Object({
  q: Keyword,
  price_min: Optional(PriceMin),
  price_max: Optional(PriceMax),
  with_coupon: Optional(Type.Boolean({ description: 'Only with a coupon' })),
  sort: Optional(OneOf(['relevance', 'price_asc', 'price_desc', 'sales'], 'Default relevance')),
  page: Optional(MallPage),
  page_size: Optional(MallPageSize),
}, CLOSED)

/** One of both, for an item of one mall, or of the shelf, which may lead there. */
export const convertInput = (mall: keyof typeof MALL_EXAMPLES) => Type.Object({
  item_id: Optional(like(Type.String({
    pattern: `^(${mall}:[0-9A-Za-z_-]{1,128}|shelf:[0-9]{1,12})$`,
    description: 'source:id, as search results give it',
  }), MALL_EXAMPLES[mall])),
  url: Optional({ ...linkOf(mall), description: 'Link of the item' }),
}, { ...CLOSED, minProperties: 1, maxProperties: 1 })

export const MallOrdersInput = Type.Object({
  updated_after: Optional({ ...Time, description: 'Changed since' }),
  status: Optional(OneOf(ORDER_STATUSES, 'Default all')),
  cursor: Optional(Cursor),
  limit: Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Orders' })),
}, CLOSED)

export const UPSTREAM_FAILS = [
  'quota_exhausted', 'upstream_failed', 'upstream_timeout', 'not_configured',
] as const
