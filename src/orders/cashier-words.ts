/** What the cashier says to a payer. */
import type { PerLocale } from '../site/page.ts'

const en = {
  pending: 'Waiting for payment',
  paid: 'Payment received',
  alreadyPaid: 'This order is paid',
  refunding: 'This order is being refunded',
  refunded: 'This order was refunded',
  closed: 'This order is closed',
  unknown: 'No such payment',
  problem: 'This cannot be done just now',

  goods: 'Goods',
  freight: 'Delivery',
  free: 'free',
  receiver: 'Receiver',
  order: 'Order',
  payPretended: 'Pay (sandbox)',
  payAtProvider: 'Go to the payment',
  scan: 'Or scan the code and pay on a phone.',
  pretended: 'Sandbox: no real money moves.',
  atProvider: 'You pay on the page of the payment provider.',
  elsewhere: 'The merchant is not paid on this page: pay the way that it told you. This page shows '
    + 'the payment once it was noted.',
  never: 'This order cannot be paid any more. Ask your assistant to order again.',
  left: (minutes: number, seconds: number) =>
    `${minutes} min ${seconds} s were left when this page was opened.`,
  countdown: '{time} left to pay',
  again: 'Paid on another device? Look again',
  canClose: 'You can close this page.',

  overUnpaid: 'The time to pay has passed, or the order was cancelled. Nothing was charged. Ask '
    + 'your assistant to order again.',
  overUnknown: 'The time to pay has passed, or the order was cancelled. If you have paid, the '
    + 'money goes back by itself. Ask your assistant to order again.',
  tooLate: 'The payment arrived when the order was closed.',
  cancelledPaid: 'The order was cancelled, and what was paid is given back.',
  refundGoesBack: 'The refund goes back the way it was paid.',
  returning: (amount: string) => `${amount} is on its way back, the way it was paid.`,
  returned: (amount: string) => `${amount} was given back, the way it was paid.`,
  completeLink: 'Use the complete link that your assistant gave you.',
  openLater: 'Open the link again later: nothing is charged twice.',
}

const zh: typeof en = {
  pending: '等待支付',
  paid: '支付成功',
  alreadyPaid: '订单已支付',
  refunding: '退款处理中',
  refunded: '订单已退款',
  closed: '订单已关闭',
  unknown: '找不到付款单',
  problem: '暂时无法处理',

  goods: '商品',
  freight: '运费',
  free: '包邮',
  receiver: '收货人',
  order: '订单号',
  payPretended: '模拟支付',
  payAtProvider: '去支付',
  scan: '或用手机扫码支付。',
  pretended: '沙箱环境：不会产生真实扣款。',
  atProvider: '付款在支付机构的页面完成。',
  elsewhere: '商家不在此页收款：请按商家告知的方式付款，到账登记后此页会显示。',
  never: '此订单不能再付款。请让助手重新下单。',
  left: (minutes, seconds) => `打开此页时剩余 ${minutes} 分 ${seconds} 秒。`,
  countdown: '剩余支付时间 {time}',
  again: '已在其他设备付款？查看结果',
  canClose: '可以关闭此页面。',

  overUnpaid: '付款时间已过或订单已取消，没有扣款。请让助手重新下单。',
  overUnknown: '付款时间已过或订单已取消。如果您已付款，款项会自动原路退回。请让助手重新下单。',
  tooLate: '付款到达时订单已关闭。',
  cancelledPaid: '订单已取消，已付金额原路退回。',
  refundGoesBack: '退款按原付款方式退回。',
  returning: (amount) => `${amount} 正在原路退回。`,
  returned: (amount) => `${amount} 已原路退回。`,
  completeLink: '请使用助手给出的完整链接。',
  openLater: '请稍后重新打开此链接，不会重复扣款。',
}

export type CashierWords = typeof en
export const CASHIER_WORDS: PerLocale<CashierWords> = { en, zh }
