/** The cashier: a page that shows an order to its payer, and leads to whoever takes the money. */
import { nowMs, withDeadline } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Locale } from '../site/locale.ts'
import {
  notFoundPage, phaseOf, problemPage, redirect, renderCashier, stateReply, type ItemLook, type Page,
} from './cashier-page.ts'
import type { Orders } from './orders.ts'

export interface Cashier {
  /** GET /pay/:orderNo?t=… */
  show(orderNo: string, token: string, locale: Locale): Promise<Page>
  /** GET /pay/:orderNo/state?t=…: what the page's script asks. */
  state(orderNo: string, token: string): Promise<Page>
  /** POST /pay/:orderNo with the form field t. */
  pay(orderNo: string, token: string, locale: Locale): Promise<Page>
}

type CashierOrders = Pick<Orders, 'payable' | 'pay' | 'payLinks' | 'provider' | 'mode'>

/** The look of an item by its sku_id; undefined where nothing is known of it any more. */
export type LookUp = (skuId: number) => Promise<ItemLook | undefined>

/** A payer waits no longer for a picture. */
const LOOK_MS = 1000

export function createCashier(orders: CashierOrders, lookUp: LookUp): Cashier {
  const { payLinks, provider, mode } = orders

  /** An order can be paid although the shelf is away. */
  const look = (skuId: number): Promise<ItemLook | undefined> =>
    withDeadline(lookUp(skuId), LOOK_MS, () => new Error('The shelf is late.'))
      .catch(() => undefined)

  async function show(
    orderNo: string, token: string, locale: Locale, outcome?: string,
  ): Promise<Page> {
    const order = await orders.payable(orderNo, token)
    if (!order) return notFoundPage(locale)
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
      if (result.outcome === 'not_found') return notFoundPage(locale)
      return result.outcome === 'redirect' ? redirect(result.url)
        : await show(orderNo, token, locale, result.outcome)
    })(), locale),
  }
}

/** A person gets a page for what an agent gets as an error. */
async function orProblem(work: Promise<Page>, locale: Locale): Promise<Page> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) return problemPage(error, locale)
    throw error
  }
}
