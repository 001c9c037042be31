/** What a payment provider does, and the one that speaks HTTP. Every call is repeatable. */
import { SourceError } from '../contract.ts'
import { createClient, type PlatformClient, type ClientOptions } from '../http.ts'
import { createLocalBudget, type PlatformLimits } from '../limits.ts'
import type { Clock } from '../time.ts'
import {
  HEADERS, isCreated, isDay, isNotice, isPaymentNotice, isPayments, isRefund, isSigned, NAME,
  parseOrUndefined, read, request, SKEW_MS, type Credentials, type Day, type Payment,
} from './signing.ts'

/** Money that a provider has taken, as it states it: not compared with any order yet. */
export interface TakenPayment {
  /** The provider's id of it, unique with the provider: 1 to 64 characters without spaces. */
  readonly paymentId: string
  /** The order's number when the payment was created. */
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
  /** Milliseconds: the provider takes no payment after it. */
  readonly expiresAt: number
  /** Where the payer's browser goes afterwards. */
  readonly returnUrl: string
}

/** A page of the provider for the payer, or money that was taken at once. */
export type CreatedPayment = { readonly url: string } | { readonly taken: TakenPayment }

export interface RefundRequest {
  /** The same for every attempt: the provider refunds once. */
  readonly refundId: string
  readonly paymentId: string
  readonly orderNo: string
  readonly amount: number
  readonly currency: string
}

/** A payment in the provider's list of a day, with what it has refunded so far. */
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
  /** About something else, which the service queries by itself. */
  | { readonly kind: 'other' }
  /** Not signed by the provider, not of this time, or not its format. */
  | { readonly kind: 'refused', readonly why: 'signature' | 'time' | 'format' }

/** Calls throw a SourceError; what they do not confirm may have been done. */
export interface PaymentProvider {
  /** Kept with every payment. */
  readonly name: string
  /** Origins of the pages that `create` leads to, and no others. */
  readonly pageOrigins: readonly string[]
  /** Creates the payment of an order, or finds it: repeating it is harmless. */
  create(order: PaymentOrder): Promise<CreatedPayment>
  /** What was taken for an order: none, one, or more where somebody paid twice. */
  query(orderNo: string): Promise<readonly TakenPayment[]>
  /** Whether the refund is certain; the caller repeats a `pending` one. */
  refund(request: RefundRequest): Promise<'refunded' | 'pending'>
  /** All that was taken on a day in China, "2026-11-22". */
  listDay(day: string): Promise<readonly ListedPayment[]>
  /** Verifies the signature before it reads anything. */
  readNotice(notice: RawNotice): Notice
  close(): Promise<void>
}

export interface GatewaySettings extends Credentials {
  readonly baseUrl: string
  /** Where the provider sends its notices. */
  readonly notifyUrl: string
  /** Origins of its payment pages, beside that of `baseUrl`. */
  readonly pageOrigins: readonly string[]
}

export interface GatewayOptions {
  readonly settings: GatewaySettings
  readonly clock: Clock
  readonly observe?: ClientOptions['observe']
  readonly limits?: Partial<PlatformLimits>
}

const CALLS_PER_SECOND = 100
const LIMITS: Partial<PlatformLimits> = { concurrency: 16, queueMax: 256, bytesMax: 1024 * 1024 }
/** A day's list is at most so many pages of 500. */
const PAGES_MAX = 2000

export const createPaymentGateway = (options: GatewayOptions): PaymentProvider =>
  new PaymentGateway(options)

class PaymentGateway implements PaymentProvider {
  readonly name = NAME
  readonly pageOrigins: readonly string[]
  readonly #settings: GatewaySettings
  readonly #clock: Clock
  readonly #client: PlatformClient
  readonly #prefix: string

