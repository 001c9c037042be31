/** How an order is paid: the link to the cashier, and the provider of pretended money. */
import { createPaymentGateway, type PaymentProvider } from '../../adapters/payment/adapter.ts'
import { nowMs } from '../contract/time.ts'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets/derive.ts'

export type {
  CreatedPayment, ListedPayment, PaymentProvider, TakenPayment,
} from '../../adapters/payment/adapter.ts'

/** Links to the cashier carry an authenticator, since a payer has no API key. */
export interface PayLinks {
  payUrl(orderNo: string): string
  /** Whether a token came from this order's `payUrl`. */
  accepts(orderNo: string, token: string): boolean
}

const PURPOSE = 'pay'
/** Where a provider sends its notices. */
export const NOTICE_PATH = '/payments/callback'

export const createPayLinks = (
  { publicUrl }: Pick<Config, 'publicUrl'>, secrets: Secrets,
): PayLinks => ({
  payUrl: (orderNo) => `${publicUrl}/pay/${orderNo}?t=${secrets.token(PURPOSE, orderNo)}`,
  accepts: (orderNo, token) => secrets.tokenMatches(PURPOSE, orderNo, token),
})

const SANDBOX_PROVIDER = 'sandbox'

/** Takes pretended money at once, as often as it is asked, and gives it back at once. */
export const createSandboxPayments = (): PaymentProvider => ({
  name: SANDBOX_PROVIDER,
  pageOrigins: [],
  create: async ({ orderNo, amount }) => ({
    taken: { paymentId: orderNo, orderNo, amount, currency: 'CNY', paidAt: nowMs() },
  }),
  query: async () => [],
  refund: async () => 'refunded',
  listDay: async () => [],
  readNotice: () => ({ kind: 'refused', why: 'signature' }),
  close: async () => undefined,
})

/** Who takes money for a service with these settings; undefined where it is paid otherwise. */
export function openProvider(
  { sandbox, payment, publicUrl }: Pick<Config, 'sandbox' | 'payment' | 'publicUrl'>,
): PaymentProvider | undefined {
  if (sandbox) return createSandboxPayments()
  return payment && createPaymentGateway({
    settings: {
      baseUrl: payment.url, merchantId: payment.merchantId, secrets: payment.secrets,
      pageOrigins: payment.pages, notifyUrl: `${publicUrl}${NOTICE_PATH}`,
    },
    clock: { now: nowMs },
  })
}
