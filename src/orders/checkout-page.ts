/** The cashier of a checkout: one page with all its lines, and one act that pays them. */
import escapeHtml from 'escape-html'
import { Refusal } from '../contract/errors.ts'
import { yuanText } from '../contract/money.ts'
import { nowMs } from '../contract/time.ts'
import { card, type Locale, otherLocale, type PerLocale } from '../site/page.ts'
import { type CashierPage, orProblem, PAGE_HEADERS, phaseOf, redirect } from './cashier.ts'
import { CASHIER_WORDS } from './cashier-words.ts'
import type { Checkout, Checkouts } from './checkouts.ts'
import type { Orders } from './orders.ts'
import type { OrderRecord } from './record.ts'

type PageOrders = Pick<Orders, 'payable' | 'pay' | 'cancel' | 'payLinks' | 'provider' | 'mode'>

export interface CheckoutPages {
  show(id: string, token: string, locale: Locale): Promise<CashierPage>
  /** Pays every line, or in the end none: what cannot be paid with the others is given back. */
  pay(id: string, token: string, locale: Locale): Promise<CashierPage>
}

/** Nobody begins to pay lines whose windows may end while it is done. */
const MARGIN_MS = 10_000

interface Words {
  readonly several: (count: number) => string
  readonly notOrdered: string
  readonly oneByOne: string
  readonly pay: string
  readonly notTogether: string
  readonly shipped: string
  readonly delivered: string
}

const WORDS: PerLocale<Words> = {
  en: {
    several: (count) => `${count} orders, paid together`,
    notOrdered: 'Your assistant has not completed this order yet: nothing is reserved.',
    oneByOne: 'Each part is paid on a page of its own:',
    pay: 'Pay',
    notTogether: 'Part of it could not be paid any more, so all of it was given back.',
    shipped: 'Shipped with', delivered: 'Delivered by',
  },
  zh: {
    several: (count) => `${count} 个订单，一次付款`,
    notOrdered: '您的助手尚未完成下单，商品还没有保留。',
    oneByOne: '请逐个付款：',
    pay: '付款',
    notTogether: '其中一部分已无法付款，全部款项都已退回。',
    shipped: '已发货', delivered: '已签收',
  },
}

export function createCheckoutPages(
  checkouts: Pick<Checkouts, 'payable'>, orders: PageOrders,
): CheckoutPages {
  const { payLinks, mode, provider } = orders

  const recordsOf = async ({ orderNos = [] }: Checkout): Promise<OrderRecord[]> =>
    (await Promise.all(orderNos.map((orderNo) =>
      orders.payable(orderNo, tokenOf(orderNo))))).flatMap((record) => record ?? [])
  const tokenOf = (orderNo: string): string =>
    new URL(payLinks.payUrl(orderNo)).searchParams.get('t') ?? ''

  async function show(
    id: string, token: string, locale: Locale, note?: string,
  ): Promise<CashierPage> {
    const checkout = await checkouts.payable(id, token)
    if (!checkout) return page(404, locale, CASHIER_WORDS[locale].unknown, 'closed',
      soft(CASHIER_WORDS[locale].completeLink), `?lang=${otherLocale(locale)}`)
    return render({
      checkout, token, locale, note, records: await recordsOf(checkout),
      // A provider takes one payment for one order.
      isTogether: mode === 'sandbox' && provider !== undefined, payUrl: payLinks.payUrl,
    })
  }

  async function payAll(records: readonly OrderRecord[]): Promise<boolean> {
    const isOpen = ({ status, expiresAt }: OrderRecord): boolean =>
      status === 'pending_payment' && expiresAt > nowMs() + MARGIN_MS
    const outcomes = records.every((record) =>
      isOpen(record) || phaseOf(record, nowMs()) === 'paid')
      ? await inTurn(records, async ({ orderNo }) =>
        (await orders.pay(orderNo, tokenOf(orderNo))).outcome)
      : ['closed']
    if (outcomes.every((outcome) => outcome === 'paid' || outcome === 'already_paid')) return true
    // Whoever bought several things together does not get a part of them.
    await inTurn(records, ({ agent, orderNo }) => orders.cancel(agent, orderNo)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.error !== 'order_state') throw error
      }))
    return false
  }

  return {
    show: (id, token, locale) => orProblem(show(id, token, locale), locale),
    pay: (id, token, locale) => orProblem((async () => {
      const checkout = await checkouts.payable(id, token)
      const records = checkout ? await recordsOf(checkout) : []
      const [only] = records
      if (!only) return await show(id, token, locale)
      if (mode === 'live') {
        return records.length === 1 ? redirect(payLinks.payUrl(only.orderNo))
          : await show(id, token, locale)
      }
      const isPaid = await payAll(records)
      return await show(id, token, locale, isPaid ? undefined : WORDS[locale].notTogether)
    })(), locale),
  }
}

