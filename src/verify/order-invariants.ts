/** What must be true of every order by itself. */
import { partitionOfOrder } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import { isOpenAftersale } from '../orders/aftersale-record.ts'
import {
  isWayOfAftersale, openOf, pathEnds, STATUSES, type AftersaleStatus, type PathEnd, type Status,
} from '../orders/states.ts'
import { ledger as keys, partitionOf } from '../redis/keys.ts'
import { isPast, type PartitionView, type StoredOrder } from './partition.ts'
import type { Violation } from './report.ts'
import { scoreOf } from '../orders/by-status.ts'
import { isAfter } from '../redis/streams.ts'
import { claimKey } from '../orders/place-order.ts'
import type { RedisClient } from '../redis/connect.ts'
import { runMany, type KeyCommand } from '../redis/send.ts'

interface OrderRow {
  readonly invariant: string
  /** One sentence for people. */
  readonly says: string
  /** What is wrong; undefined where nothing is. */
  readonly wrong: (order: StoredOrder, context: Context) => string | undefined
}

interface Context {
  readonly secrets: Pick<Secrets, 'orderNo' | 'ids'>
  /** Where a legal timeline with these events can end. */
  readonly standings: readonly PathEnd[]
}

const RECORD: OrderRow = {
  invariant: 'record',
  says: 'The record of an order is whole and readable.',
  wrong: ({ flaws }) => (flaws.length === 0 ? undefined
    : `missing or unreadable: ${flaws.join(', ')}`),
}

/** Where its record is not whole, nothing else is held against an order. */
export const ORDER_INVARIANTS: readonly OrderRow[] = [
  RECORD,
  {
    invariant: 'order_no',
    says: 'An order number is the one that its key derives from agent, attempt and product.',
    wrong: ({ orderNo, agent, attempt, productId }, { secrets }) =>
      (secrets.orderNo(agent, attempt, productId) === orderNo ? undefined
        : 'is not derived from its agent, attempt and product'),
  },
  {
    invariant: 'sealed',
    says: 'A receiver is sealed under a secret that SECRET names.',
    wrong: ({ sealedUnder }, { secrets }) =>
      (sealedUnder === undefined || secrets.ids.includes(sealedUnder) ? undefined
        : `SECRET does not name the secret ${sealedUnder}`),
  },
  {
    invariant: 'partition',
    says: 'An order lives in the partition of its product.',
    wrong: ({ orderNo, productId }) => (partitionOfOrder(orderNo) === partitionOf(productId)
      ? undefined : `product ${productId} is of another partition`),
  },
  {
    invariant: 'amount',
    says: 'The amount is the price times the quantity, and the freight.',
    wrong: ({ amount, unitPrice, qty, freight }) => (amount === unitPrice * qty + freight
      ? undefined : `${amount} is not ${unitPrice} x ${qty} + ${freight}`),
  },
  {
    invariant: 'timeline',
    says: 'The events are a path of the state table, their times never go back.',
    wrong: ({ events }, { standings }) => {
      const isAscending = events.every(({ at }, index) => at >= (events[index - 1]?.at ?? 0))
      return !isAscending ? 'its times go back'
        : standings.length > 0 ? undefined
          : `${events.map(({ event }) => event).join(', ')} is no path of the table`
    },
  },
  {
    invariant: 'status',
    says: 'The status is one that the events lead to.',
    wrong: ({ status }, { standings }) =>
      (standings.length === 0 || standings.some((one) => one.status === status) ? undefined
        : `${STATUSES.includes(status) ? status : 'an unknown status'} does not follow its events`),
  },
  {
    invariant: 'held',
    says: 'An order holds all its units, or none once they went back.',
    wrong: (order, { standings }) => {
      const { status, held, qty } = order
      const fitting = standings.filter((one) => isAt(order, one))
      return fitting.length === 0 || fitting.some(({ holds }) => held === (holds ? qty : 0))
        ? undefined : `${held} of ${qty} held at ${status}`
    },
  },
  {
    invariant: 'archived',
    says: 'What the ledger keeps of an order in the archive is what the archive has.',
    wrong: ({ differing }) => (differing.length === 0 ? undefined
      : `differs in ${differing.join(', ')}`),
  },
  {
    invariant: 'payment',
    says: 'Money that was taken pays its order once, or it goes back, or it is planned to.',
    wrong: paymentDetail,
  },
  {
    invariant: 'aftersale',
    says: 'After-sales go the table\'s way, at most one is open, and the order names the last.',
    wrong: (order, { standings }) => {
      const { aftersales, afterId, afterStatus, afterType, status } = order
      const last = aftersales.find(({ id }) => id === afterId)
      const requested = order.events.filter(({ event }) => event === 'aftersale_requested').length
      if (aftersales.filter(isOpenAftersale).length > 1) return 'more than one is open'
      if (aftersales.length !== requested) {
        return `${aftersales.length} records, ${requested} events`
      }
      if ((afterId === null) !== (last === undefined)) return 'the one it names has no record'
      if (last && (last.status !== afterStatus || last.given.type !== afterType)) {
        return 'order and record do not agree'
      }
      if (aftersales.some((one) => one.id !== afterId && isOpenAftersale(one))) {
        return 'one is open that the order does not name'
      }
      if (!aftersales.every(isWayOfAftersale)) return 'its way is not in the table'
      const reached = standings.filter((one) => one.status === status)
      return reached.length === 0 || reached.some((one) => isAt(order, one)) ? undefined
        : `${afterStatus ?? 'none'} does not go with ${status}`
    },
  },
]

