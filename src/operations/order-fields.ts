/** Fields that the operations on orders share. */
import { Type } from 'typebox'
import { REASON_CLASSES } from '../orders/aftersale-record.ts'
import { AFTERSALE_STATUSES, AFTERSALE_TYPES, EVENTS, STATUSES } from '../orders/states.ts'
import {
  CLOSED, Fen, like, Nullable, OneOf, Optional, OrderNo, restOnly, Text, Time,
} from '../contract/fields.ts'

export const OrderStatus = OneOf(STATUSES,
  'completed, closed and refunded are final; only the operator can still refund completed')

export const OrderItem = Type.Object({
  product_id: Type.Integer(),
  sku_id: Type.Integer(),
  title: Text(120),
  qty: Type.Integer({ minimum: 1, maximum: 99 }),
  unit_price: Fen('final_price of one at the moment of the order, in fen'),
}, CLOSED)

export const QuoteToken = like(Type.String({
  pattern: '^[0-9A-Za-z._~-]{1,512}$', description: 'From a price preview',
}), '100961.2.15400.0.30800.c2lnbmF0dXJlLW9mLXByaWNl')

/** What may be called next, so that an agent never guesses. */
const NextActions = Type.Array(Type.Object({
  tool: Text(64),
  arguments: Type.Record(Type.String(), Type.Unknown()),
  when: Text(200),
}, CLOSED))

/** Properties of every answer about one order. */
export const ORDER_PROPERTIES = {
  order_no: OrderNo,
  status: OrderStatus,
  amount: Fen('The total that is paid, in fen: goods_amount and freight'),
  items: Type.Array(OrderItem),
  goods_amount: restOnly(Fen('unit_price times qty, in fen')),
  freight: Fen('Of the whole order, in fen'),
  grand_total: restOnly(Fen('In fen; same as amount')),
  pay_url: Optional(Text(2048, 'Cashier page; only while pending_payment')),
  pay_expires_at: Optional(Time),
  poll_after_s: Optional(Type.Integer({
    minimum: 5, maximum: 10, description: 'Read the order again after this; absent when final',
  })),
  next_actions: NextActions,
} as const

const MaskedReceiver = Type.Object({
  name: Text(50),
  phone: Text(20),
  province: Text(30),
  city: Text(30),
  district: Text(30),
  address: Text(200),
}, CLOSED)

export const TimelineEvent = Type.Object({
  event: OneOf(EVENTS),
  at: Time,
  detail: Optional(Type.Object({
    waybill_no: Optional(Text(40)),
    express_co: Optional(Text(40)),
    reason: Optional(Text(200)),
  }, CLOSED)),
}, CLOSED)

export const ParcelTraces = Type.Array(Type.Object({ time: Time, context: Text(200) }, CLOSED), {
  description: 'Newest last',
})
export const ReturnParcel = Optional(Type.Object({ waybill_no: Text(40), traces: ParcelTraces }, {
  ...CLOSED, description: 'Goods that go back, once they have a waybill',
}))

const ReturnAddress = Text(300, 'Where the goods go back to, once that is approved')
const RefundExpected = { ...Time, description: 'Absent where people have to act first' }

export const AFTERSALE_PROPERTIES = {
  aftersale_id: Text(40),
  status: OneOf(AFTERSALE_STATUSES),
  type: OneOf(AFTERSALE_TYPES),
  reason: Optional(Text(500)),
  reason_class: Optional(OneOf(REASON_CLASSES)),
  refund_amount: Fen('In fen'),
  pickup_waybill_no: Nullable(Text(40, 'Null until a pickup is booked')),
  return_freight_payer: OneOf(['us', 'user']),
  freight_amount: Optional(Fen('What the user pays to send it back, in fen')),
  next_step: Text(300, 'What the user does next'),
  return_address: Optional(restOnly(ReturnAddress)),
  refund_expected_at: Optional(restOnly(RefundExpected)),
  why: Optional(Text(200, 'Why the merchant rejected it')),
  created_at: Time,
  events: Type.Array(Type.Object({ status: OneOf(AFTERSALE_STATUSES), at: Time }, CLOSED), {
    description: 'Oldest first',
  }),
} as const

const { aftersale_id, status, pickup_waybill_no, return_freight_payer, refund_amount,
  freight_amount, next_step, return_address, refund_expected_at } = AFTERSALE_PROPERTIES

/** How an order's latest after-sale stands. */
export const OrderAftersale = Type.Object({
  aftersale_id, status, pickup_waybill_no, return_freight_payer, refund_amount,
  next_step, return_address, refund_expected_at,
}, CLOSED)

const OrderRefund = Type.Object({
  amount: Fen('In fen: of a refund, or of a payment that came late, twice or with a wrong amount'),
  status: OneOf(['on_its_way', 'arrived']),
  arrived_at: Optional(Time),
}, CLOSED)

/** Properties of an order in a list. */
export const ORDER_SUMMARY_PROPERTIES = {
  order_no: OrderNo,
  status: OrderStatus,
  amount: Fen('The total that is paid, in fen'),
  created_at: Time,
  items: Type.Array(OrderItem),
} as const

export const OrdersPageSize = Optional(Type.Integer({
  minimum: 1, maximum: 50, default: 20, description: 'Orders a page',
}))

/** Properties of the whole answer about one order. */
export const ORDER_DETAIL_PROPERTIES = {
  ...ORDER_PROPERTIES,
  created_at: Time,
  receiver_masked: MaskedReceiver,
  user_ref: Optional(Text(64)),
  events: Type.Array(TimelineEvent, { description: 'Oldest first' }),
  aftersale: Optional(OrderAftersale),
  refund: Optional(OrderRefund),
} as const

/** Properties of an answer to a request for an after-sale. */
export const REQUESTED_PROPERTIES = {
  aftersale_id: Optional(aftersale_id),
  status: Optional(status),
  pickup_waybill_no: Optional(pickup_waybill_no),
  return_freight_payer,
  refund_amount,
  freight_amount,
  next_step: Optional(next_step),
  return_address,
  refund_expected_at,
  eligible: Optional(Type.Boolean({ description: 'With preview' })),
  why: Optional(Text(200)),
  quota_left: Optional(Type.Integer({ minimum: 0 })),
  quota_resets_at: Optional(Time),
  duplicate: Optional(Type.Boolean()),
  next_actions: Optional(NextActions),
  poll_after_s: ORDER_PROPERTIES.poll_after_s,
} as const

export const RECEIVER_EXAMPLE = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号 2 幢 303 室',
}
