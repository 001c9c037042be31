/** What an order's owner sees beside what its agent reads: traces, after-sales, what comes next. */
import { isoTime } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { isOpen, type AftersaleRecord } from './aftersale-record.ts'
import { returnParcelOf, type ReturnParcel } from './aftersale-steps.ts'
import { aftersaleItem, type AftersaleItem } from './aftersale-view.ts'
import type { OrderDriver, Trace } from './driver.ts'
import { timeOf, type OrderRecord } from './record.ts'
import { isFinal, type AftersaleStatus, type EventName } from './states.ts'

export interface Logistics {
  order_no: string
  waybill_no: string
  express_co: string
  traces: Trace[]
  return_parcel?: ReturnParcel
}

/** A step of the order, or of its after-sale. */
export interface Upcoming {
  readonly event?: EventName
  readonly aftersale_status?: AftersaleStatus
  /** When it is made; absent where it waits for the steps before it, or for somebody. */
  readonly at?: string
}

export interface OrderDetail {
  readonly logistics?: Logistics
  readonly aftersales: AftersaleItem[]
  readonly upcoming: Upcoming[]
}

export async function detailOf(
  ledger: RedisClient, order: OrderRecord, driver: OrderDriver, now: number,
): Promise<OrderDetail> {
  const partition = partitionOfOrder(order.orderNo) ?? 0
  const [due, afterDue] = (await runMany(ledger, [
    ['zscore', keys.due(partition), order.orderNo],
    ['zscore', keys.afterDue(partition), order.orderNo],
  ]) as (string | null)[]).map((score) => (score === null ? undefined : Number(score)))
  const logistics = logisticsOf(order, driver, now)
  return {
    ...(logistics && { logistics }),
    aftersales: order.aftersales.map((record) => aftersaleItem(record, driver)),
    upcoming: upcomingOf(order, { due, afterDue }),
  }
}

/** Undefined until it is shipped. */
export function logisticsOf(
  order: OrderRecord, driver: OrderDriver, now: number,
): Logistics | undefined {
  const { orderNo, waybillNo, expressCo = '', transitMs } = order
  const shippedAt = timeOf(order, 'shipped')
  if (waybillNo === undefined || shippedAt === undefined) return undefined
  const deliveredAt = timeOf(order, 'delivered')
  const { province, city } = order.given.receiver_masked
  const parcel = returnParcelOf(order.aftersales.at(-1))
  return {
    order_no: orderNo,
    waybill_no: waybillNo,
    express_co: expressCo,
    traces: driver.traces({
      orderNo, expressCo, shippedAt, province, city,
      ...(transitMs !== undefined && { transitMs }),
      ...(deliveredAt !== undefined && { deliveredAt }),
    }, now),
    ...(parcel && { return_parcel: parcel }),
  }
}

/** The way of an order that nothing gets into. */
const WAY = ['paid', 'merchant_accepted', 'shipped', 'delivered', 'completed'] as const
const RETURN = ['approved', 'pickup_booked', 'returning', 'received', 'refunded'] as const
const REFUND_ONLY = ['approved', 'refunded'] as const

/** What comes next if all goes well, with the times of the order's and its after-sale's moves. */
export function upcomingOf(
  order: Pick<OrderRecord, 'status' | 'aftersales'>,
  { due, afterDue }: { due?: number | undefined, afterDue?: number | undefined } = {},
): Upcoming[] {
  const aftersale = order.aftersales.findLast(isOpen)
  const timed = <T extends object>(steps: readonly T[], at: number | undefined): T[] =>
    steps.map((step, index) => (index === 0 && at !== undefined
      ? { ...step, at: isoTime(at) } : step))
  return [
    ...timed(ownSteps(order.status, aftersale !== undefined).map((event) => ({ event })), due),
    ...timed(aftersale ? stepsOf(aftersale).map((status) => ({ aftersale_status: status })) : [],
      afterDue),
  ]
}

/** An open after-sale keeps the order from its completion, and from nothing else. */
function ownSteps(status: OrderRecord['status'], hasOpen: boolean): EventName[] {
  if (isFinal(status)) return []
  if (status === 'refunding') return hasOpen ? [] : ['refunded']
  const ahead = WAY.slice(WAY.findIndex((step) => step === status) + 1)
  return hasOpen ? ahead.filter((step) => step !== 'completed') : ahead
}

function stepsOf({ status, given }: AftersaleRecord): AftersaleStatus[] {
  const steps: readonly AftersaleStatus[] = given.type === 'refund_only' ? REFUND_ONLY
    : RETURN.filter((step) => step !== 'pickup_booked' || given.pickup)
  return steps.slice(steps.indexOf(status) + 1)
}
