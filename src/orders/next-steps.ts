/** What comes next for an order and its after-sale: for its agent, for its buyer, and by itself. */
import { isOpenAftersale, type AftersaleGiven, type AftersaleRecord } from './aftersale-record.ts'
import type { OrderFacts, OrderRecord, OrderRefund } from './record.ts'
import {
  isFinal, MOVES, openOf, type AftersaleStatus, type EventName, type MoveRow, type Status,
} from './states.ts'
import { isoTime } from '../contract/time.ts'
import { yuanText } from '../contract/money.ts'
import type { OrderDriver, PlannedMove, Trace } from './driver.ts'

export interface NextAction {
  tool: string
  arguments: Record<string, unknown>
  when: string
}

/** The service document advises 5 to 10 seconds: the first where a person waits for the change. */
const POLL_SOON_S = 5
const POLL_LATER_S = 10
const SOON: readonly Status[] = ['pending_payment', 'paid', 'merchant_accepted', 'refunding']

/** Undefined when nothing changes any more. */
export function pollAfterS(
  status: Status, aftersale?: AftersaleStatus, refund?: OrderRefund,
): number | undefined {
  const isReturning = refund !== undefined && refund.arrivedAt === undefined
  if (isFinal(status)) return isReturning ? POLL_LATER_S : undefined
  return SOON.includes(status) || aftersale === 'requested' ? POLL_SOON_S : POLL_LATER_S
}

type Facts = Pick<OrderFacts, 'orderNo' | 'status' | 'skuId'>

export function nextActions(order: Facts, aftersale?: AftersaleRecord): NextAction[] {
  const { orderNo: order_no, status, skuId: sku_id } = order
  const poll = (when: string): NextAction =>
    ({ tool: 'get_order_status', arguments: { order_no }, when })
  const aftersaleOf = (type: string, when: string): NextAction => ({
    tool: 'request_aftersale', arguments: { order_no, type, preview: true }, when,
  })
  if (aftersale && isOpenAftersale(aftersale)) {
    const hasParcel = returnParcelOf(aftersale) !== undefined
    return [
      poll('Every poll_after_s seconds, until the after-sale is refunded or rejected'),
      ...hasParcel ? [{
        tool: 'get_logistics', arguments: { order_no }, when: 'If your user asks for the return',
      }] : [],
    ]
  }
  switch (status) {
    case 'pending_payment':
      return [poll('Every poll_after_s seconds while your user pays at pay_url')]
    case 'paid':
    case 'merchant_accepted':
      return [poll('Every poll_after_s seconds, until it has shipped'),
        aftersaleOf('refund_only', 'If your user no longer wants it')]
    case 'shipped':
      return [
        { tool: 'get_logistics', arguments: { order_no }, when: 'If your user asks where it is' },
        poll('Every poll_after_s seconds, until it is delivered'),
        aftersaleOf('return_refund', 'If your user wants to send it back'),
      ]
    case 'delivered':
      return [aftersaleOf('return_refund', 'If something is wrong, before the order completes')]
    case 'refunding':
      return [poll('Every poll_after_s seconds, until the refund has arrived')]
    case 'closed':
      return [{
        tool: 'get_goods_detail', arguments: { sku_id },
        when: 'If your user still wants it: a new order needs a new idempotency_key',
      }]
    case 'completed':
    case 'refunded':
      return []
  }
}

export interface AftersaleSteps {
  next_step: string
  return_address?: string
  refund_expected_at?: string
}

/** While the goods are to be sent, or on their way. */
const SENDING: readonly AftersaleStatus[] = ['approved', 'pickup_booked', 'returning']

/** Without a driver nothing moves by itself, and nobody can say when. */
export function buyerStepsOf(
  record: AftersaleRecord, driver?: OrderDriver, refund?: OrderRefund,
): AftersaleSteps {
  const { status, given, returnAddress } = record
  const expected = driver && refundExpectedAt(record, driver)
  return {
    next_step: status === 'refunded' && refund?.arrivedAt !== undefined
      ? `Nothing: ${yuanText(refund.amount)} has arrived where it was paid from.`
      : nextStep(status, given),
    ...(returnAddress !== undefined && SENDING.includes(status)
      && { return_address: returnAddress }),
    ...(expected !== undefined && { refund_expected_at: isoTime(expected) }),
  }
}

