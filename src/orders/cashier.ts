/** The cashier: a page that shows an order to its payer, and leads to whoever takes the money. */
import QRCode from 'qrcode'
import { nowMs } from '../clock.ts'
import { ERRORS, Refusal } from '../errors.ts'
import { escapeHtml } from '../html.ts'
import { yuanText } from '../money.ts'
import { bilingual, page, redirect, type Page } from './cashier-page.ts'
import type { Orders } from './orders.ts'
import type { OrderRecord } from './record.ts'

export interface Cashier {
  /** GET /pay/:orderNo?t=… */
  show(orderNo: string, token: string): Promise<Page>
  /** POST /pay/:orderNo with the form field t. */
  pay(orderNo: string, token: string): Promise<Page>
}

/** How an order can be paid here: with pretended money, at a provider, or not on this page. */
type Way = 'pretended' | 'provider' | 'elsewhere' | 'never'

export interface CashierView {
  readonly order: OrderRecord
  readonly payUrl: string
  readonly token: string
  readonly way: Way
  /** Where the button may lead. */
  readonly pageOrigins: readonly string[]
  readonly nowMs: number
}

type CashierOrders = Pick<Orders, 'payable' | 'pay' | 'payLinks' | 'provider' | 'mode'>

export function createCashier(orders: CashierOrders): Cashier {
  const { payLinks, provider, mode } = orders

  async function show(orderNo: string, token: string, outcome?: string): Promise<Page> {
    const order = await orders.payable(orderNo, token)
    if (!order) return notFoundPage()
    return await renderCashier({
      order,
      payUrl: payLinks.payUrl(orderNo),
      token,
      way: order.mode !== mode ? 'never' : !provider ? 'elsewhere'
        : mode === 'sandbox' ? 'pretended' : 'provider',
      pageOrigins: provider?.pageOrigins ?? [],
      nowMs: nowMs(),
    }, outcome)
  }
  return {
    show: (orderNo, token) => orProblem(show(orderNo, token)),
    pay: (orderNo, token) => orProblem((async () => {
      const result = await orders.pay(orderNo, token)
      if (result.outcome === 'not_found') return notFoundPage()
      return result.outcome === 'redirect' ? redirect(result.url)
        : await show(orderNo, token, result.outcome)
    })()),
  }
}

/** A person gets a page for what an agent gets as an error. */
async function orProblem(work: Promise<Page>): Promise<Page> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) return problemPage(error)
    throw error
  }
}

/** What the order's status means to its payer; `outcome` is that of a payment just made. */
export async function renderCashier(view: CashierView, outcome?: string): Promise<Page> {
  const { order } = view
  if (order.status === 'closed' || outcome === 'closed') {
    return page({
      status: outcome ? 409 : 200,
      title: bilingual('订单已关闭', 'This order is closed'),
      mood: 'closed',
      body: summary(view) + closedNote(view),
    })
  }
  if (order.status === 'refunding' || order.status === 'refunded') {
    return page({
      status: 200,
      title: order.status === 'refunding' ? bilingual('退款处理中', 'This order is being refunded')
        : bilingual('订单已退款', 'This order was refunded'),
      mood: 'closed',
      body: summary(view) + (refundNote(view)
        || note('退款按原付款方式退回。', 'The refund goes back the way it was paid.')),
    })
  }
  if (order.status !== 'pending_payment') {
    return page({
      status: 200,
      title: outcome === 'paid' ? bilingual('支付成功', 'Payment received')
        : bilingual('订单已支付', 'This order is paid'),
      mood: 'paid',
      body: summary(view) + refundNote(view)
        + note('可以关闭此页面。', 'You can close this page.'),
    })
  }
  return await pendingPage(view)
}

function closedNote(view: CashierView): string {
  const { order, way } = view
  const returned = refundNote(view)
  if (order.events.some(({ event }) => event === 'paid')) {
    return returned || note('订单已取消，已付金额原路退回。',
      'The order was cancelled, and what was paid is given back.')
  }
  if (returned) {
    return note('付款到达时订单已关闭。', 'The payment arrived when the order was closed.') + returned
  }
  const over = '付款时间已过或订单已取消'
  const overEnglish = 'The time to pay has passed, or the order was cancelled.'
  return way === 'provider' || way === 'elsewhere'
    // Money may be on its way that nobody here knows of yet.
    ? note(`${over}。如果您已付款，款项会自动原路退回。请让助手重新下单。`,
      `${overEnglish} If you have paid, the money goes back by itself. `
      + 'Ask your assistant to order again.')
    : note(`${over}，没有扣款。请让助手重新下单。`,
      `${overEnglish} Nothing was charged. Ask your assistant to order again.`)
}

