/**
 * The payment provider on loopback: a real HTTP server that checks signatures and clocks, shows
 * payers a page, repeats signed notices until they are acknowledged, and fails on demand.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaultList, type FaultList, corruptResponse } from '../simulator/faults.ts'
import type { Clock } from '../time.ts'
import type { GatewaySettings, TakenPayment } from './adapter.ts'
import { type Credentials, HEADERS, isSigned, sign, SKEW_MS } from './signing.ts'

export interface SimPayment {
  readonly paymentId: string
  readonly orderNo: string
  readonly title: string
  readonly amount: number
  readonly expiresAt: number
  readonly notifyUrl: string
  readonly returnUrl: string
}

export interface PayOptions {
  readonly amount?: number
  readonly currency?: string
  /** Whether the notice is sent at once; otherwise `deliver` sends it. */
  readonly isNotified?: boolean
}

export interface PaymentSimulatorOptions extends Credentials {
  readonly clock: Clock
  readonly port?: number
  /** Between attempts at a notice that was not acknowledged. */
  readonly retryMs?: readonly number[]
}

export interface PaymentSimulator {
  readonly url: string
  /** For commands over HTTP: POST /_sim/pay and /_sim/deliver with the header x-sim-token. */
  readonly token: string
  /** Settings with which a node works with it. */
  settings(publicUrl: string): GatewaySettings
  /** Faults of its API by operation: create, query, refund, list_day. */
  readonly faults: FaultList
  /** The payment that was created for an order. */
  created(orderNo: string): SimPayment | undefined
  /** The payer pays, once more each time, whatever the order's time. */
  pay(orderNo: string, options?: PayOptions): Promise<TakenPayment>
  /** Sends the notice of a payment once more; the status of the answer. */
  deliver(payment: TakenPayment, change?: Partial<NoticeParts>): Promise<number>
  /** The next refunds stay `processing` so many times, or are refused. */
  holdRefunds(count: number, kind?: 'processing' | 'refused'): void
  /** The ids of the requested refunds, one a request, oldest first. */
  readonly refundsAsked: readonly string[]
  /** What it holds of an order: taken, and not refunded. */
  holds(orderNo: string): number
  close(): Promise<void>
}

/** Of a notice, for tests that forge one. */
export interface NoticeParts {
  readonly secret: string
  readonly time: number
  readonly body: string
  readonly url: string
}

interface Answer {
  readonly status?: number
  readonly data?: unknown
  readonly error?: string
}

const BODY_MAX = 65_536
const RETRY_MS = [500, 2000, 10_000, 60_000] as const
const DAY_PAGE = 200

export async function startPaymentSimulator(
  options: PaymentSimulatorOptions,
): Promise<PaymentSimulator> {
  const simulator = new Simulator(options)
  await simulator.listen(options.port ?? 0)
  return simulator
}

class Simulator implements PaymentSimulator {
  readonly faults = createFaultList()
  readonly refundsAsked: string[] = []
  readonly token = randomBytes(18).toString('base64url')
  readonly #options: PaymentSimulatorOptions
  readonly #created = new Map<string, SimPayment>()
  readonly #taken: TakenPayment[] = []
  readonly #refunds = new Map<string, { paymentId: string, amount: number }>()
  readonly #held: ('processing' | 'refused')[] = []
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #server: Server
  #port = 0

  constructor(options: PaymentSimulatorOptions) {
    this.#options = options
    this.#server = createServer((incoming, response) => { void this.#serve(incoming, response) })
  }

