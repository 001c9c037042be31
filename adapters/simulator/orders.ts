/** Purchases in a simulated mall: they appear after a click, and their states move. */
import type { Clock } from '../time.ts'
import type { SimOffer } from './catalogue.ts'

export const SIM_STATES =
  ['pending', 'paid', 'received', 'settled', 'refunded', 'punished'] as const
export type SimState = (typeof SIM_STATES)[number]

/** What a promotion link carries. */
export interface SimClick {
  readonly index: number
  readonly subId: string
  /** Whatever else the mall echoes: position, site. */
  readonly echo: Readonly<Record<string, string>>
}

export interface SimOrder extends SimClick {
  readonly number: number
  readonly offer: SimOffer
  readonly qty: number
  /** Fen. */
  readonly amount: number
  readonly commission: number
  readonly orderedAt: number
  state: SimState
  updatedAt: number
  readonly reached: Partial<Record<SimState, number>>
}

export interface SimOrders {
  purchase(click: SimClick, offer: SimOffer, qty: number): SimOrder
  move(number: number, state: SimState): SimOrder | null
  /** By time of update in whole seconds, both ends included, as gateways compare. */
  updatedWithin(from: number, to: number): readonly SimOrder[]
}

/** Oldest orders are forgotten beyond this many. */
const ORDERS_MAX = 100_000
const FIRST_NUMBER = 280_000_000_000

/** With a pace, a paid order is received, and then settled, after so much time each. */
export function createSimOrders(clock: Clock, paceMs: number | null): SimOrders {
  const orders = new Map<number, SimOrder>()
  // Another start must not give a number again: who reads orders would take it for the same one.
  let next = FIRST_NUMBER + Math.floor(clock.now() / 1000)

  function set(order: SimOrder, state: SimState, at: number): void {
    order.state = state
    order.updatedAt = at
    order.reached[state] = at
  }

  function keepPace(order: SimOrder): void {
    if (paceMs === null) return
    for (const [state, then] of [['paid', 'received'], ['received', 'settled']] as const) {
      const due = order.updatedAt + paceMs
      if (order.state === state && due <= clock.now()) set(order, then, due)
    }
  }

  return {
    purchase(click, offer, qty) {
      const at = clock.now()
      const amount = offer.expected.payable * qty
      const order: SimOrder = {
        ...click, number: next, offer, qty, amount, orderedAt: at,
        commission: Math.floor(amount * offer.commissionBps / 10_000),
        state: 'paid', updatedAt: at, reached: { pending: at, paid: at },
      }
      orders.set(next, order)
      next += 1
      const oldest = orders.size > ORDERS_MAX ? orders.keys().next().value : undefined
      if (oldest !== undefined) orders.delete(oldest)
      return order
    },
    move(number, state) {
      const order = orders.get(number)
      if (order) set(order, state, clock.now())
      return order ?? null
    },
    updatedWithin(from, to) {
      const seconds = (ms: number): number => Math.floor(ms / 1000)
      const found: SimOrder[] = []
      for (const order of orders.values()) {
        keepPace(order)
        const at = seconds(order.updatedAt)
        if (at >= seconds(from) && at <= seconds(to)) found.push(order)
      }
      return found.sort((a, b) => a.updatedAt - b.updatedAt || a.number - b.number)
    },
  }
}
