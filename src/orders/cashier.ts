/** The cashier: a page that shows an order to its payer, and leads to whoever takes the money. */
import escapeHtml from 'escape-html'
import { nowMs, withDeadline } from '../contract/time.ts'
import { ERRORS, Refusal } from '../contract/errors.ts'
import { card, type Card, type Locale, otherLocale } from '../site/page.ts'
import type { Orders } from './orders.ts'
import QRCode from 'qrcode'
import { yuanText } from '../contract/money.ts'
import { CASHIER_SCRIPT } from './cashier-script.ts'
import { CASHIER_WORDS, type CashierWords } from './cashier-words.ts'
import type { OrderRecord } from './record.ts'

export interface Cashier {
  /** GET /pay/:orderNo?t=… */
  show(orderNo: string, token: string, locale: Locale): Promise<CashierPage>
  /** GET /pay/:orderNo/state?t=…: what the page's script asks. */
  state(orderNo: string, token: string): Promise<CashierPage>
  /** POST /pay/:orderNo with the form field t. */
  pay(orderNo: string, token: string, locale: Locale): Promise<CashierPage>
}

type CashierOrders = Pick<Orders, 'payable' | 'pay' | 'payLinks' | 'provider' | 'mode'>

/** The look of an item by its sku_id; undefined where nothing is known of it any more. */
type LookUp = (skuId: number) => Promise<ItemLook | undefined>

/** A payer waits no longer for a picture. */
const LOOK_MS = 1000

export function createCashier(orders: CashierOrders, lookUp: LookUp): Cashier {
  const { payLinks, provider, mode } = orders

  /** An order can be paid although the shelf is down. */
  const look = (skuId: number): Promise<ItemLook | undefined> =>
    withDeadline(lookUp(skuId), LOOK_MS, () => new Error('The shelf is late.'))
      .catch(() => undefined)

  async function show(
    orderNo: string, token: string, locale: Locale, outcome?: string,
  ): Promise<CashierPage> {
    const order = await orders.payable(orderNo, token)
    if (!order) return unknownOrderPage(locale)
    return await renderCashier({
      order,
      item: await look(order.skuId),
      payUrl: payLinks.payUrl(orderNo),
      token,
      way: order.mode !== mode ? 'never' : !provider ? 'elsewhere'
        : mode === 'sandbox' ? 'pretended' : 'provider',
      pageOrigins: provider?.pageOrigins ?? [],
      nowMs: nowMs(),
      locale,
    }, outcome)
  }
  return {
    show: (orderNo, token, locale) => orProblem(show(orderNo, token, locale), locale),
    async state(orderNo, token) {
      const order = await orders.payable(orderNo, token)
      return stateReply(order && phaseOf(order, nowMs()))
    },
    pay: (orderNo, token, locale) => orProblem((async () => {
      const result = await orders.pay(orderNo, token)
      if (result.outcome === 'not_found') return unknownOrderPage(locale)
      return result.outcome === 'redirect' ? redirect(result.url)
        : await show(orderNo, token, locale, result.outcome)
    })(), locale),
  }
}

/** A person gets a page for what an agent gets as an error. */
export async function orProblem(work: Promise<CashierPage>, locale: Locale): Promise<CashierPage> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) return problemPage(error, locale)
    throw error
  }
}

export interface CashierPage {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly html: string
}

/** How an order can be paid here: with pretended money, at a provider, or not on this page. */
export type Way = 'pretended' | 'provider' | 'elsewhere' | 'never'

/** What the shelf says of the item, where it does. */
export interface ItemLook {
  readonly shop: string
  /** Path of a picture of this service, such as `images/1-1.svg`. */
  readonly image: string | undefined
}

interface CashierView {
  readonly order: OrderRecord
  readonly item: ItemLook | undefined
  readonly payUrl: string
  readonly token: string
  readonly way: Way
  /** Where the button may lead. */
  readonly pageOrigins: readonly string[]
  readonly nowMs: number
  readonly locale: Locale
}

/** What the page of an order is about. */
type PaymentPhase = 'pending' | 'paid' | 'refunding' | 'refunded' | 'closed'

export function phaseOf({ status, expiresAt }: OrderRecord, nowMs: number): PaymentPhase {
  if (status === 'pending_payment') return expiresAt <= nowMs ? 'closed' : 'pending'
  return status === 'closed' || status === 'refunding' || status === 'refunded' ? status : 'paid'
}

/** The address holds a token: it is neither cached nor sent on as a referrer. */
export const PAGE_HEADERS = [
  ['Referrer-Policy', 'no-referrer'],
  ['X-Robots-Tag', 'noindex'],
  ['Cache-Control', 'no-store'],
] as const

/** On to the page of somebody else. */
export const redirect = (url: string): CashierPage =>
  ({ status: 303, headers: [['Location', url], ...PAGE_HEADERS], html: '' })

/** For the page's script; undefined where the page would not be shown either. */
const stateReply = (phase: PaymentPhase | undefined): CashierPage => ({
  status: phase === undefined ? 404 : 200,
  headers: [['Content-Type', 'application/json; charset=utf-8'], ...PAGE_HEADERS],
  html: JSON.stringify({ phase: phase ?? null }),
})

type Parts = Pick<Card, 'title' | 'status' | 'body' | 'other' | 'script' | 'allowances'>

function reply(status: number, locale: Locale, parts: Parts): CashierPage {
  const { html, policy } = card({ locale, home: `../?lang=${locale}`, ...parts })
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'], ['Content-Security-Policy', policy],
      ['Vary', 'Accept-Language'], ...PAGE_HEADERS,
    ],
    html,
  }
}

