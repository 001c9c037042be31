/** What is read of the provider's messages: no other field, and nothing that does not fit. */
import { Type, type Static } from 'typebox'
import { fits } from '../check.ts'
import type { TakenPayment } from './contract.ts'

/** Names in its messages; what is longer or has spaces is none. */
const Name = Type.String({ pattern: '^[0-9A-Za-z._:-]{1,64}$' })
const Amount = Type.Integer({ minimum: 1, maximum: 100_000_000_000 })

const Payment = Type.Object({
  payment_id: Name,
  order_no: Name,
  amount: Amount,
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  /** Milliseconds since the epoch. */
  paid_at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
})

export const isCreated = fits(Type.Object({ pay_url: Type.String({ maxLength: 2048 }) }))
export const isPayments = fits(Type.Object({ payments: Type.Array(Payment, { maxItems: 100 }) }))
export const isRefund = fits(Type.Object({
  refund_id: Name,
  status: Type.Enum(['succeeded', 'processing']),
}))
const Day = Type.Object({
  payments: Type.Array(Type.Object({
    ...Payment.properties, refunded: Type.Integer({ minimum: 0 }),
  }), { maxItems: 500 }),
  next: Type.Union([Name, Type.Null()]),
})
export type Day = Static<typeof Day>
export const isDay = fits(Day)
export const isNotice = fits(Type.Object({
  type: Type.String({ pattern: '^[a-z._]{1,64}$' }),
}))
export const isPaymentNotice = fits(Type.Object({
  type: Type.Literal('payment.succeeded'), payment: Payment,
}))

export const toTaken = (payment: Static<typeof Payment>): TakenPayment => ({
  paymentId: payment.payment_id, orderNo: payment.order_no, amount: payment.amount,
  currency: payment.currency, paidAt: payment.paid_at,
})