function nextStep(status: AftersaleStatus, given: AftersaleGiven): string {
  const { type, pickup, refund_amount, freight_amount } = given
  const money = yuanText(refund_amount)
  const isKept = type === 'refund_only'
  const toCourier = freight_amount === undefined ? ''
    : ` The user pays the courier ${yuanText(freight_amount)}.`
  switch (status) {
    case 'requested':
      return isKept ? 'Wait until the merchant has decided; nothing is sent back.'
        : 'Keep the goods and their packing until the return is approved: return_address then '
          + 'says where they go.'
    case 'approved':
      if (isKept) return `Nothing: the goods stay where they are, and ${money} is refunded next.`
      return pickup
        ? `Pack the goods: a courier is being booked to collect them where they were delivered.${
          toCourier}`
        : 'Send the goods to return_address with any carrier, and keep the waybill.'
    case 'pickup_booked':
      return `Hand the packed goods to the courier who comes for pickup_waybill_no.${toCourier}`
    case 'returning':
      return 'Nothing: the goods are on their way back; get_logistics follows them.'
    case 'received':
      return `Nothing: the merchant has the goods, and refunds ${money} next.`
    case 'refunded':
      return `Nothing: ${money} goes back the way it was paid; refund in get_order_status says `
        + 'when it has arrived.'
    case 'rejected':
      return 'Tell the user why. While the order is not completed, another request can be made.'
    case 'cancelled':
      return 'Nothing: the request was withdrawn.'
  }
}

/** Milliseconds; undefined where somebody has to act first, or nothing comes any more. */
function refundExpectedAt(
  { status, given: { type, pickup }, timeline }: AftersaleRecord, driver: OrderDriver,
): number | undefined {
  let at = timeline.at(-1)?.at ?? 0
  for (let now: AftersaleStatus | null = status; now !== 'refunded';) {
    const next: PlannedMove | undefined = now === null || openOf(now) === 'none' ? undefined
      : driver.nextAftersale(now, { type, hasPickup: pickup })
    if (!next) return undefined
    at += next.afterMs
    now = (MOVES[next.move] as MoveRow).aftersale?.to ?? null
  }
  return status === 'refunded' ? undefined : at
}

export interface ReturnParcel {
  waybill_no: string
  traces: Trace[]
}

const STATIONS: Readonly<Partial<Record<AftersaleStatus, string>>> = {
  pickup_booked: '已预约上门取件', returning: '退货已寄出', received: '商家已签收退货',
}

/** The way of the goods back; undefined while they have no waybill. */
export function returnParcelOf(record: AftersaleRecord | undefined): ReturnParcel | undefined {
  const waybillNo = record?.returnWaybillNo ?? record?.pickupWaybillNo
  if (!record || waybillNo === undefined) return undefined
  return {
    waybill_no: waybillNo,
    traces: record.timeline.flatMap(({ status, at }) => {
      const context = STATIONS[status]
      return context === undefined ? [] : [{ time: isoTime(at), context }]
    }),
  }
}

/** A step of the order, or of its after-sale. */
export interface Upcoming {
  readonly event?: EventName
  readonly aftersale_status?: AftersaleStatus
  /** When it is made; absent where it waits for the steps before it, or for somebody. */
  readonly at?: string
}

/** The way of an order that nothing gets into. */
const ORDER_WAY = ['paid', 'merchant_accepted', 'shipped', 'delivered', 'completed'] as const
const RETURN = ['approved', 'pickup_booked', 'returning', 'received', 'refunded'] as const
const REFUND_ONLY = ['approved', 'refunded'] as const

/** What comes next if all goes well, with the times of the order's and its after-sale's moves. */
export function upcomingOf(
  order: Pick<OrderRecord, 'status' | 'aftersales'>,
  { due, afterDue }: { due?: number | undefined, afterDue?: number | undefined } = {},
): Upcoming[] {
  const aftersale = order.aftersales.findLast(isOpenAftersale)
  const timed = <T extends object>(steps: readonly T[], at: number | undefined): T[] =>
    steps.map((step, index) => (index === 0 && at !== undefined
      ? { ...step, at: isoTime(at) } : step))
  return [
    ...timed(orderStepsAhead(order.status, aftersale !== undefined)
      .map((event) => ({ event })), due),
    ...timed((aftersale ? aftersaleStepsAhead(aftersale) : [])
      .map((status) => ({ aftersale_status: status })), afterDue),
  ]
}

/** An open after-sale keeps the order from its completion, and from nothing else. */
function orderStepsAhead(status: OrderRecord['status'], hasOpen: boolean): EventName[] {
  if (isFinal(status)) return []
  if (status === 'refunding') return hasOpen ? [] : ['refunded']
  const ahead = ORDER_WAY.slice(ORDER_WAY.findIndex((step) => step === status) + 1)
  return hasOpen ? ahead.filter((step) => step !== 'completed') : ahead
}

function aftersaleStepsAhead({ status, given }: AftersaleRecord): AftersaleStatus[] {
  const steps: readonly AftersaleStatus[] = given.type === 'refund_only' ? REFUND_ONLY
    : RETURN.filter((step) => step !== 'pickup_booked' || given.pickup)
  return steps.slice(steps.indexOf(status) + 1)
}
