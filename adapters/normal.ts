/** The normal form: what comes out of every source, whatever went over its wire. */
import { Type, type Static } from 'typebox'
import { MALL_NAMES } from './names.ts'

export const SOURCE_NAMES = ['shelf', ...MALL_NAMES] as const
export const CONDITIONS = ['member', 'first_order', 'group', 'deposit', 'region'] as const
export const ORDER_STATUSES =
  ['pending', 'paid', 'received', 'settled', 'invalid', 'unknown'] as const

const CLOSED = { additionalProperties: false } as const
const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })
const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Fen = Type.Integer({ minimum: 0, maximum: 10_000_000_000 })
/** Milliseconds since the epoch, within years in which such a service can be. */
const Time = Type.Integer({ minimum: 946_684_800_000, maximum: 4_102_444_800_000 })

export const TITLE_MAX = 200
export const NAME_MAX = 100
export const IMAGES_MAX = 9
export const SAMPLES_MAX = 3
export const REVIEW_MAX = 200

export const ID_PATTERN = '^[0-9A-Za-z_-]{1,128}$'
export const ItemId = Type.String({ pattern: ID_PATTERN })
/** What a mall echoes in its orders: the letters that every mall takes. */
export const SUB_ID_PATTERN = '^[a-z0-9_]{1,24}$'
/** A web address with its scheme. */
export const WebLink = Type.String({ pattern: '^https?://[^\\s"<>\\\\]{1,2000}$' })
/** Also the schemes by which phones open an application. */
export const AnyLink = Type.String({ pattern: '^[a-z][a-z0-9+.-]*://[^\\s"<>\\\\]{1,2000}$' })

/** payable = list_price − coupon + freight; only without conditions may it win "cheapest". */
export const Breakdown = Type.Object({
  list_price: Type.Integer({ minimum: 1, maximum: 10_000_000_000 }),
  coupon: Nullable(Type.Object({ amount: Fen, threshold: Fen }, CLOSED)),
  conditions: Type.Array(oneOf(CONDITIONS), { maxItems: CONDITIONS.length, uniqueItems: true }),
  freight: Nullable(Fen),
  payable: Type.Integer({ minimum: 1, maximum: 10_000_000_000 }),
}, CLOSED)

const TEXT_MAX = 3000

/** One buyer's words; null is what the platform does not tell of it. */
export const Review = Type.Object({
  text: Text(REVIEW_MAX),
  rating: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
  at: Nullable(Time),
}, CLOSED)

/** A fact of the specification, as the seller names it. */
export const Spec = Type.Object({ name: Text(40), value: Text(120) }, CLOSED)

export const Item = Type.Object({
  source: oneOf(SOURCE_NAMES),
  /** The platform's own id. */
  id: ItemId,
  title: Text(TITLE_MAX),
  /** Values of its specification, and what its description says besides, where they are known. */
  specs: Type.Optional(Text(TEXT_MAX)),
  prose: Type.Optional(Text(TEXT_MAX)),
  /** The specification itself; absent where the source tells none. */
  spec_list: Type.Optional(Type.Array(Spec, { maxItems: 24 })),
  brand: Nullable(Text(NAME_MAX)),
  category: Nullable(Text(NAME_MAX)),
  shop: Nullable(Text(NAME_MAX)),
  images: Type.Array(WebLink, { maxItems: IMAGES_MAX }),
  /** What anybody pays; with conditions only where the platform sells it in no other way. */
  price: Breakdown,
  /** A lower price for those who meet its conditions. */
  special: Nullable(Breakdown),
  sales: Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
  rating: Nullable(Type.Number({ minimum: 0, maximum: 5 })),
  reviews: Nullable(Type.Object({
    count: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
    positive_percent: Nullable(Type.Number({ minimum: 0, maximum: 100 })),
    samples: Type.Array(Review, { maxItems: SAMPLES_MAX }),
  }, CLOSED)),
  url: Nullable(WebLink),
  /** For conversion, byte for byte as it came; not for agents. */
  coupon_url: Nullable(WebLink),
  /** For the books only: it never moves a rank. */
  commission: Nullable(Type.Object({
    bps: Type.Integer({ minimum: 0, maximum: 10_000 }), fen: Fen,
  }, CLOSED)),
}, CLOSED)

export const Shop = Type.Object({
  source: oneOf(SOURCE_NAMES),
  id: ItemId,
  title: Text(NAME_MAX),
  /** Run by the brand itself, as the platform vouches. */
  brand_store: Type.Boolean(),
  image: Nullable(WebLink),
  url: Nullable(WebLink),
}, CLOSED)

/** A purchase link of the platform. */
export const ConvertedLink = Type.Object({
  source: oneOf(SOURCE_NAMES),
  item_id: Nullable(ItemId),
  /** For browsers, on a host of the platform. */
  url: WebLink,
  app_url: Nullable(AnyLink),
  mini_program: Nullable(Type.Object({ app_id: Text(64), path: Text(2000) }, CLOSED)),
  /** Codes hold marks on which apps insist: kept as they came, without control characters. */
  share_code: Nullable(Type.String({ pattern: '^\\P{Cc}{1,100}$' })),
  share_text: Nullable(Type.String({ pattern: '^[\\n\\P{Cc}]{1,500}$' })),
  /** True when the mall will echo the sub-id in its orders. */
  attributed: Type.Boolean(),
  coupon_applied: Type.Boolean(),
  expires_at: Nullable(Time),
}, CLOSED)

/** One line of a mall's order; (source, line_id) names it, a later updated_at replaces it. */
export const OrderLine = Type.Object({
  source: oneOf(SOURCE_NAMES),
  line_id: Text(128),
  order_no: Text(64),
  item_id: Nullable(ItemId),
  title: Text(TITLE_MAX),
  qty: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** What was paid, in fen. */
  amount: Fen,
  /** What the platform pays: estimated until it is settled, 0 when invalid. */
  commission: Type.Object({
    bps: Nullable(Type.Integer({ minimum: 0, maximum: 10_000 })), fen: Fen,
  }, CLOSED),
  status: oneOf(ORDER_STATUSES),
  /** The platform's own word for it, for the operator. */
  mall_status: Type.String({ maxLength: 40 }),
  sub_id: Nullable(Text(128)),
  ordered_at: Nullable(Time),
  paid_at: Nullable(Time),
  updated_at: Time,
}, CLOSED)

export type SourceName = (typeof SOURCE_NAMES)[number]
export type Condition = (typeof CONDITIONS)[number]
export type OrderStatus = (typeof ORDER_STATUSES)[number]
export type Breakdown = Static<typeof Breakdown>
export type Item = Static<typeof Item>
export type Review = Static<typeof Review>
export type Spec = Static<typeof Spec>
export type Shop = Static<typeof Shop>
export type ConvertedLink = Static<typeof ConvertedLink>
export type OrderLine = Static<typeof OrderLine>
