/** Purchases in a simulated mall: they appear after a click, and their states move. */
import { randomInt } from 'node:crypto'
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
  /** Whether a promotion link led to it: the mall lists no others for affiliates. */
  readonly isTracked: boolean
  state: SimState
  updatedAt: number
  readonly reached: Partial<Record<SimState, number>>
}

/** One of an order's times; undefined before it. */
export type SimTime = (order: SimOrder) => number | undefined
const byUpdate = ({ updatedAt }: SimOrder): number => updatedAt

export interface SimOrders {
  /** Without a click no agent is credited, and the order is on no affiliate's list. */
  purchase(click: SimClick | null, offer: SimOffer, qty: number): SimOrder
  get(number: number): SimOrder | null
  move(number: number, state: SimState): SimOrder | null
  /** In whole seconds, both ends included, as gateways compare; by update without `timeOf`. */
  within(from: number, to: number, timeOf?: SimTime): readonly SimOrder[]
}

/** The oldest orders are dropped beyond this many. */
const ORDERS_MAX = 100_000
const NUMBERS_A_MS = 1000

/** With a pace, a paid order is received, and then settled, after so much time each. */
export function createSimOrders(clock: Clock, paceMs: number | null): SimOrders {
  const orders = new Map<number, SimOrder>()
  let last = 0

  /** Unique over restarts and hosts: readers would take a repeated number for the same order. */
  function nextNumber(): number {
    last = Math.max(last + 1, Math.floor(clock.now()) * NUMBERS_A_MS + randomInt(NUMBERS_A_MS))
    return last
  }

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
        ...click ?? { index: offer.product.index, subId: '', echo: {} },
        number: nextNumber(), offer, qty, amount, orderedAt: at, isTracked: click !== null,
        commission: Math.floor(amount * offer.commissionBps / 10_000),
        state: 'paid', updatedAt: at, reached: { pending: at, paid: at },
      }
      orders.set(order.number, order)
      const oldest = orders.size > ORDERS_MAX ? orders.keys().next().value : undefined
      if (oldest !== undefined) orders.delete(oldest)
      return order
    },
    get(number) {
      const order = orders.get(number)
      if (order) keepPace(order)
      return order ?? null
    },
    move(number, state) {
      const order = orders.get(number)
      if (order) set(order, state, clock.now())
      return order ?? null
    },
    within(from, to, timeOf = byUpdate) {
      const seconds = (ms: number): number => Math.floor(ms / 1000)
      const found: { order: SimOrder, at: number }[] = []
      for (const order of orders.values()) {
        keepPace(order)
        const at = timeOf(order)
        if (!order.isTracked || at === undefined) continue
        if (seconds(at) >= seconds(from) && seconds(at) <= seconds(to)) found.push({ order, at })
      }
      return found.sort((a, b) => a.at - b.at || a.order.number - b.order.number)
        .map(({ order }) => order)
    },
  }
}
