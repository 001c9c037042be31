/**
 * After a run: what came to the receivers, against the orders that the ledger keeps. Every event
 * was taken, in the order of its order, with one id and one body however often it came.
 */
import { monotonicMs } from '../../src/contract/time.ts'
import { ledger as keys } from '../../src/redis/keys.ts'
import { redisTimeMs } from '../../src/redis/replies.ts'
import { pauseFor } from './attempts.ts'
import { type KeptOrder, keptOrders } from './compare.ts'
import { WHOLE_MS_MAX } from './fault.ts'
import type { Model } from './model.ts'
import type { Arrival, Receiver } from './receivers.ts'
import type { Testbed } from './testbed.ts'

/** What the timeline of an order calls what an event tells. */
const MOVE_OF: Readonly<Record<string, string>> = {
  'order.created': 'created', 'order.paid': 'paid', 'order.accepted': 'merchant_accepted',
  'order.shipped': 'shipped', 'order.delivered': 'delivered', 'order.completed': 'completed',
  'order.expired': 'closed', 'order.cancelled': 'closed', 'order.refunded': 'refunded',
}
const MOVES = new Set(Object.values(MOVE_OF))
const POLL_MS = 250

const movesOf = ({ events }: KeptOrder): string[] =>
  events.map(({ event }) => event).filter((event) => MOVES.has(event))

const isOfOrder = ({ type, orderNo }: Arrival): boolean =>
  orderNo !== undefined && MOVE_OF[type] !== undefined

/** Everything was taken, or the time for it is over. */
export async function untilDelivered({ ledger, receivers }: Testbed): Promise<void> {
  const end = monotonicMs() + WHOLE_MS_MAX
  const orders = await keptOrders(ledger)
  const expected = new Map(receivers.map(({ buyer }) => [buyer.agent, orders
    .filter(({ fields }) => fields['agent'] === buyer.agent)
    .flatMap((order) => movesOf(order).map((move) => `${order.orderNo} ${move}`))]))
  const isDone = ({ buyer, arrivals }: Receiver): boolean => {
    const taken = new Set(arrivals.filter(({ isTaken }) => isTaken)
      .map(({ orderNo, type }) => `${orderNo} ${MOVE_OF[type]}`))
    return (expected.get(buyer.agent) ?? []).every((one) => taken.has(one))
  }
  while (monotonicMs() < end && !receivers.every(isDone)) {
    await Promise.all(receivers.map((receiver) => passTime(ledger, receiver)))
    await pauseFor(POLL_MS)
  }
}

/** What failed twice or thrice waits for minutes and hours: as if these had passed. */
async function passTime(ledger: Testbed['ledger'], { webhookId }: Receiver): Promise<void> {
  const late = await ledger.zrangebyscore(keys.webhookDue(webhookId),
    await redisTimeMs(ledger) + LATER_MS, '+inf')
  if (late.length === 0) return
  await ledger.zadd(keys.webhookDue(webhookId), 'XX', ...late.flatMap((one) => [1, one]))
}

/** Later than any claim ends. */
const LATER_MS = 20_000

export function compareDeliveries(
  receivers: readonly Pick<Receiver, 'buyer' | 'arrivals'>[], orders: readonly KeptOrder[],
  model: Pick<Model, 'violated'>,
): void {
  const bodies = new Map<string, string>()
  for (const { buyer, arrivals } of receivers) {
    const own = new Map(orders.filter(({ fields }) => fields['agent'] === buyer.agent)
      .map((order) => [order.orderNo, movesOf(order)]))
    const ids = new Map<string, string>()
    for (const { id, type, orderNo = '', body, isSigned } of arrivals) {
      if (!isSigned) model.violated('every delivery is signed', id, body)
      if ((bodies.get(id) ?? body) !== body) {
        model.violated('an event never changes', id, `${bodies.get(id)} became ${body}`)
      }
      bodies.set(id, body)
      const move = MOVE_OF[type]
      if (move === undefined) continue
      const name = `${orderNo} ${move}`
      if ((ids.get(name) ?? id) !== id) {
        model.violated('one id for an event', name, `${ids.get(name)} and ${id}`)
      }
      ids.set(name, id)
      if (!own.get(orderNo)?.includes(move)) {
        model.violated('no event of what did not happen', name, body)
      }
    }
    for (const [orderNo, moves] of own) {
      compareOrder(model, orderNo, moves, arrivals.filter((one) =>
        isOfOrder(one) && one.orderNo === orderNo))
    }
  }
}

/** Each came only when all before it had been taken; a repetition of these may come at any time. */
function compareOrder(
  model: Pick<Model, 'violated'>, orderNo: string, moves: readonly string[],
  arrivals: readonly Arrival[],
): void {
  const taken = new Set<string>()
  for (const { type, isTaken } of arrivals) {
    const move = MOVE_OF[type] ?? ''
    const missing = moves.slice(0, moves.indexOf(move)).filter((one) => !taken.has(one))
    if (missing.length > 0) {
      model.violated('events of an order come in order', orderNo, `${move} before ${missing}`)
    }
    if (isTaken) taken.add(move)
  }
  const lost = moves.filter((move) => !taken.has(move))
  if (lost.length > 0) model.violated('no event is lost', orderNo, lost.join(' '))
}

/** Of a process of the service, since it began: beyond it a delivery that waits costs too much. */
export const NODE_MB_MAX = 400

export function compareMemory({ nodes }: Pick<Testbed, 'nodes'>, model: Model): number {
  const peaks = nodes.map((node) => ({ name: node.name, mb: node.peakMb() }))
  for (const { name, mb } of peaks) {
    if (mb > NODE_MB_MAX) model.violated('memory is bounded', name, `${mb} MB`)
  }
  return Math.max(0, ...peaks.map(({ mb }) => mb))
}