const address = ({ order, token }: CashierView, lang: string): string =>
  `${order.orderNo}?t=${encodeURIComponent(token)}&lang=${lang}`

const note = (text: string): string => `<p class="soft">${escapeHtml(text)}</p>`

/** What the order's phase means to its payer; `outcome` is that of a payment just made. */
async function renderCashier(view: CashierView, outcome?: string): Promise<CashierPage> {
  const { order, locale, nowMs } = view
  const words = CASHIER_WORDS[locale]
  const phase = outcome === 'closed' ? 'closed' : phaseOf(order, nowMs)
  const page = (
    status: number, title: string, body: string, more: Partial<Parts> = {},
  ): CashierPage =>
    reply(status, locale, {
      title, body: `${summary(view, words)}${body}`, other: address(view, otherLocale(locale)),
      status: phase === 'pending' || phase === 'paid' ? phase : 'closed', ...more,
      allowances: { 'img-src': ["'self'", 'data:'], ...more.allowances },
    })
  switch (phase) {
    case 'closed':
      return page(outcome ? 409 : 200, words.closed, closedNote(view, words))
    case 'refunding':
    case 'refunded':
      return page(200, words[phase], refundNote(view, words) || note(words.refundGoesBack))
    case 'paid':
      return page(200, outcome === 'paid' ? words.paid : words.alreadyPaid,
        refundNote(view, words) + note(words.canClose))
    case 'pending':
      return page(200, words.pending, await pendingBody(view, words), {
        script: CASHIER_SCRIPT,
        allowances: {
          'form-action': ["'self'", ...view.pageOrigins], 'connect-src': ["'self'"],
        },
      })
  }
}

function closedNote(view: CashierView, words: CashierWords): string {
  const { order, way } = view
  const returned = refundNote(view, words)
  if (order.events.some(({ event }) => event === 'paid')) {
    return returned || note(words.cancelledPaid)
  }
  if (returned) return note(words.tooLate) + returned
  // Money may be on its way that nobody here knows of yet.
  const mayBePaid = way === 'provider' || way === 'elsewhere'
  return note(mayBePaid ? words.overUnknown : words.overUnpaid)
}

/** Empty where no money goes back. */
function refundNote({ order: { refund } }: CashierView, words: CashierWords): string {
  if (!refund) return ''
  const say = refund.arrivedAt === undefined ? words.returning : words.returned
  return note(say(yuanText(refund.amount)))
}

async function pendingBody(view: CashierView, words: CashierWords): Promise<string> {
  const { order, token, locale } = view
  const leftMs = Math.max(0, order.expiresAt - view.nowMs)
  const qr = await QRCode.toString(view.payUrl, { type: 'svg', margin: 2 })
  const left = words.left(Math.floor(leftMs / 60_000), Math.floor(leftMs / 1000) % 60)
  const again = escapeHtml(address(view, locale))
  const state = escapeHtml(`${order.orderNo}/state?t=${encodeURIComponent(token)}`)
  return `${refundNote(view, words)}${payPart(view, words)}`
    + `<p class="soft middle left" role="timer" data-words="${words.countdown}" `
    + `data-left="${leftMs}" data-state="${state}" data-again="${again}">${left}</p>`
    + `<p class="soft middle"><a href="${again}">${words.again}</a></p>`
    + `<div class="qr">${qr}<p class="soft">${words.scan}</p></div>`
}

function payPart(view: CashierView, words: CashierWords): string {
  const { way, order, token, locale } = view
  if (way === 'elsewhere' || way === 'never') return note(words[way])
  const [label, meaning] = way === 'pretended' ? [words.payPretended, words.pretended]
    : [words.payAtProvider, words.atProvider]
  return `<form method="post" action="${escapeHtml(order.orderNo)}">`
    + `<input type="hidden" name="t" value="${escapeHtml(token)}">`
    + `<input type="hidden" name="lang" value="${locale}"><button>${label}</button></form>`
    + `<p class="soft middle">${meaning}</p>`
}

function summary({ order, item }: CashierView, words: CashierWords): string {
  const { title, qty, unitPrice, freight, amount, orderNo, given } = order
  const { name, phone, province, city, district, address: street } = given.receiver_masked
  const rows: readonly (readonly [string, string])[] = [
    [words.goods, `${yuanText(unitPrice)} × ${qty}`],
    [words.freight, freight === 0 ? words.free : yuanText(freight)],
    [words.receiver, `${name} ${phone}\n${province}${city}${district}${street}`],
  ]
  const picture = item?.image === undefined ? ''
    : `<img src="../${escapeHtml(item.image)}" alt="" width="72" height="72">`
  const shop = item ? `<p class="soft">${escapeHtml(item.shop)}</p>` : ''
  return `<div class="item">${picture}<div><p>${escapeHtml(title)} × ${qty}</p>${shop}</div></div>`
    + `<p class="price">${yuanText(amount)}</p><dl>`
    + rows.map(([label, text]) => `<dt>${label}</dt><dd>${
      escapeHtml(text).replaceAll('\n', '<br>')}</dd>`).join('')
    + `<dt>${words.order}</dt><dd class="no">${escapeHtml(orderNo)}</dd></dl>`
}

/** The same for an unknown order, a wrong token and none: the page tells nobody which. */
function unknownOrderPage(locale: Locale): CashierPage {
  const { unknown, completeLink } = CASHIER_WORDS[locale]
  return reply(404, locale, { title: unknown, status: 'closed', body: note(completeLink) })
}

function problemPage({ error }: Refusal, locale: Locale): CashierPage {
  const { problem, openLater } = CASHIER_WORDS[locale]
  return reply(ERRORS[error].status, locale, {
    title: problem, status: 'closed', body: note(openLater),
  })
}
