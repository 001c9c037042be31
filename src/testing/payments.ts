/** A payment provider in memory, with books of its own, that fails as the test plans. */
import { SourceError } from '../../adapters/contract.ts'
import type {
  ListedPayment, PaymentProvider, RefundRequest, TakenPayment,
} from '../../adapters/payment/adapter.ts'

/** `lost`: the money goes back, and the answer does not come. */
export type RefundBehaviour = 'refunded' | 'pending' | 'down' | 'lost'

export interface FakeProvider extends PaymentProvider {
  /** Somebody pays; the notice about it is the test's to deliver. */
  take(orderNo: string, amount: number, more?: Partial<TakenPayment>): TakenPayment
  /** How the next refunds go; then all of them are made. */
  plan(...behaviour: RefundBehaviour[]): void
  /** Fen that it holds of an order: taken, and not given back. */
  holds(orderNo: string): number
  /** Refunds that were asked for, each attempt of them. */
  readonly asked: RefundRequest[]
}

export const FAKE = 'fake'

export function createFakeProvider(): FakeProvider {
  const taken: TakenPayment[] = []
  const refunds = new Map<string, RefundRequest>()
  const planned: RefundBehaviour[] = []
  const asked: FakeProvider['asked'] = []
  const backOf = ({ paymentId, orderNo }: TakenPayment): number => [...refunds.values()]
    .filter((one) => one.paymentId === paymentId && one.orderNo === orderNo)
    .reduce((sum, { amount }) => sum + amount, 0)
  return {
    name: FAKE,
    pageOrigins: ['https://pay.example'],
    asked,
    take(orderNo, amount, more = {}) {
      const payment = {
        paymentId: `T${taken.length + 1}`, orderNo, amount, currency: 'CNY', paidAt: 1, ...more,
      }
      taken.push(payment)
      return payment
    },
    plan: (...behaviour) => { planned.push(...behaviour) },
    holds: (orderNo) => taken.filter((one) => one.orderNo === orderNo)
      .reduce((sum, one) => sum + one.amount - backOf(one), 0),
    create: async ({ orderNo }) => ({ url: `https://pay.example/${orderNo}` }),
    query: async (orderNo) => taken.filter((one) => one.orderNo === orderNo),
    async refund(request) {
      asked.push(request)
      const behaviour = planned.shift() ?? 'refunded'
      if (behaviour === 'down') throw new SourceError(FAKE, 'network')
      if (behaviour === 'pending') return 'pending'
      refunds.set(request.refundId, request)
      if (behaviour === 'lost') throw new SourceError(FAKE, 'timeout')
      return 'refunded'
    },
    listDay: async () => taken.map((payment): ListedPayment =>
      ({ ...payment, refunded: backOf(payment) })),
    readNotice: () => ({ kind: 'refused', why: 'signature' }),
    close: async () => undefined,
  }
}
