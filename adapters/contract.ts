/** What a source of goods can do. An adapter implements it; `guard.ts` holds it to its word. */
import type { Payer } from './budget.ts'
import type { ConvertedLink, Item, OrderLine, Shop, SourceName } from './normal.ts'

export type * from './normal.ts'
export type { Clock } from './time.ts'
export { FAILURES, SourceError, type FailureKind } from './failure.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** From the call to the answer, waiting included. Default: the client's `totalMs`. */
  readonly deadlineMs?: number
  /** How long to wait for a turn in the call budget. Jobs are patient, people are not. */
  readonly waitMs?: number
  /** Whose share of the call budget it uses; without one it is the operator's own. */
  readonly payer?: Payer
}

export const SORTS = ['relevance', 'price_asc', 'price_desc', 'sales'] as const
export type Sort = (typeof SORTS)[number]

export interface SearchQuery {
  readonly q: string
  readonly page: number
  readonly pageSize: number
  readonly sort?: Sort
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
  /** Every change before this time has been handed out: what a reader keeps as its place. */
  readonly through: number
}

export interface Capabilities {
  readonly pageSizeMax: number
  /** page × pageSize reaches no further. */
  readonly depthMax: number
  readonly sorts: readonly Sort[]
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
