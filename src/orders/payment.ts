/** How an order is paid. The sandbox takes pretended money; a real provider replaces it. */
import type { Config } from '../config.ts'
import type { Secrets } from '../ids.ts'

export interface PaymentProvider {
  /** Whether it takes payments at all. */
  readonly isOpen: boolean
  /** Where the payer goes; carries an authenticator, since the payer has no API key. */
  payUrl(orderNo: string): string
  /** Whether a token came from this order's `payUrl`. */
  accepts(orderNo: string, token: string): boolean
}

const PURPOSE = 'pay'

export function createSandboxPayments(
  config: Pick<Config, 'publicUrl' | 'sandbox'>, secrets: Secrets,
): PaymentProvider {
  return {
    isOpen: config.sandbox,
    payUrl: (orderNo) =>
      `${config.publicUrl}/pay/${orderNo}?t=${secrets.token(PURPOSE, orderNo)}`,
    accepts: (orderNo, token) => secrets.tokenMatches(PURPOSE, orderNo, token),
  }
}
