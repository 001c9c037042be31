/** Fields that the operations on orders share. */
import { Type } from 'typebox'
import { EVENTS, STATUSES } from '../orders/states.ts'
import { CLOSED } from './define.ts'
import { Fen, OneOf, Optional, OrderNo, Text, Time } from './fields.ts'

export const OrderStatus = OneOf(STATUSES, 'completed, closed and refunded are final')

export const OrderItem = Type.Object({
  product_id: Type.Integer(),
  sku_id: Type.Integer(),
  title: Text(120),
  qty: Type.Integer({ minimum: 1, maximum: 99 }),
  unit_price: Fen('Price of one in fen, at the moment of the order'),
}, CLOSED)

/** Properties of every answer about one order. */
export const ORDER_PROPERTIES = {
  order_no: OrderNo,
  status: OrderStatus,
  amount: Fen('What is paid, in fen: goods and freight'),
  items: Type.Array(OrderItem),
  freight: Fen('In fen'),
  grand_total: Fen('In fen; same as amount'),
  pay_url: Optional(Text(2048, 'Cashier page; only while pending_payment')),
  pay_expires_at: Optional(Time),
  poll_after_s: Optional(Type.Integer({
    minimum: 5, maximum: 10, description: 'Read the order again after this; absent when final',
  })),
} as const

export const MaskedReceiver = Type.Object({
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

export const AFTERSALE_STATUSES = [
  'requested', 'approved', 'pickup_booked', 'returning', 'received', 'refunded', 'rejected',
  'cancelled',
] as const

export const AFTERSALE_TYPES = ['refund_only', 'return_refund'] as const
export const REASON_CLASSES = [
  'quality', 'not_as_described', 'no_reason', 'shipping_issue',
] as const

export const AFTERSALE_PROPERTIES = {
  aftersale_id: Text(40),
  status: OneOf(AFTERSALE_STATUSES),
  type: OneOf(AFTERSALE_TYPES),
  reason: Optional(Text(500)),
  reason_class: Optional(OneOf(REASON_CLASSES)),
  refund_amount: Fen('In fen'),
  pickup_waybill_no: Optional(Text(40)),
  return_freight_payer: OneOf(['us', 'user']),
  created_at: Time,
} as const

export const RECEIVER_EXAMPLE = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号 2 幢 303 室',
}
