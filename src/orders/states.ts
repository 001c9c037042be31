import type { AftersaleRecord } from './aftersale-record.ts'
import type { OrderEvent } from './record.ts'

/**
 * The life of an order and of its after-sale as one table. Scripts, driver, answers, commands
 * and tests read it from here.
 */

export const STATUSES = [
  'pending_payment', 'paid', 'merchant_accepted', 'shipped', 'delivered', 'completed', 'closed',
  'refunding', 'refunded',
] as const
export type Status = (typeof STATUSES)[number]

export const EVENTS = [
  'created', 'paid', 'merchant_accepted', 'shipped', 'delivered', 'completed', 'closed',
  'aftersale_requested', 'refunded',
] as const
export type EventName = (typeof EVENTS)[number]

export const AFTERSALE_STATUSES = [
  'requested', 'approved', 'pickup_booked', 'returning', 'received', 'refunded', 'rejected',
  'cancelled',
] as const
export type AftersaleStatus = (typeof AFTERSALE_STATUSES)[number]

export const AFTERSALE_TYPES = ['refund_only', 'return_refund'] as const
export type AftersaleType = (typeof AFTERSALE_TYPES)[number]

/** An order with an after-sale in one of these may have another. */
export const ENDED: readonly AftersaleStatus[] = ['refunded', 'rejected', 'cancelled']

export interface MoveRow {
  readonly from: readonly Status[]
  /** Null leaves the status as it is. */
  readonly to: Status | null
  /** What it adds to the timeline, at one moment. */
  readonly events: readonly EventName[]
  /** `return` gives the units that the order still holds back to the stock, once. */
  readonly stock: 'return' | null
  /** What the payment window must be when the move is made. */
  readonly window: 'open' | 'over' | null
  /** `operator`: an exception that no caller can ask for. */
  readonly who: 'payer' | 'merchant' | 'agent' | 'clock' | 'operator'
  /** Absent where the order's after-sale plays no part. */
  readonly aftersale?: AftersaleMove
}

interface AftersaleMove {
  /** Where the latest after-sale must stand; `none` is no open one. */
  readonly from: readonly (AftersaleStatus | 'none')[]
  /** Null leaves it; from `none` it begins one. */
  readonly to: AftersaleStatus | null
  /** Absent where either will do. */
  readonly type?: AftersaleType
}

const UNSHIPPED = ['paid', 'merchant_accepted'] as const
const SENT = ['shipped', 'delivered'] as const

/**
 * In the sandbox the driver is the merchant. Units go back when an order ends before shipping;
 * after shipping only when the returned goods were received. An open after-sale leaves the
 * order's own way alone until the refund is decided; only completion waits for it.
 */
export const MOVES = {
  pay: row('payer', ['pending_payment'], 'paid', ['paid'], { window: 'open' }),
  expire: row('clock', ['pending_payment'], 'closed', ['closed'],
    { window: 'over', stock: 'return' }),
  cancel: row('agent', ['pending_payment'], 'closed', ['closed'], { stock: 'return' }),
  // What was paid is given back, and the earnings follow from the event.
  cancel_paid: row('agent', UNSHIPPED, 'closed', ['closed', 'refunded'], { stock: 'return' }),
  accept: row('merchant', ['paid'], 'merchant_accepted', ['merchant_accepted']),
  ship: row('merchant', ['merchant_accepted'], 'shipped', ['shipped']),
  deliver: row('merchant', ['shipped'], 'delivered', ['delivered']),
  complete: row('clock', ['delivered'], 'completed', ['completed'],
    { aftersale: { from: ['none'], to: null } }),

  /** The merchant cannot supply it, or the parcel was lost. */
  refund_unshipped: row('merchant', UNSHIPPED, 'refunded', ['refunded'], { stock: 'return' }),
  refund_sent: row('merchant', SENT, 'refunding', [], { aftersale: { from: ['none'], to: null } }),
  finish_refund: row('merchant', ['refunding'], 'refunded', ['refunded'],
    { aftersale: { from: ['none'], to: null } }),

  /** The goods stay where they are; whoever earned by the order loses the commission. */
  refund_completed: row('operator', ['completed'], 'refunded', ['refunded']),

  /** Before shipping there is nothing to examine: requested and refunded in one. */
  request_refund: row('agent', UNSHIPPED, 'refunded', ['aftersale_requested', 'refunded'],
    { stock: 'return', aftersale: { from: ['none'], to: 'refunded', type: 'refund_only' } }),
  request_aftersale: row('agent', SENT, null, ['aftersale_requested'],
    { aftersale: { from: ['none'], to: 'requested' } }),
  withdraw: row('agent', SENT, null, [],
    { aftersale: { from: ['requested', 'approved', 'pickup_booked'], to: 'cancelled' } }),
  reject: row('merchant', SENT, null, [],
    { aftersale: { from: ['requested', 'approved', 'pickup_booked'], to: 'rejected' } }),
  approve_refund: row('merchant', SENT, 'refunding', [],
    { aftersale: { from: ['requested'], to: 'approved', type: 'refund_only' } }),
  approve_return: row('merchant', SENT, null, [],
    { aftersale: { from: ['requested'], to: 'approved', type: 'return_refund' } }),
  book_pickup: row('merchant', SENT, null, [],
    { aftersale: { from: ['approved'], to: 'pickup_booked', type: 'return_refund' } }),
  collect: row('merchant', SENT, null, [],
    { aftersale: { from: ['approved', 'pickup_booked'], to: 'returning', type: 'return_refund' } }),
  receive: row('merchant', SENT, 'refunding', [],
    { aftersale: { from: ['returning'], to: 'received', type: 'return_refund' } }),
  refund_kept: row('merchant', ['refunding'], 'refunded', ['refunded'],
    { aftersale: { from: ['approved'], to: 'refunded', type: 'refund_only' } }),
  refund_returned: row('merchant', ['refunding'], 'refunded', ['refunded'],
    { stock: 'return', aftersale: { from: ['received'], to: 'refunded', type: 'return_refund' } }),
} as const satisfies Record<string, MoveRow>