/** Holds the order against the records of what providers took for it and gave back. */
function paymentDetail(order: StoredOrder): string | undefined {
  const { payments, paidWith, amount, status, events, refund, isRefundPlanned } = order
  const paying = payments.filter(({ why }) => why === undefined)
  const [payment] = paying
  const isOver = status === 'closed' || status === 'refunded'
  if (paying.length > 1) return `${paying.length} payments pay it`
  if ((payment?.name ?? null) !== paidWith) {
    return `paid with ${paidWith ?? 'none'}, and ${payment?.name ?? 'none'} is recorded as applied`
  }
  if (payment && payment.amount !== amount) return `paid ${payment.amount} of ${amount}`
  if (payment && !events.some(({ event }) => event === 'paid')) return 'its payment has no event'
  for (const { name, via, paymentId, why, status: is, amount: taken, returned } of payments) {
    if (name !== `${via}:${paymentId}`) return `${name} is not what its provider said`
    if (is === 'returned' && why === undefined && !isOver) return `${name} went back at ${status}`
    const owed = why === undefined ? Math.min(refund ?? taken, taken) : taken
    if (is === 'returned' && returned !== owed) return `${returned} of ${owed} of ${name} went back`
    const hasToGo = is === 'stray' || is === 'applied' && isOver
    if (hasToGo && !isRefundPlanned) return `${name} has to go back, and nobody will`
  }
  return sumsDetail(order)
}

function sumsDetail({ payments, stray, givenBack }: StoredOrder): string | undefined {
  const own = payments.filter(({ currency, why }) => currency === 'CNY' && why !== 'unknown')
  const strays = own.reduce((sum, { why, amount }) => sum + (why === undefined ? 0 : amount), 0)
  const returned = own.reduce((sum, one) => sum + (one.returned ?? 0), 0)
  if (strays !== stray) return `${stray} counted as paying nothing, ${strays} recorded`
  return givenBack === returned ? undefined
    : `${givenBack} counted as given back, ${returned} recorded`
}

const isAt = (order: StoredOrder, { status, after, type }: PathEnd): boolean =>
  status === order.status && after === order.afterStatus && type === order.afterType

export function orderViolations(
  order: StoredOrder, secrets: Pick<Secrets, 'orderNo' | 'ids'>,
): Violation[] {
  const { orderNo, flaws, events, expiresAt } = order
  const context = { secrets, standings: pathEnds(events, expiresAt) }
  const rows = flaws.length > 0 ? [RECORD] : ORDER_INVARIANTS
  return rows.flatMap(({ invariant, wrong }) => {
    const detail = wrong(order, context)
    return detail === undefined ? [] : [{ invariant, subject: orderNo, detail }]
  })
}

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
  readonly isArchived: boolean
}

interface PartitionFacts {
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
    says: 'The index by status has exactly the paid orders of the ledger, by status and time.',
    * wrong({ view: { byStatus }, orders }) {
      if (!byStatus) return
      for (const [orderNo, { status, isFading, createdAt, isArchived }] of orders) {
        const isIndexed = status !== 'pending_payment' && !isArchived
          && !(status === 'closed' && isFading)
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

export const ELSEWHERE_INVARIANTS = {
  claim: 'The claim on an order\'s key is there and names this order: one order an attempt.',
  claim_kept: 'The claim is kept as long as the order once the worker has passed the order.',
  listed: 'An order is in its agent\'s list, by its time, once the worker has passed it.',
} as const

/** `view` was read before the orders: what it says was done is done. */
export async function elsewhereViolations(
  ledger: RedisClient, orders: readonly StoredOrder[], view: PartitionView,
): Promise<Violation[]> {
  const replies = await runMany(ledger, orders.flatMap(({ orderNo, agent, attempt }) => {
    const claim = claimKey(agent, attempt)
    return [
      ['get', claim], ['ttl', claim], ['zscore', keys.agentOrders(agent), orderNo],
    ] satisfies KeyCommand[]
  }))
  const aside = new Set(view.aside.map(({ event }) => event.orderNo))
  return orders.flatMap((order, index) => {
    const [claim, ttl, score] = replies.slice(index * 3, index * 3 + 3)
    const { orderNo: subject, fingerprint } = order
    const found: Violation[] = []
    const bad = (invariant: keyof typeof ELSEWHERE_INVARIANTS, detail: string): void => {
      found.push({ invariant, subject, detail })
    }
    if (claim === null) bad('claim', 'is missing')
    else if (!isBoundTo(String(claim), fingerprint, subject)) {
      bad('claim', 'names another order or request')
    }
    if (!isPast(view, order.createdAt) || aside.has(subject)) return found
    if (claim !== null && !order.isFading && ttl !== -1) {
      bad('claim_kept', `ends in ${String(ttl)} s`)
    }
    if (score === null) bad('listed', 'is not in the list')
    else if (Number(score) !== order.createdAt) bad('listed', 'has another time in the list')
    return found
  })
}

/** A third word says when the claim ends. */
const isBoundTo = (claim: string, fingerprint: string, orderNo: string): boolean =>
  claim === `${fingerprint} ${orderNo}` || claim.startsWith(`${fingerprint} ${orderNo} `)