async function inTurn<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const one of list) done.push(await work(one))
  return done
}

interface View {
  readonly checkout: Checkout
  readonly records: readonly OrderRecord[]
  readonly token: string
  readonly locale: Locale
  readonly note: string | undefined
  readonly isTogether: boolean
  readonly payUrl: (orderNo: string) => string
}

const soft = (text: string): string => `<p class="soft">${escapeHtml(text)}</p>`

function render(view: View): CashierPage {
  const { records, locale, note, token, checkout: { id } } = view
  const words = CASHIER_WORDS[locale]
  const other = `${id}?t=${encodeURIComponent(token)}&lang=${otherLocale(locale)}`
  if (records.length === 0) {
    return page(200, locale, words.pending, 'closed', soft(WORDS[locale].notOrdered), other)
  }
  const phases = records.map((record) => phaseOf(record, nowMs()))
  const isPending = phases.includes('pending')
  const isPaid = !isPending && phases.includes('paid')
  const title = isPending ? words.pending : isPaid ? words.alreadyPaid : words.closed
  const body = summary(records, locale)
    + (note === undefined ? '' : soft(note))
    + (isPending ? payPart(view) : soft(isPaid ? words.canClose : words.overUnpaid))
  return page(note === undefined ? 200 : 409, locale, title,
    isPending ? 'pending' : isPaid ? 'paid' : 'closed', body, other)
}

function summary(records: readonly OrderRecord[], locale: Locale): string {
  const words = CASHIER_WORDS[locale]
  const total = records.reduce((sum, { amount }) => sum + amount, 0)
  const rows = records.map((record) => {
    const { title, qty, unitPrice, freight, amount, orderNo } = record
    return `<dt>${escapeHtml(title)} × ${qty}</dt><dd>${yuanText(amount)}<br><span class="soft">`
      + `${yuanText(unitPrice)} × ${qty}, ${words.freight} `
      + `${freight === 0 ? words.free : yuanText(freight)}<br>${parcelOf(record, locale)}`
      + `<span class="no">${escapeHtml(orderNo)}</span></span></dd>`
  }).join('')
  return `<p class="price">${yuanText(total)}</p>${soft(WORDS[locale].several(records.length))}`
    + `<dl>${rows}</dl>`
}

const ARRIVED: ReadonlySet<string> = new Set(['delivered', 'completed'])

/** Where the parcel of an order is; empty before it is shipped. */
function parcelOf({ waybillNo, expressCo, status }: OrderRecord, locale: Locale): string {
  if (waybillNo === undefined) return ''
  const { shipped, delivered } = WORDS[locale]
  const parcel = escapeHtml(`${expressCo ?? ''} ${waybillNo}`)
  return `${ARRIVED.has(status) ? delivered : shipped} ${parcel}<br>`
}

function payPart({ checkout: { id }, records, token, locale, isTogether, payUrl }: View): string {
  const words = CASHIER_WORDS[locale]
  if (!isTogether) {
    const links = records.map(({ orderNo, title }) =>
      `<li><a href="${escapeHtml(payUrl(orderNo))}">${WORDS[locale].pay}: ${
        escapeHtml(title)}</a></li>`)
    return `${soft(WORDS[locale].oneByOne)}<ol>${links.join('')}</ol>`
  }
  return `<form method="post" action="${escapeHtml(id)}">`
    + `<input type="hidden" name="t" value="${escapeHtml(token)}">`
    + `<input type="hidden" name="lang" value="${locale}"><button>${words.payPretended}</button>`
    + `</form><p class="soft middle">${words.pretended}</p>`
}

function page(
  status: number, locale: Locale, title: string, phase: 'pending' | 'paid' | 'closed',
  body: string, other: string,
): CashierPage {
  const { html, policy } = card({
    locale, home: `../?lang=${locale}`, title, status: phase, body, other,
    allowances: { 'form-action': ["'self'"] },
  })
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'], ['Content-Security-Policy', policy],
      ['Vary', 'Accept-Language'], ...PAGE_HEADERS,
    ],
    html,
  }
}