  get url(): string { return `http://127.0.0.1:${this.#port}` }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    this.#port = (this.#server.address() as AddressInfo).port
  }

  settings(publicUrl: string): GatewaySettings {
    const { merchantId, secrets } = this.#options
    return {
      baseUrl: this.url, merchantId, secrets, pageOrigins: [],
      notifyUrl: `${publicUrl}/payments/callback`,
    }
  }

  created(orderNo: string): SimPayment | undefined { return this.#created.get(orderNo) }

  async pay(orderNo: string, { amount, currency = 'CNY', isNotified = true }: PayOptions = {}) {
    const created = this.#created.get(orderNo)
    if (!created) throw new Error(`No payment was created for ${orderNo}.`)
    const taken: TakenPayment = {
      paymentId: `P${randomUUID().replaceAll('-', '')}`, orderNo, currency,
      amount: amount ?? created.amount, paidAt: this.#options.clock.now(),
    }
    this.#taken.push(taken)
    if (isNotified) await this.#notify(taken, [...this.#options.retryMs ?? RETRY_MS])
    return taken
  }

  /** Repeats it until somebody acknowledges it, as long as this server runs. */
  async #notify(taken: TakenPayment, waits: number[]): Promise<void> {
    const status = await this.deliver(taken).catch(() => 0)
    const [wait, ...left] = waits
    if ((status >= 200 && status < 300) || wait === undefined) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.#notify(taken, left)
    }, wait)
    this.#timers.add(timer)
  }

  async deliver(taken: TakenPayment, change: Partial<NoticeParts> = {}): Promise<number> {
    const { merchantId, secrets, clock } = this.#options
    const body = change.body ?? JSON.stringify({
      type: 'payment.succeeded', payment: wireOf(taken),
    })
    const message = {
      merchant: merchantId, id: randomUUID(), about: 'notice', body,
      time: String(Math.floor((change.time ?? clock.now()) / 1000)),
    }
    const url = change.url ?? this.#created.get(taken.orderNo)?.notifyUrl ?? ''
    const response = await fetch(url, {
      method: 'POST', body, signal: AbortSignal.timeout(10_000),
      headers: {
        'content-type': 'application/json',
        [HEADERS.merchant]: message.merchant, [HEADERS.id]: message.id,
        [HEADERS.time]: message.time,
        [HEADERS.signature]: sign(change.secret ?? secrets[0] ?? '', message),
      },
    })
    await response.arrayBuffer()
    return response.status
  }

  holdRefunds(count: number, kind: 'processing' | 'refused' = 'processing'): void {
    this.#held.push(...Array.from({ length: count }, () => kind))
  }

  holds(orderNo: string): number {
    return this.#taken.filter((one) => one.orderNo === orderNo)
      .reduce((sum, { paymentId, amount }) => sum + amount - this.#refunded(paymentId), 0)
  }

  #refunded(paymentId: string): number {
    return [...this.#refunds.values()].filter((one) => one.paymentId === paymentId)
      .reduce((sum, { amount }) => sum + amount, 0)
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#server.closeAllConnections()
    await new Promise((resolve) => { this.#server.close(resolve) })
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await bodyOf(incoming)
      const url = new URL(incoming.url ?? '/', this.url)
      if (url.pathname.startsWith('/page/')) {
        return await answerPayer(this, this.#byId(url.pathname.slice('/page/'.length)),
          incoming.method === 'POST', response)
      }
      if (url.pathname.startsWith('/_sim/')) return await this.#command(incoming, url, response)
      const operation = operationOf(incoming.method ?? '', url)
      const fault = this.faults.take(operation)
      const { status = 200, ...content } =
        this.#refusal(incoming, url, body) ?? this.#answer(operation, url, body)
      const text = JSON.stringify(content.error === undefined
        ? { data: content.data } : { error: { code: content.error } })
      if (fault && corruptResponse(fault.kind, response, text)) return
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    } catch {
      if (!response.headersSent) response.writeHead(400)
      response.end()
    }
  }

  /** `?order_no=…`: pays, with `notice=off` without a notice, or sends the notice again. */
  async #command(
    { headers, method }: IncomingMessage, { pathname, searchParams }: URL,
    response: ServerResponse,
  ): Promise<void> {
    const orderNo = searchParams.get('order_no') ?? ''
    const isKnown = method === 'POST' && headers['x-sim-token'] === this.token
      && this.#created.has(orderNo)
    if (!isKnown) return void response.writeHead(404).end()
    if (pathname === '/_sim/pay') {
      await this.pay(orderNo, { isNotified: searchParams.get('notice') !== 'off' })
    } else {
      const taken = this.#taken.findLast((one) => one.orderNo === orderNo)
      if (taken) await this.deliver(taken)
    }
    response.writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ holds: this.holds(orderNo) }))
  }

  #byId(paymentId: string): SimPayment | undefined {
    return [...this.#created.values()].find((one) => one.paymentId === paymentId)
  }

  #refusal({ headers, method }: IncomingMessage, url: URL, body: string): Answer | undefined {
    const { merchantId, secrets, clock } = this.#options
    const [merchant = '', id = '', time = '', signature = ''] =
      [HEADERS.merchant, HEADERS.id, HEADERS.time, HEADERS.signature]
        .map((name) => String(headers[name] ?? ''))
    if (merchant !== merchantId) return { status: 401, error: 'merchant' }
    const about = `${method} ${url.pathname}${url.search}`
    if (!isSigned(secrets, { merchant, id, time, about, body }, signature)) {
      return { status: 401, error: 'signature' }
    }
    const isLate = Math.abs(clock.now() - Number(time) * 1000) > SKEW_MS
    return isLate ? { status: 401, error: 'time' } : undefined
  }

  #answer(operation: string, url: URL, body: string): Answer {
    const { searchParams: query } = url
    switch (operation) {
      case 'create': return this.#create(JSON.parse(body) as Record<string, unknown>)
      case 'query': return { data: { payments: this.#taken
        .filter(({ orderNo }) => orderNo === query.get('order_no')).map(wireOf) } }
      case 'list_day': return this.#day(query.get('day') ?? '', Number(query.get('cursor') ?? 0))
      case 'refund': return this.#refund(JSON.parse(body) as Record<string, unknown>)
      default: return { status: 404, error: 'not_found' }
    }
  }

  #create(given: Record<string, unknown>): Answer {
    const orderNo = String(given['order_no'])
    const payment: SimPayment = this.#created.get(orderNo) ?? {
      paymentId: randomBytes(12).toString('hex'), orderNo, title: String(given['title']),
      amount: Number(given['amount']), expiresAt: Number(given['expires_at']),
      notifyUrl: String(given['notify_url']), returnUrl: String(given['return_url']),
    }
    // One order, one payment: another amount under its number is a mistake of the caller.
    if (payment.amount !== given['amount']) return { status: 409, error: 'refused' }
    this.#created.set(orderNo, payment)
    return { data: { pay_url: `${this.url}/page/${payment.paymentId}` } }
  }

  #day(day: string, from: number): Answer {
    const ofDay = this.#taken.filter(({ paidAt }) => chinaDay(paidAt) === day)
    const payments = ofDay.slice(from, from + DAY_PAGE).map((one) =>
      ({ ...wireOf(one), refunded: this.#refunded(one.paymentId) }))
    const next = from + DAY_PAGE < ofDay.length ? String(from + DAY_PAGE) : null
    return { data: { payments, next } }
  }

  #refund(given: Record<string, unknown>): Answer {
    const refundId = String(given['refund_id'])
    const paymentId = String(given['payment_id'])
    const amount = Number(given['amount'])
    this.refundsAsked.push(refundId)
    const payment = this.#taken.find((one) => one.paymentId === paymentId)
    if (!payment) return { status: 404, error: 'not_found' }
    if (!this.#refunds.has(refundId)) {
      const held = this.#held.shift()
      if (held === 'processing') return { data: { refund_id: refundId, status: held } }
      const isTooMuch = this.#refunded(paymentId) + amount > payment.amount
      if (held === 'refused' || isTooMuch) return { status: 409, error: 'refused' }
      this.#refunds.set(refundId, { paymentId, amount })
    }
    return { data: { refund_id: refundId, status: 'succeeded' } }
  }
}

