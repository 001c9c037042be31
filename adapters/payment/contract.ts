/** What a payment provider has to be able to do, whoever it is. */

/** Money that a provider has taken, in its own words: not compared with any order yet. */
export interface TakenPayment {
  /** The provider's id of it, unique with the provider: 1 to 64 characters without spaces. */
  readonly paymentId: string
  /** What the order was called when the payment was created. */
  readonly orderNo: string
  /** In the smallest unit of the currency. */
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
  /** Milliseconds, the provider's clock. */
  readonly paidAt: number
}

export interface PaymentOrder {
  readonly orderNo: string
  readonly title: string
  /** Fen. */
  readonly amount: number
  /** Milliseconds: after it the provider takes no payment any more. */
  readonly expiresAt: number
  /** Where the payer's browser goes afterwards. */
  readonly returnUrl: string
}

/** A page of the provider for the payer, or money that was taken at once. */
export type CreatedPayment = { readonly url: string } | { readonly taken: TakenPayment }

export interface RefundRequest {
  /** The same for every attempt: the provider gives the money back once. */
  readonly refundId: string
  readonly paymentId: string
  readonly orderNo: string
  readonly amount: number
  readonly currency: string
}

/** A payment in the provider's list of a day, with what it has given back of it so far. */
export interface ListedPayment extends TakenPayment {
  readonly refunded: number
}

/** A server-to-server message as it came. */
export interface RawNotice {
  /** `name` in lower case. */
  header(name: string): string | undefined
  readonly body: Buffer
}

export type Notice =
  | { readonly kind: 'payment', readonly payment: TakenPayment }
  /** About something that is asked for, and not waited for. */
  | { readonly kind: 'other' }
  /** Not signed by the provider, not of this time, or not its format. */
  | { readonly kind: 'refused', readonly why: 'signature' | 'time' | 'format' }

/** Calls throw a SourceError; what they do not confirm may have been done. */
export interface PaymentProvider {
  /** Kept with every payment. */
  readonly name: string
  /** Origins of the pages that `create` leads to: it leads nowhere else. */
  readonly pageOrigins: readonly string[]
  /** Creates the payment of an order, or finds it: repeating it is harmless. */
  create(order: PaymentOrder): Promise<CreatedPayment>
  /** What was taken for an order: none, one, or more where somebody paid twice. */
  query(orderNo: string): Promise<readonly TakenPayment[]>
  /** Whether the money is on its way back for certain; `pending` is asked again. */
  refund(request: RefundRequest): Promise<'refunded' | 'pending'>
  /** All that was taken on a day in China, "2026-11-22". */
  listDay(day: string): Promise<readonly ListedPayment[]>
  /** Verifies the signature before it reads anything. */
  readNotice(notice: RawNotice): Notice
  close(): Promise<void>
}
