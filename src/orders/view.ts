/**
 * Answers about orders and their after-sales, built from what the ledger keeps. Nothing of the
 * receiver but its mask, except for the operator.
 */
import { isoTime } from '../contract/time.ts'
import {
  buyerStepsOf, nextActions, pollAfterS, returnParcelOf, upcomingOf, type AftersaleSteps,
  type NextAction, type ReturnParcel, type Upcoming,
} from './next-steps.ts'
import {
  isOpenAftersale, type AftersaleRecord, type ReasonClass, type Terms,
} from './aftersale-record.ts'
import type { OrderArchive } from './archive/archive.ts'
import type { OrderDriver, Trace } from './driver.ts'
import type { PayLinks } from './payment-provider.ts'
import {
  openReceiver, readOrder, timeOf, type OrderFacts, type OrderRecord, type OrderRefund,
  type Receiver,
} from './record.ts'
import type { AftersaleStatus, AftersaleType, EventName, Status } from './states.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import type { Secrets } from '../secrets/derive.ts'
import { partitionOfOrder } from '../contract/ids.ts'

export interface OrderItem {
  product_id: number
  sku_id: number
  title: string
  qty: number
  unit_price: number
}

/** What every answer about an order has. */
interface OrderBase {
  order_no: string
  status: Status
  amount: number
  items: OrderItem[]
  goods_amount: number
  freight: number
  grand_total: number
  /** While the order waits for its payment. */
  pay_url?: string
  pay_expires_at?: string
  /** While it may still move. */
  poll_after_s?: number
  next_actions: NextAction[]
}

export interface PlacedOrder extends OrderBase {
  render_hint: 'qrcode' | 'redirect'
  expire_in_minutes: number
  duplicate: boolean
}

export interface TimelineEvent {
  event: EventName
  at: string
  detail?: { waybill_no?: string, express_co?: string, reason?: string }
}

export interface OrderView extends OrderBase {
  created_at: string
  receiver_masked: Receiver
  user_ref?: string
  events: TimelineEvent[]
  /** The latest one. */
  aftersale?: OrderAftersale
  refund?: RefundView
}

/** Money that goes back to the payer: of a refund, or of a payment that could not pay the order. */
interface RefundView {
  amount: number
  status: 'on_its_way' | 'arrived'
  arrived_at?: string
}

/** Enough to tell the user how it stands; the list of after-sales says more. */
export type OrderAftersale =
  Pick<AftersaleItem, 'aftersale_id' | 'status' | 'return_freight_payer' | 'refund_amount'
    | 'pickup_waybill_no' | keyof AftersaleSteps>

export interface OrderSummary {
  order_no: string
  status: Status
  amount: number
  created_at: string
  items: OrderItem[]
}

export type Display = 'desktop' | 'mobile'

export function placedView(
  order: OrderFacts, display: Display | undefined, duplicate: boolean, payments: PayLinks,
): PlacedOrder {
  return Object.assign(baseOf(order, payments), {
    render_hint: display === 'mobile' ? 'redirect' as const : 'qrcode' as const,
    // The whole window, as the order was given it: what is left of it is pay_expires_at.
    expire_in_minutes: Math.ceil((order.expiresAt - order.createdAt) / 60_000),
    duplicate,
  })
}

export function orderView(
  order: OrderRecord, payments: PayLinks, driver: OrderDriver,
): OrderView {
  const aftersale = order.aftersales.at(-1)
  return {
    ...baseOf(order, payments, aftersale, order.refund),
    created_at: isoTime(order.createdAt),
    receiver_masked: order.given.receiver_masked,
    ...(order.given.user_ref !== undefined && { user_ref: order.given.user_ref }),
    events: order.events.map(({ event, at, detail }) => {
      const { waybill_no, express_co, reason } = detail ?? {}
      const shown = {
        ...(waybill_no && { waybill_no }), ...(express_co && { express_co }),
        ...(reason && { reason }),
      }
      return { event, at: isoTime(at), ...(Object.keys(shown).length > 0 && { detail: shown }) }
    }),
    ...(aftersale && { aftersale: briefly(aftersale, driver, order.refund) }),
    ...(order.refund && { refund: refundView(order.refund) }),
  }
}

const refundView = ({ amount, arrivedAt }: OrderRefund): RefundView => ({
  amount,
  ...(arrivedAt === undefined ? { status: 'on_its_way' }
    : { status: 'arrived', arrived_at: isoTime(arrivedAt) }),
})

function briefly(
  record: AftersaleRecord, driver: OrderDriver, refund: OrderRefund | undefined,
): OrderAftersale {
  const { aftersale_id, status, return_freight_payer, refund_amount, pickup_waybill_no } =
    aftersaleItem(record)
  return {
    aftersale_id, status, return_freight_payer, refund_amount, pickup_waybill_no,
    ...buyerStepsOf(record, driver, refund),
  }
}

