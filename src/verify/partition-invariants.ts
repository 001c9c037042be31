/** What must be true of a partition: its stock, and its lists of orders by time. */
import { scoreOf } from '../orders/by-status.ts'
import { openOf, type AftersaleStatus, type Status } from '../orders/states.ts'
import { isAfter } from '../redis/streams.ts'
import type { PartitionView } from './partition.ts'
import type { Violation } from './report.ts'

/** What is remembered of each order until its partition was read. */
export interface OrderNote {
  readonly productId: number
  readonly status: Status
  readonly held: number
  readonly expiresAt: number
  readonly afterStatus: AftersaleStatus | null
  readonly agent: string
  readonly isFading: boolean
  readonly trialHeld: number
  readonly createdAt: number
}

export interface PartitionFacts {
  readonly view: PartitionView
  readonly orders: ReadonlyMap<string, OrderNote>
  /** The ledger's clock, ms. */
  readonly now: number
}

interface PartitionRow {
  readonly invariant: string
  readonly says: string
  /** Pairs of an order number or product id and what is wrong with it. */
  readonly wrong: (facts: PartitionFacts) => Iterable<readonly [string | number, string]>
}

/** An unpaid order is closed in the minute after its window. */
const OVERDUE_MS = 60_000

export const PARTITION_INVARIANTS: readonly PartitionRow[] = [
  {
    invariant: 'stock',
    says: 'Stock is never below zero.',
    * wrong({ view }) {
      for (const [product, units] of view.stock) {
        if (!(Number.isInteger(units) && units >= 0)) yield [product, `stock is ${units}`]
      }
    },
  },
  {
    invariant: 'supplied',
    says: 'What was supplied is in stock, or held or consumed by orders.',
    * wrong({ view: { stock, supplied }, orders }) {
      const held = new Map<number, number>()
      for (const order of orders.values()) {
        held.set(order.productId, (held.get(order.productId) ?? 0) + order.held)
      }
      for (const product of new Set([...stock.keys(), ...supplied.keys(), ...held.keys()])) {
        const units = [supplied, stock, held].map((of) => of.get(product) ?? 0)
        const [given = 0, left = 0, taken = 0] = units
        if (given !== left + taken) {
          yield [product, `supplied ${given}, in stock ${left}, with orders ${taken}`]
        }
      }
    },
  },
  {
    invariant: 'unpaid',
    says: 'The list of unpaid orders has exactly the pending ones, each by the end of its window.',
    * wrong({ view: { unpaid }, orders }) {
      for (const [orderNo, { status, expiresAt }] of orders) {
        const score = unpaid.get(orderNo)
        if (status === 'pending_payment' && score !== expiresAt) {
          yield [orderNo, score === undefined ? 'is pending and not listed' : 'has another time']
        } else if (status !== 'pending_payment' && score !== undefined) {
          yield [orderNo, `is listed at ${status}`]
        }
      }
      for (const orderNo of unpaid.keys()) if (!orders.has(orderNo)) yield [orderNo, 'is no order']
    },
  },
  {
    invariant: 'overdue',
    says: 'An unpaid order is closed in the minute after its window.',
    * wrong({ view: { unpaid }, now }) {
      for (const [orderNo, expiresAt] of unpaid) {
        if (now - expiresAt > OVERDUE_MS) {
          yield [orderNo, `unpaid ${Math.floor((now - expiresAt) / 1000)} s after its window`]
        }
      }
    },
  },
  {
    invariant: 'due',
    says: 'What is planned is planned for an order, or for its open after-sale.',
    * wrong({ view: { due, afterDue }, orders }) {
      for (const orderNo of due.keys()) if (!orders.has(orderNo)) yield [orderNo, 'is no order']
      for (const orderNo of afterDue.keys()) {
        const order = orders.get(orderNo)
        if (!order) yield [orderNo, 'is no order']
        else if (openOf(order.afterStatus ?? undefined) === 'none') {
          yield [orderNo, 'has no open after-sale']
        }
      }
    },
  },
  {
    invariant: 'fading',
    says: 'What is dropped after a time was closed unpaid, and is on the list of such orders.',
    * wrong({ view: { fading }, orders }) {
      for (const [orderNo, { isFading, status, agent }] of orders) {
        if (!isFading) continue
        if (status !== 'closed') yield [orderNo, `would be dropped at ${status}`]
        if (!fading.has(`${orderNo} ${agent}`)) yield [orderNo, 'is not listed']
      }
      for (const name of fading.keys()) {
        const [orderNo = ''] = name.split(' ')
        if (orders.get(orderNo)?.isFading === false) yield [orderNo, 'is listed and has no end']
      }
    },
  },
  {
    invariant: 'by_status',
    says: 'The index by status has exactly the orders that were paid, by status and time.',
    * wrong({ view: { byStatus }, orders }) {
      if (!byStatus) return
      for (const [orderNo, { status, isFading, createdAt }] of orders) {
        const isIndexed = status !== 'pending_payment' && !(status === 'closed' && isFading)
        const score = byStatus.get(orderNo)
        if (score === (isIndexed ? scoreOf(status, createdAt) : undefined)) continue
        yield [orderNo, score === undefined ? `is not listed at ${status}`
          : `is listed elsewhere at ${status}`]
      }
      for (const orderNo of byStatus.keys()) {
        if (!orders.has(orderNo)) yield [orderNo, 'is no order']
      }
    },
  },
  {
    invariant: 'trial_held',
    says: 'What trial keys hold of a product is what their unpaid orders hold.',
    * wrong({ view: { trialHeld }, orders }) {
      const held = new Map<number, number>()
      for (const [orderNo, order] of orders) {
        if (order.trialHeld === 0) continue
        if (order.status !== 'pending_payment') yield [orderNo, `counts at ${order.status}`]
        held.set(order.productId, (held.get(order.productId) ?? 0) + order.trialHeld)
      }
      for (const product of new Set([...trialHeld.keys(), ...held.keys()])) {
        const [counted, found] = [trialHeld.get(product) ?? 0, held.get(product) ?? 0]
        if (counted !== found) yield [product, `trial keys hold ${found}, counted ${counted}`]
      }
    },
  },
  {
    invariant: 'progress',
    says: 'No consumer is ahead of its outbox.',
    * wrong({ view: { partition, progress, lastId } }) {
      for (const [consumer, id] of progress) {
        if (isAfter(id, lastId)) yield [`p${partition}`, `${consumer} is at ${id}, past ${lastId}`]
      }
    },
  },
]

export function partitionViolations(facts: PartitionFacts): Violation[] {
  return PARTITION_INVARIANTS.flatMap(({ invariant, wrong }) => [...wrong(facts)]
    .map(([subject, detail]) => ({ invariant, subject: String(subject), detail })))
}
