/** What must be true of every order by itself. */
import { partitionOfOrder } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import { isOpen } from '../orders/aftersale-record.ts'
import { STATUSES } from '../orders/states.ts'
import { partitionOf } from '../redis/keys.ts'
import { isWayOfAftersale, walk, type Standing } from './walk.ts'
import type { StoredOrder } from './read-order.ts'
import type { Violation } from './report.ts'

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
  readonly standings: readonly Standing[]
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
      if (aftersales.filter(isOpen).length > 1) return 'more than one is open'
      if (aftersales.length !== requested) {
        return `${aftersales.length} records, ${requested} events`
      }
      if ((afterId === null) !== (last === undefined)) return 'the one it names has no record'
      if (last && (last.status !== afterStatus || last.given.type !== afterType)) {
        return 'order and record do not agree'
      }
      if (aftersales.some((one) => one.id !== afterId && isOpen(one))) {
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

const isAt = (order: StoredOrder, { status, after, type }: Standing): boolean =>
  status === order.status && after === order.afterStatus && type === order.afterType

export function orderViolations(
  order: StoredOrder, secrets: Pick<Secrets, 'orderNo' | 'ids'>,
): Violation[] {
  const { orderNo, flaws, events, expiresAt } = order
  const context = { secrets, standings: walk(events, expiresAt) }
  const rows = flaws.length > 0 ? [RECORD] : ORDER_INVARIANTS
  return rows.flatMap(({ invariant, wrong }) => {
    const detail = wrong(order, context)
    return detail === undefined ? [] : [{ invariant, subject: orderNo, detail }]
  })
}
