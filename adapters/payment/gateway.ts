/** The payment provider that is reached over HTTP. Every call may be repeated. */
import { createLocalBudget } from '../budget.ts'
import { SourceError } from '../failure.ts'
import { createClient, type ClientOptions } from '../http.ts'
import { parseJson } from '../json.ts'
import type { Limits } from '../limits.ts'
import type { Clock } from '../time.ts'
import type { ListedPayment, Notice, PaymentProvider, RawNotice } from './contract.ts'
import * as dialect from './dialect.ts'
import {
  isCreated, isDay, isNotice, isPaymentNotice, isPayments, isRefund, toTaken, type Day,
} from './wire.ts'

export interface GatewaySettings extends dialect.Credentials {
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
  readonly limits?: Partial<Limits>
}

const { NAME, HEADERS } = dialect
const CALLS_PER_SECOND = 100
const LIMITS: Partial<Limits> = { concurrency: 16, queueMax: 256, bytesMax: 1024 * 1024 }
/** A day's list is at most so many pages of 500. */
const PAGES_MAX = 2000

export function createPaymentGateway(options: GatewayOptions): PaymentProvider {
  const { settings, clock, observe } = options
  const client = createClient({
    source: NAME, baseUrl: settings.baseUrl, clock, observe,
    budget: createLocalBudget({
      clock, ratePerSecond: CALLS_PER_SECOND, burst: CALLS_PER_SECOND,
    }),
    limits: { ...LIMITS, ...options.limits },
  })
  const base = new URL(settings.baseUrl)
  const prefix = base.pathname === '/' ? '' : base.pathname
  const pageOrigins = [...new Set([base.origin, ...settings.pageOrigins])]

  async function call<T>(
    operation: string, method: 'GET' | 'POST', path: string, content: object | undefined,
    fits: (value: unknown) => value is T,
  ): Promise<T> {
    return await client.call({
      operation,
      build: () => {
        const signed = dialect.request(
          settings, method, `${prefix}${path}`, content, clock.now())
        // The client puts the base's own path before it.
        return { ...signed, path }
      },
      read(text) {
        const data = dialect.read(text)
        if (!fits(data)) throw new SourceError(NAME, 'bad_answer')
        return data
      },
      repeatable: true,
    })
  }

  async function listDay(day: string): Promise<ListedPayment[]> {
    const listed: ListedPayment[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null; page += 1) {
      if (page === PAGES_MAX) throw new SourceError(NAME, 'too_large')
      const query = new URLSearchParams({ day, ...(cursor && { cursor }) })
      const part: Day = await call('list_day', 'GET', `/v1/payments?${query}`, undefined, isDay)
      listed.push(...part.payments.map((one) => ({ ...toTaken(one), refunded: one.refunded })))
      cursor = part.next
    }
    return listed
  }

  return {
    name: NAME,
    pageOrigins,
    async create({ orderNo, title, amount, expiresAt, returnUrl }) {
      const { pay_url: url } = await call('create', 'POST', '/v1/payments', {
        order_no: orderNo, title, amount, currency: 'CNY', expires_at: expiresAt,
        notify_url: settings.notifyUrl, return_url: returnUrl,
      }, isCreated)
      if (!URL.canParse(url) || !pageOrigins.includes(new URL(url).origin)) {
        throw new SourceError(NAME, 'bad_answer', { code: 'page_origin' })
      }
      return { url: new URL(url).href }
    },
    async query(orderNo) {
      const { payments } = await call('query', 'GET',
        `/v1/payments?${new URLSearchParams({ order_no: orderNo })}`, undefined, isPayments)
      return payments.map(toTaken)
    },
    async refund({ refundId, paymentId, amount, currency }) {
      const { refund_id: confirmed, status } = await call('refund', 'POST', '/v1/refunds',
        { refund_id: refundId, payment_id: paymentId, amount, currency }, isRefund)
      if (confirmed !== refundId) throw new SourceError(NAME, 'bad_answer')
      return status === 'succeeded' ? 'refunded' : 'pending'
    },
    listDay,
    readNotice: (notice) => readNotice(settings, notice, clock.now()),
    close: () => client.close(),
  }
}

function readNotice(
  { merchantId, secrets }: dialect.Credentials, { header, body }: RawNotice, now: number,
): Notice {
  const [merchant = '', id = '', time = '', signature = ''] =
    [HEADERS.merchant, HEADERS.id, HEADERS.time, HEADERS.signature].map((name) => header(name))
  const text = body.toString('utf8')
  const message = { merchant, id, time, about: 'notice', body: text }
  if (merchant !== merchantId || !dialect.isSigned(secrets, message, signature)) {
    return { kind: 'refused', why: 'signature' }
  }
  if (!(Math.abs(now - Number(time) * 1000) <= dialect.SKEW_MS)) {
    return { kind: 'refused', why: 'time' }
  }
  const content = parsed(text)
  if (isPaymentNotice(content)) return { kind: 'payment', payment: toTaken(content.payment) }
  // One about a payment that does not fit must not be taken for read.
  const isOther = isNotice(content) && content.type !== 'payment.succeeded'
  return isOther ? { kind: 'other' } : { kind: 'refused', why: 'format' }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
