/**
 * What a source of goods can do, the normal form of what it answers, and every way it can fail. An
 * adapter implements it; `guard.ts` checks both directions.
 */
import { type Static, Type } from 'typebox'
import type { Payer } from './limits.ts'
import { CONDITIONS, ORDER_STATUSES, SOURCE_NAMES, type SourceName } from './names.ts'

export type { Clock } from './time.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** From the call to the answer, waiting included. Default: the client's `totalMs`. */
  readonly deadlineMs?: number
  /** How long to wait for a turn in the call budget. Jobs are patient, people are not. */
  readonly waitMs?: number
  /** Whose share of the call budget it uses; without one it is the operator's own. */
  readonly payer?: Payer
}

export const MALL_SORTS = ['relevance', 'price_asc', 'price_desc', 'sales'] as const
export type MallSort = (typeof MALL_SORTS)[number]

export interface SearchQuery {
  readonly q: string
  readonly page: number
  readonly pageSize: number
  readonly sort?: MallSort
  /** Of what is paid after coupons, by anybody or on conditions, in fen. */
  readonly priceMin?: number
  readonly priceMax?: number
  readonly withCoupon?: boolean
}

export interface SearchResult {
  readonly items: readonly Item[]
  /** Null where the platform does not count; never less than what was seen. */
  readonly total: number | null
  /** Entries that broke the format and were left out. */
  readonly dropped: number
}

export interface ShopQuery {
  readonly q: string
  readonly page: number
  readonly pageSize: number
  readonly brandOnly?: boolean
}

export interface ShopsResult {
  readonly shops: readonly Shop[]
  readonly total: number | null
  readonly dropped: number
}

export interface ItemsResult {
  readonly items: readonly Item[]
  readonly missing: readonly string[]
  readonly dropped: number
}

/** Exactly one of `item` and `url`; neither only where the source has a `defaultItem`. */
export interface ConvertRequest {
  readonly item?: string
  /** A link of the platform; it is passed on, never fetched. */
  readonly url?: string
  /** Comes back in the orders. How it is made says `capabilities.attribution`. */
  readonly subId?: string
  /** `coupon_url` of the item, untouched. */
  readonly couponUrl?: string
}

/** Half open: from ≤ time < to, in milliseconds. */
export interface OrderWindow {
  readonly from: number
  readonly to: number
}

export interface OrderPage {
  readonly lines: readonly OrderLine[]
  readonly dropped: number
  /** Every change before this time has been handed out: what a reader keeps as its position. */
  readonly through: number
}

export interface Capabilities {
  readonly pageSizeMax: number
  /** page × pageSize reaches no further. */
  readonly depthMax: number
  readonly sorts: readonly MallSort[]
  readonly itemsMax: number
  /** token: any sub-id; pool: one of the ids that the platform issued to the operator. */
  readonly attribution: 'token' | 'pool' | 'none'
  /** Those ids, each for one agent; a sub-id that is none of them is invalid_arg. */
  readonly pool?: readonly string[]
  /** What is converted when nothing is named: the general coupon of a food platform. */
  readonly defaultItem: string | null
  /** How orders are best read: again from so long before, and not from longer ago than. */
  readonly orders: {
    readonly overlapMs: number, readonly lookbackMs: number,
  } | null
}

export interface Health {
  readonly circuit: 'closed' | 'open' | 'half_open'
  readonly active: number
  readonly queued: number
  /** How far the platform's clock is ahead of ours; null before its first answer. */
  readonly skewMs: number | null
}

/** Every failure is a SourceError. What a source cannot do, it does not have. */
export interface Source {
  readonly name: SourceName
  readonly capabilities: Capabilities
  search(query: SearchQuery, call?: CallOptions): Promise<SearchResult>
  items(ids: readonly string[], call?: CallOptions): Promise<ItemsResult>
  shops?(query: ShopQuery, call?: CallOptions): Promise<ShopsResult>
  convert?(request: ConvertRequest, call?: CallOptions): Promise<ConvertedLink>
  /** Changes of a window by time of update, oldest sub-window first. */
  orders?(window: OrderWindow, call?: CallOptions): AsyncIterable<OrderPage>
  /** Null: no link of this platform. `id` is null where the link does not tell the item. */
  readLink(url: string): { readonly id: string | null } | null
  health(): Health
  close(): Promise<void>
}

// The normal form: what comes out of every source, whatever went over its wire.

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

export type Condition = (typeof CONDITIONS)[number]
export type MallOrderStatus = (typeof ORDER_STATUSES)[number]
export type Breakdown = Static<typeof Breakdown>
export type Item = Static<typeof Item>
export type Review = Static<typeof Review>
export type Spec = Static<typeof Spec>
export type Shop = Static<typeof Shop>
export type ConvertedLink = Static<typeof ConvertedLink>
export type OrderLine = Static<typeof OrderLine>

// Failures: one table, whatever the platforms call them.

export interface FailureRow {
  /** Counts against the source's circuit: the source itself fails, not this one question. */
  readonly opensCircuit: boolean
  /** The same read may work at once. */
  readonly retry: boolean
  readonly says: string
}

const row = (says: string, opensCircuit = false, retry = false): FailureRow =>
  ({ says, opensCircuit, retry })

export const FAILURES = {
  rate_limited: row('takes no more calls for a while'),
  quota: row('has used up the day\'s calls'),
  retryable: row('had a passing fault', true, true),
  auth: row('did not accept the credentials or the signature'),
  clock: row('did not accept the time of this machine'),
  permission: row('has not granted this operation to the application'),
  registration: row('wants the promotion position to be registered first'),
  not_found: row('does not know the item'),
  invalid_arg: row('cannot take these arguments'),
  forbidden: row('has blocked the application'),
  timeout: row('did not answer in time', true),
  network: row('could not be reached', true, true),
  bad_answer: row('answered something that is not its format', true),
  too_large: row('answered more than is read', true),
  open: row('failed too often and is left alone for a while'),
  busy: row('has too many calls waiting here'),
  aborted: row('was not waited for'),
} as const satisfies Record<string, FailureRow>

export type FailureKind = keyof typeof FAILURES

/** A platform's codes by what they mean, as a table to look them up in. */
export const kindsByCode = (
  codes: Partial<Record<FailureKind, readonly number[]>>,
): ReadonlyMap<number, FailureKind> => new Map(Object.entries(codes).flatMap(([kind, of]) =>
  of.map((code) => [code, kind as FailureKind] as const)))

export interface FailureDetail {
  readonly retryAfterMs?: number
  /** The platform's own code, for the operator. */
  readonly code?: string | number
  /** Where a person removes the cause, such as a registration page. */
  readonly link?: string
  readonly cause?: unknown
}

const CODE_LENGTH_MAX = 64

/** What a platform said went wrong; its own words stay out, since they may be anything. */
export class SourceError extends Error {
  readonly source: string
  readonly kind: FailureKind
  readonly retryAfterMs: number | undefined
  readonly code: string | undefined
  readonly link: string | undefined

  constructor(source: string, kind: FailureKind, detail: FailureDetail = {}) {
    super(`${source} ${FAILURES[kind].says}`, { cause: detail.cause })
    this.name = 'SourceError'
    this.source = source
    this.kind = kind
    this.retryAfterMs = detail.retryAfterMs
    this.code = detail.code === undefined ? undefined
      : String(detail.code).replaceAll(/[^\w.:-]/g, '').slice(0, CODE_LENGTH_MAX)
    this.link = detail.link
  }
}