export const orderSummary = (order: OrderFacts): OrderSummary => ({
  order_no: order.orderNo,
  status: order.status,
  amount: order.amount,
  created_at: isoTime(order.createdAt),
  items: [itemOf(order)],
})

function baseOf(
  order: OrderFacts, payments: PayLinks, aftersale?: AftersaleRecord, refund?: OrderRefund,
): OrderBase {
  const isPending = order.status === 'pending_payment'
  const pollS = pollAfterS(order.status, aftersale?.status, refund)
  return {
    order_no: order.orderNo,
    status: order.status,
    amount: order.amount,
    items: [itemOf(order)],
    goods_amount: order.amount - order.freight,
    freight: order.freight,
    grand_total: order.amount,
    ...(isPending && {
      pay_url: payments.payUrl(order.orderNo),
      pay_expires_at: isoTime(order.expiresAt),
    }),
    ...(pollS !== undefined && { poll_after_s: pollS }),
    next_actions: nextActions(order, aftersale),
  }
}

const itemOf = (order: OrderFacts): OrderItem => ({
  product_id: order.productId,
  sku_id: order.skuId,
  title: order.title,
  qty: order.qty,
  unit_price: order.unitPrice,
})

/** What request_aftersale answers; a preview has no id and no status. */
export interface AftersaleAnswer extends Terms, Partial<AftersaleSteps> {
  aftersale_id?: string
  status?: AftersaleStatus
  /** Null until a pickup is booked. */
  pickup_waybill_no?: string | null
  eligible?: boolean
  why?: string
  quota_left?: number
  quota_resets_at?: string
  duplicate?: boolean
  next_actions?: NextAction[]
  poll_after_s?: number
}

/** An element of the list of an order's after-sales. */
export interface AftersaleItem extends Terms, AftersaleSteps {
  aftersale_id: string
  status: AftersaleStatus
  type: AftersaleType
  reason?: string
  reason_class?: ReasonClass
  pickup_waybill_no: string | null
  /** Why the merchant rejected it. */
  why?: string
  created_at: string
  events: { status: AftersaleStatus, at: string }[]
}

const termsOf = ({ given }: AftersaleRecord): Terms => ({
  return_freight_payer: given.return_freight_payer,
  refund_amount: given.refund_amount,
  ...(given.freight_amount !== undefined && { freight_amount: given.freight_amount }),
})

export function aftersaleView(
  order: OrderRecord, record: AftersaleRecord, driver: OrderDriver,
): AftersaleAnswer {
  const pollS = isOpenAftersale(record) ? pollAfterS(order.status, record.status) : undefined
  return {
    aftersale_id: record.id,
    status: record.status,
    pickup_waybill_no: record.pickupWaybillNo ?? null,
    ...termsOf(record),
    ...buyerStepsOf(record, driver, order.refund),
    ...(record.refusal !== undefined && { why: record.refusal }),
    next_actions: nextActions(order, record),
    ...(pollS !== undefined && { poll_after_s: pollS }),
  }
}

export function aftersaleItem(
  record: AftersaleRecord, driver?: OrderDriver, refund?: OrderRefund,
): AftersaleItem {
  const { given, timeline, refusal } = record
  return {
    aftersale_id: record.id,
    status: record.status,
    type: given.type,
    ...(given.reason !== undefined && { reason: given.reason }),
    ...(given.reason_class !== undefined && { reason_class: given.reason_class }),
    pickup_waybill_no: record.pickupWaybillNo ?? null,
    ...termsOf(record),
    ...buyerStepsOf(record, driver, refund),
    ...(refusal !== undefined && { why: refusal }),
    created_at: isoTime(timeline[0]?.at ?? 0),
    events: timeline.map(({ status, at }) => ({ status, at: isoTime(at) })),
  }
}

export interface Logistics {
  order_no: string
  waybill_no: string
  express_co: string
  traces: Trace[]
  return_parcel?: ReturnParcel
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
    aftersales: order.aftersales.map((record) => aftersaleItem(record, driver, order.refund)),
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

/** An order with its receiver in clear; undefined when there is none. */
export async function showOrder(
  ledger: RedisClient, secrets: Secrets, orderNo: string, archive?: OrderArchive,
) {
  const order = await readOrder(ledger, orderNo, archive)
  if (!order) return undefined
  const { status, mode, productId, skuId, title, qty, unitPrice, freight, amount } = order
  return {
    order_no: orderNo,
    status,
    mode,
    product_id: productId,
    sku_id: skuId,
    title,
    qty,
    unit_price: unitPrice,
    freight,
    amount,
    merchant_id: order.merchantId,
    agent_ref: order.agent,
    user_ref: order.given.user_ref,
    waybill_no: order.waybillNo,
    express_co: order.expressCo,
    created_at: isoTime(order.createdAt),
    receiver: openReceiver(order.receiver, orderNo, secrets.seal('receiver')),
    events: order.events.map(({ event, at, detail }) => ({ event, at: isoTime(at), detail })),
    aftersales: order.aftersales.map((record) => aftersaleItem(record, undefined, order.refund)),
  }
}
