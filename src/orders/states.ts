/** The life of an order as one table. Scripts, driver, answers and tests read it from here. */

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

export interface Move {
  readonly from: readonly Status[]
  /** Null leaves the status as it is. */
  readonly to: Status | null
  /** Null adds nothing to the timeline. */
  readonly event: EventName | null
  /** `return` gives the units that the order still holds back to the stock, once. */
  readonly stock: 'return' | null
  /** What the payment window must be when the move is made. */
  readonly window: 'open' | 'over' | null
  readonly who: 'payer' | 'merchant' | 'agent' | 'clock'
}

/**
 * In the sandbox the driver is the merchant. Units go back when an order ends before shipping;
 * after shipping only when the returned goods were received.
 */
export const MOVES = {
  pay: row(['pending_payment'], 'paid', 'paid', null, 'payer', 'open'),
  expire: row(['pending_payment'], 'closed', 'closed', 'return', 'clock', 'over'),
  cancel: row(['pending_payment', 'paid', 'merchant_accepted'],
    'closed', 'closed', 'return', 'agent'),
  accept: row(['paid'], 'merchant_accepted', 'merchant_accepted', null, 'merchant'),
  ship: row(['merchant_accepted'], 'shipped', 'shipped', null, 'merchant'),
  deliver: row(['shipped'], 'delivered', 'delivered', null, 'merchant'),
  complete: row(['delivered'], 'completed', 'completed', null, 'clock'),
  request_aftersale: row(['paid', 'merchant_accepted', 'shipped', 'delivered'],
    null, 'aftersale_requested', null, 'agent'),
  refund_unshipped: row(['paid', 'merchant_accepted'],
    'refunded', 'refunded', 'return', 'merchant'),
  start_refund: row(['shipped', 'delivered'], 'refunding', null, null, 'merchant'),
  refund_kept: row(['refunding'], 'refunded', 'refunded', null, 'merchant'),
  refund_returned: row(['refunding'], 'refunded', 'refunded', 'return', 'merchant'),
} as const satisfies Record<string, Move>

export type MoveName = keyof typeof MOVES

const LEFT = new Set<Status>(
  Object.values<Move>(MOVES).filter(({ to }) => to !== null).flatMap(({ from }) => from))

/** Whether no move leaves it. */
export const isFinal = (status: Status): boolean => !LEFT.has(status)

function row(
  from: readonly Status[], to: Status | null, event: EventName | null, stock: 'return' | null,
  who: Move['who'], window: Move['window'] = null,
): Move {
  return { from, to, event, stock, window, who }
}