export type MoveName = keyof typeof MOVES

const LEFT = new Set<Status>(Object.values<MoveRow>(MOVES)
  .filter(({ to, who }) => to !== null && who !== 'operator').flatMap(({ from }) => from))

/** Whether no move leaves it but an exception of the operator's. */
export const isFinal = (status: Status): boolean => !LEFT.has(status)

/** The open after-sale's status, or `none`: what a row's `aftersale.from` speaks of. */
export const openOf = (status: AftersaleStatus | undefined): AftersaleStatus | 'none' =>
  (status === undefined || ENDED.includes(status) ? 'none' : status)

function row(
  who: MoveRow['who'], from: readonly Status[], to: Status | null, events: readonly EventName[],
  more: Partial<Pick<MoveRow, 'stock' | 'window' | 'aftersale'>> = {},
): MoveRow {
  return { who, from, to, events, stock: null, window: null, ...more }
}

/** Where an order can stand, with its latest after-sale, and whether it still holds its units. */
export interface PathEnd {
  readonly status: Status
  readonly after: AftersaleStatus | null
  readonly type: AftersaleType | null
  readonly holds: boolean
}

const ROWS = Object.values<MoveRow>(MOVES)
const START: PathEnd = { status: 'pending_payment', after: null, type: null, holds: true }

/**
 * All standings that a legal path with these events can end in; none where there is no such path.
 * Moves that add nothing to the timeline may have been made anywhere between.
 */
export function pathEnds(events: readonly OrderEvent[], expiresAt: number): PathEnd[] {
  if (events[0]?.event !== 'created') return []
  const places = new Map<number, Map<string, PathEnd>>([[1, silently([START])]])
  for (let at = 1; at < events.length; at += 1) {
    const here = [...places.get(at)?.values() ?? []]
    for (const row of ROWS) {
      if (!matches(row, events, at, expiresAt)) continue
      const next = at + row.events.length
      const reached = silently(here.flatMap((standing) => after(standing, row)))
      places.set(next, new Map([...places.get(next) ?? [], ...reached]))
    }
    places.delete(at)
  }
  return [...places.get(events.length)?.values() ?? []]
}

/** Whether the row's events stand here, all of one moment, with the payment window as it asks. */
function matches(
  row: MoveRow, events: readonly OrderEvent[], at: number, expiresAt: number,
): boolean {
  const time = events[at]?.at ?? 0
  return row.events.length > 0
    && row.events.every((event, index) => {
      const found = events[at + index]
      return found?.event === event && found.at === time
    })
    && (row.window === null || (row.window === 'open') === time < expiresAt)
}

function silently(from: readonly PathEnd[]): Map<string, PathEnd> {
  const reached = new Map<string, PathEnd>()
  const waiting = [...from]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const name = `${next.status} ${next.after} ${next.type} ${next.holds}`
    if (reached.has(name)) continue
    reached.set(name, next)
    for (const row of ROWS) if (row.events.length === 0) waiting.push(...after(next, row))
  }
  return reached
}

/** What the row makes of a standing; nothing where it does not allow it. */
function after(standing: PathEnd, row: MoveRow): PathEnd[] {
  if (!row.from.includes(standing.status)) return []
  const moved = {
    ...standing, status: row.to ?? standing.status,
    holds: standing.holds && row.stock !== 'return',
  }
  const { aftersale } = row
  if (!aftersale) return [moved]
  const open = openOf(standing.after ?? undefined)
  if (!aftersale.from.includes(open)) return []
  if (aftersale.to === null) return [moved]
  const types = aftersale.type ? [aftersale.type] : open === 'none' ? AFTERSALE_TYPES
    : [standing.type]
  return types.filter((type) => open === 'none' || type === standing.type)
    .map((type) => ({ ...moved, after: aftersale.to, type }))
}

/** Whether an after-sale's own times are those of a way through the table, up to its status. */
export function isWayOfAftersale({ status, given, timeline }: AftersaleRecord): boolean {
  const allows = (from: AftersaleStatus | 'none', to: AftersaleStatus): boolean =>
    ROWS.some(({ aftersale }) => aftersale?.to === to && aftersale.from.includes(from)
      && (aftersale.type === undefined || aftersale.type === given.type))
  return timeline.at(-1)?.status === status && timeline[0]?.status === 'requested'
    && timeline.every(({ status: to }, index) => {
      const before = timeline[index - 1]
      if (!before) return true
      // What begins and ends in one move has the moment of its request noted beside its end.
      return allows(before.status, to)
        || (index === 1 && before.at === timeline[1]?.at && allows('none', to))
    })
}