/** Empty where no money goes back. */
function refundNote({ order: { refund } }: CashierView): string {
  if (!refund) return ''
  const amount = escapeHtml(yuanText(refund.amount))
  return refund.arrivedAt === undefined
    ? note(`${amount} 正在原路退回。`, `${amount} is on its way back, the way it was paid.`)
    : note(`${amount} 已原路退回。`, `${amount} was given back, the way it was paid.`)
}

/** A page that loaded itself again would take the focus along: looking again is a link. */
async function pendingPage(view: CashierView): Promise<Page> {
  const left = Math.max(0, view.order.expiresAt - view.nowMs)
  const minutes = Math.floor(left / 60_000)
  const seconds = Math.floor(left / 1000) % 60
  const qr = await QRCode.toString(view.payUrl, { type: 'svg', margin: 2 })
  return page({
    status: 200,
    title: bilingual('等待支付', 'Waiting for payment'),
    mood: 'pending',
    formTargets: view.pageOrigins,
    body: `${summary(view)}<div class="qr">${qr}</div>${refundNote(view)}
${payPart(view)}<p class="left">${bilingual(`打开此页时剩余 ${minutes} 分 ${seconds} 秒`,
  `${minutes} min ${seconds} s were left when this page was opened`)}</p>
<p><a href="${escapeHtml(`${view.order.orderNo}?t=${encodeURIComponent(view.token)}`)}">${
  bilingual('已在其他设备付款？查看结果', 'Paid on another device? Look again')}</a></p>`,
  })
}

function payPart(view: CashierView): string {
  const form = (label: string): string => `${note('用手机扫码打开此页，或直接点击按钮。',
    'Scan to open this page on a phone, or use the button.')}
<form method="post" action="${escapeHtml(view.order.orderNo)}">
<input type="hidden" name="t" value="${escapeHtml(view.token)}">
<button>${label}</button></form>`
  switch (view.way) {
    case 'pretended':
      return form(bilingual('模拟支付', 'Pay (sandbox)'))
        + note('沙箱环境：不会产生真实扣款。', 'Sandbox: no real money moves.')
    case 'provider':
      return form(bilingual('去支付', 'Go to the payment'))
        + note('付款在支付机构的页面完成。', 'You pay on the page of the payment provider.')
    case 'elsewhere':
      return note('商家不在此页收款：请按商家告知的方式付款，到账登记后此页会显示。',
        'The merchant is not paid on this page: pay the way that it told you. '
        + 'This page shows the payment once it was noted.')
    case 'never':
      return note('此订单不能再付款。请让助手重新下单。',
        'This order cannot be paid any more. Ask your assistant to order again.')
  }
}

function summary({ order }: CashierView): string {
  return `<p class="amount">${escapeHtml(yuanText(order.amount))}</p>
<dl><dt>${bilingual('商品', 'Item')}</dt><dd>${escapeHtml(order.title)} × ${order.qty}</dd>
<dt>${bilingual('运费', 'Freight')}</dt><dd>${escapeHtml(yuanText(order.freight))}</dd>
<dt>${bilingual('订单号', 'Order')}</dt><dd class="no">${escapeHtml(order.orderNo)}</dd></dl>`
}

/** The same for an unknown order, a wrong token and none: the page tells nobody which. */
const notFoundPage = (): Page => page({
  status: 404,
  title: bilingual('找不到付款单', 'No such payment'),
  mood: 'closed',
  body: note('请使用助手给出的完整链接。', 'Use the complete link that your assistant gave you.'),
})

const problemPage = (problem: Refusal): Page => page({
  status: ERRORS[problem.error].status,
  title: bilingual('暂时无法处理', 'This cannot be done just now'),
  mood: 'closed',
  body: note('请稍后重新打开此链接，不会重复扣款。',
    'Open the link again later: nothing is charged twice.'),
})

const note = (chinese: string, english: string): string =>
  `<p class="note">${bilingual(chinese, english)}</p>`