  constructor({ settings, clock, observe, limits }: GatewayOptions) {
    const base = new URL(settings.baseUrl)
    this.pageOrigins = [...new Set([base.origin, ...settings.pageOrigins])]
    this.#settings = settings
    this.#clock = clock
    this.#prefix = base.pathname === '/' ? '' : base.pathname
    this.#client = createClient({
      source: NAME, baseUrl: settings.baseUrl, clock, observe,
      budget: createLocalBudget({
        clock, ratePerSecond: CALLS_PER_SECOND, burst: CALLS_PER_SECOND,
      }),
      limits: { ...LIMITS, ...limits },
    })
  }

  async create(
    { orderNo, title, amount, expiresAt, returnUrl }: PaymentOrder,
  ): Promise<CreatedPayment> {
    const { pay_url: url } = await this.#call('create', 'POST', '/v1/payments', {
      order_no: orderNo, title, amount, currency: 'CNY', expires_at: expiresAt,
      notify_url: this.#settings.notifyUrl, return_url: returnUrl,
    }, isCreated)
    if (!URL.canParse(url) || !this.pageOrigins.includes(new URL(url).origin)) {
      throw new SourceError(NAME, 'bad_answer', { code: 'page_origin' })
    }
    return { url: new URL(url).href }
  }

  async query(orderNo: string): Promise<readonly TakenPayment[]> {
    const { payments } = await this.#call('query', 'GET',
      `/v1/payments?${new URLSearchParams({ order_no: orderNo })}`, undefined, isPayments)
    return payments.map(toTaken)
  }

  async refund(
    { refundId, paymentId, amount, currency }: RefundRequest,
  ): Promise<'refunded' | 'pending'> {
    const { refund_id: confirmed, status } = await this.#call('refund', 'POST', '/v1/refunds',
      { refund_id: refundId, payment_id: paymentId, amount, currency }, isRefund)
    if (confirmed !== refundId) throw new SourceError(NAME, 'bad_answer')
    return status === 'succeeded' ? 'refunded' : 'pending'
  }

  async listDay(day: string): Promise<ListedPayment[]> {
    const listed: ListedPayment[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null; page += 1) {
      if (page === PAGES_MAX) throw new SourceError(NAME, 'too_large')
      const query = new URLSearchParams({ day, ...(cursor && { cursor }) })
      const part: Day = await this.#call(
        'list_day', 'GET', `/v1/payments?${query}`, undefined, isDay)
      listed.push(...part.payments.map((one) => ({ ...toTaken(one), refunded: one.refunded })))
      cursor = part.next
    }
    return listed
  }

  readNotice(notice: RawNotice): Notice {
    return readNotice(this.#settings, notice, this.#clock.now())
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  #call<T>(
    operation: string, method: 'GET' | 'POST', path: string, content: object | undefined,
    fits: (value: unknown) => value is T,
  ): Promise<T> {
    return this.#client.call({
      operation,
      build: () => {
        const signed = request(
          this.#settings, method, `${this.#prefix}${path}`, content, this.#clock.now())
        // The client puts the base's own path before it.
        return { ...signed, path }
      },
      read(text) {
        const data = read(text)
        if (!fits(data)) throw new SourceError(NAME, 'bad_answer')
        return data
      },
      repeatable: true,
    })
  }
}

function readNotice(
  { merchantId, secrets }: Credentials, { header, body }: RawNotice, now: number,
): Notice {
  const [merchant = '', id = '', time = '', signature = ''] =
    [HEADERS.merchant, HEADERS.id, HEADERS.time, HEADERS.signature].map((name) => header(name))
  const text = body.toString('utf8')
  const message = { merchant, id, time, about: 'notice', body: text }
  if (merchant !== merchantId || !isSigned(secrets, message, signature)) {
    return { kind: 'refused', why: 'signature' }
  }
  if (!(Math.abs(now - Number(time) * 1000) <= SKEW_MS)) {
    return { kind: 'refused', why: 'time' }
  }
  const content = parseOrUndefined(text)
  if (isPaymentNotice(content)) return { kind: 'payment', payment: toTaken(content.payment) }
  // A notice about a payment of another format must not count as read.
  const isOther = isNotice(content) && content.type !== 'payment.succeeded'
  return isOther ? { kind: 'other' } : { kind: 'refused', why: 'format' }
}

const toTaken = (payment: Payment): TakenPayment => ({
  paymentId: payment.payment_id, orderNo: payment.order_no, amount: payment.amount,
  currency: payment.currency, paidAt: payment.paid_at,
})
