/** The sandbox cashier: a page that shows an order to its payer and takes pretended money. */
import QRCode from 'qrcode'
import { nowMs } from '../clock.ts'
import { ERRORS, Refusal } from '../errors.ts'
import { escapeHtml } from '../html.ts'
import { yuanText } from '../money.ts'
import { bilingual, page, type Page } from './cashier-page.ts'
import type { Orders } from './orders.ts'
import type { OrderRecord } from './record.ts'

export interface Cashier {
  /** GET /pay/:orderNo?t=… */
  show(orderNo: string, token: string): Promise<Page>
  /** POST /pay/:orderNo with the form field t. */
  pay(orderNo: string, token: string): Promise<Page>
}

export interface CashierView {
  readonly order: OrderRecord
  readonly payUrl: string
  readonly token: string
  readonly isOpen: boolean
  readonly nowMs: number
}

export function createCashier(orders: Pick<Orders, 'payable' | 'pay' | 'payments'>): Cashier {
  async function show(orderNo: string, token: string, outcome?: string): Promise<Page> {
    const order = await orders.payable(orderNo, token)
    if (!order) return notFoundPage()
    return await renderCashier({
      order,
      payUrl: orders.payments.payUrl(orderNo),
      token,
      isOpen: orders.payments.isOpen,
      nowMs: nowMs(),
    }, outcome)
  }
  return {
    show: (orderNo, token) => orProblem(show(orderNo, token)),
    pay: (orderNo, token) => orProblem((async () => {
      const { outcome } = await orders.pay(orderNo, token)
      return outcome === 'not_found' ? notFoundPage() : await show(orderNo, token, outcome)
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
    const wasPaid = order.events.some(({ event }) => event === 'paid')
    return page({
      status: outcome ? 409 : 200,
      title: bilingual('订单已关闭', 'This order is closed'),
      mood: 'closed',
      body: summary(view) + (wasPaid
        ? note('订单已取消，已付金额原路退回。',
          'The order was cancelled, and what was paid is given back.')
        : note('付款时间已过或订单已取消，没有扣款。请让助手重新下单。',
          'The time to pay has passed, or the order was cancelled. Nothing was charged. '
          + 'Ask your assistant to order again.')),
    })
  }
  if (order.status === 'refunding' || order.status === 'refunded') {
    return page({
      status: 200,
      title: order.status === 'refunding' ? bilingual('退款处理中', 'This order is being refunded')
        : bilingual('订单已退款', 'This order was refunded'),
      mood: 'closed',
      body: summary(view)
        + note('退款按原付款方式退回。', 'The refund goes back the way it was paid.'),
    })
  }
  if (order.status !== 'pending_payment') {
    return page({
      status: 200,
      title: outcome === 'paid' ? bilingual('支付成功', 'Payment received')
        : bilingual('订单已支付', 'This order is paid'),
      mood: 'paid',
      body: summary(view) + note('可以关闭此页面。', 'You can close this page.'),
    })
  }
  return await pendingPage(view)
}

/** A page that loaded itself again would take the focus along: looking again is a link. */
async function pendingPage(view: CashierView): Promise<Page> {
  const left = Math.max(0, view.order.expiresAt - view.nowMs)
  const minutes = Math.floor(left / 60_000)
  const seconds = Math.floor(left / 1000) % 60
  const qr = await QRCode.toString(view.payUrl, { type: 'svg', margin: 2 })
  const button = view.isOpen
    ? `<form method="post" action="${escapeHtml(view.order.orderNo)}">
<input type="hidden" name="t" value="${escapeHtml(view.token)}">
<button>${bilingual('模拟支付', 'Pay (sandbox)')}</button></form>`
    : note('暂未开放支付。', 'Payments are not open yet.')
  return page({
    status: 200,
    title: bilingual('等待支付', 'Waiting for payment'),
    mood: 'pending',
    body: `${summary(view)}<div class="qr">${qr}</div>
${note('用手机扫码打开此页，或直接点击按钮。', 'Scan to open this page on a phone, or use the button.')}
${button}<p class="left">${bilingual(`打开此页时剩余 ${minutes} 分 ${seconds} 秒`,
  `${minutes} min ${seconds} s were left when this page was opened`)}</p>
<p><a href="${escapeHtml(`${view.order.orderNo}?t=${encodeURIComponent(view.token)}`)}">${
  bilingual('已在其他设备付款？查看结果', 'Paid on another device? Look again')}</a></p>
${note('沙箱环境：不会产生真实扣款。', 'Sandbox: no real money moves.')}`,
  })
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