function operationOf(method: string, { pathname, searchParams }: URL): string {
  if (method === 'POST' && pathname === '/v1/payments') return 'create'
  if (method === 'POST' && pathname === '/v1/refunds') return 'refund'
  if (method !== 'GET' || pathname !== '/v1/payments') return 'unknown'
  return searchParams.has('day') ? 'list_day' : 'query'
}

const wireOf = ({ paymentId, orderNo, amount, currency, paidAt }: TakenPayment) => ({
  payment_id: paymentId, order_no: orderNo, amount, currency, paid_at: paidAt,
})

const chinaDay = (ms: number): string =>
  new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10)

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_MAX) throw new RangeError('The body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

// The payer's page: the amount, and a button that pays it.

const ESCAPES: Readonly<Record<string, string>> =
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': 'default-src \'none\'; frame-ancestors \'none\'',
  'referrer-policy': 'no-referrer',
}

async function answerPayer(
  simulator: Pick<PaymentSimulator, 'pay'>, payment: SimPayment | undefined, isPressed: boolean,
  response: ServerResponse,
): Promise<void> {
  if (!payment) {
    response.writeHead(404, PAGE_HEADERS).end('No such payment')
    return
  }
  if (isPressed) {
    await simulator.pay(payment.orderNo)
    response.writeHead(303, { ...PAGE_HEADERS, location: payment.returnUrl }).end()
    return
  }
  // In the browser's own style, light or dark: the policy allows no other.
  response.writeHead(200, PAGE_HEADERS).end('<!doctype html><html lang="zh-CN">'
    + '<meta charset="utf-8">'
    + '<meta name="viewport" content="width=device-width,initial-scale=1">'
    + '<meta name="color-scheme" content="light dark"><title>模拟支付 · Simulated payment</title>'
    + `<main><h1>模拟支付 ¥${(payment.amount / 100).toFixed(2)}</h1>`
    + `<p>${escaped(payment.title)}<p>${escaped(payment.orderNo)}`
    + '<form method="post"><button>确认付款（模拟） · <span lang="en">Pay (simulated)</span></button>'
    + '</form></main>')
}
