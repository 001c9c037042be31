/** Answers about orders, built from what the ledger keeps. Nothing of the receiver but its mask. */
import { isoTime } from '../contract/time.ts'
import { nextActions, pollAfterS, type NextAction } from './actions.ts'
import type { AftersaleRecord } from './aftersale-record.ts'
import { aftersaleItem, type AftersaleItem } from './aftersale-view.ts'
import { stepsOf, type AftersaleSteps } from './aftersale-steps.ts'
import type { OrderDriver } from './driver.ts'
import type { PayLinks } from './payment.ts'
import type { Receiver } from './receiver.ts'
import type { OrderFacts, OrderRecord, OrderRefund } from './record.ts'
import type { EventName, Status } from './states.ts'

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
export interface RefundView {
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
  return {
    ...baseOf(order, payments),
    render_hint: display === 'mobile' ? 'redirect' : 'qrcode',
    // The whole window, as the order was given it: what is left of it is pay_expires_at.
    expire_in_minutes: Math.ceil((order.expiresAt - order.createdAt) / 60_000),
    duplicate,
  }
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
    ...(aftersale && { aftersale: briefly(aftersale, driver) }),
    ...(order.refund && { refund: refundView(order.refund) }),
  }
}

const refundView = ({ amount, arrivedAt }: OrderRefund): RefundView => ({
  amount,
  ...(arrivedAt === undefined ? { status: 'on_its_way' }
    : { status: 'arrived', arrived_at: isoTime(arrivedAt) }),
})

function briefly(record: AftersaleRecord, driver: OrderDriver): OrderAftersale {
  const { aftersale_id, status, return_freight_payer, refund_amount, pickup_waybill_no } =
    aftersaleItem(record)
  return {
    aftersale_id, status, return_freight_payer, refund_amount, pickup_waybill_no,
    ...stepsOf(record, driver),
  }
}

export const summaryOf = (order: OrderFacts): OrderSummary => ({
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
