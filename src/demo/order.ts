/** The second half of the story: an order, its parcel, its return. */
import { randomUUID } from 'node:crypto'
import QRCode from 'qrcode'
import type { Static } from 'typebox'
import { monotonicMs, sleep } from '../contract/time.ts'
import { yuanText } from '../contract/money.ts'
import { createOrder } from '../operations/create-order.ts'
import { getLogistics } from '../operations/get-logistics.ts'
import { getOrderStatus } from '../operations/get-order-status.ts'
import { RECEIVER_EXAMPLE } from '../operations/order-fields.ts'
import { previewOrder } from '../operations/preview-order.ts'
import { requestAftersale } from '../operations/request-aftersale.ts'
import { payAtCashier, post, Refused, type Agent } from './agent.ts'
import type { Goods } from './choose.ts'
import type { Stage } from './stage.ts'

type OrderInput = Static<typeof createOrder.input>
type Placed = Static<typeof createOrder.output>
type Order = Static<typeof getOrderStatus.output>

export interface Shopping {
  readonly url: string
  readonly key: string
  readonly agent: Agent
  readonly stage: Stage
  /** How often the order is read while something is awaited, in milliseconds. */
  readonly pollMs: number
}

/** Longer than the slowest of the sandbox's ways at its usual pace. */
const WAITED_MS_MAX = 300_000

/** Asks, orders, and shows that a retry is no second order. */
export async function placeOrder(shopping: Shopping, goods: Goods): Promise<Placed> {
  const { url, key, agent, stage } = shopping
  const { merchant_id, product_id } = goods
  await stage.chapter('Preview, and ask the user')
  const preview = await post(previewOrder, { url, key, body: { merchant_id, product_id, qty: 1 } })
  const { name, phone, province, city, district, address } = RECEIVER_EXAMPLE
  stage.say(`${goods.title} × 1, from ${goods.shop}`, 'item')
  stage.say(`${yuanText(preview.unit_price)} + ${yuanText(preview.freight)} freight = `
    + stage.strong(yuanText(preview.amount)), 'amount')
  stage.say(`${name}, ${phone}, ${province}${city}${district}${address}`, 'receiver')
  stage.say(`within ${goods.ship_within_hours} hours; ${preview.available_qty} in stock`, 'ships')
  stage.note('An agent stops here and waits for its user\'s yes. The demo says yes for you.')

  await stage.chapter('Order, once')
  const input: OrderInput = {
    idempotency_key: randomUUID(), merchant_id, product_id, qty: 1, receiver: RECEIVER_EXAMPLE,
    user_ref: 'demo-user', quote_token: preview.quote_token,
  }
  const placed = await agent.call(createOrder, input)
  stage.say(`${stage.strong(placed.order_no)}, ${yuanText(placed.amount)}, ${placed.status}`,
    'placed')
  const again = await agent.call(createOrder, input)
  stage.say(`${again.order_no}, duplicate: ${again.duplicate}`, 'sent again')
  try {
    const { quote_token: _, ...rest } = input
    await agent.call(createOrder, { ...rest, qty: 2 })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    stage.say(error.error, 'two of them')
  }
  stage.note('The same idempotency_key is the same order, after any timeout or crash.')
  return placed
}

/** A person's part: the cashier page. */
export async function pay({ url, stage }: Shopping, placed: Placed): Promise<void> {
  const { pay_url = '', render_hint, expire_in_minutes } = placed
  await stage.chapter('Pay at the sandbox cashier')
  stage.say(`as render_hint says, ${render_hint}: ${pay_url}`, 'shown')
  const code = await QRCode.toString(pay_url, { type: 'utf8', errorCorrectionLevel: 'L' })
  for (const line of code.split('\n').filter((one) => one.trim() !== '')) stage.say(line)
  stage.note(`Unpaid, it closes by itself after ${expire_in_minutes} minutes.`)
  await payAtCashier(url, pay_url)
  stage.say('the button of the page was pressed; no money moves here', 'paid')
}

export async function followParcel(shopping: Shopping, orderNo: string): Promise<void> {
  const { agent, stage } = shopping
  await stage.chapter('Follow it to the door')
  await follow(shopping, orderNo, ({ events }) =>
    events.some(({ event }) => event === 'delivered'))
  const { waybill_no, express_co, traces } = await agent.call(getLogistics, { order_no: orderNo })
  stage.say(`${express_co} ${waybill_no}`, 'parcel')
  for (const { time, context } of traces) stage.note(`${clock(time)}  ${context}`)
}

export async function sendBack(shopping: Shopping, orderNo: string): Promise<void> {
  const { agent, stage } = shopping
  await stage.chapter('It does not work: return and refund')
  const wish = {
    order_no: orderNo, type: 'return_refund', reason: '加热到一半就断电',
    reason_class: 'quality', user_ref: 'demo-user',
  } as const
  const preview = await agent.call(requestAftersale, { ...wish, preview: true })
  stage.say(`refund ${yuanText(preview.refund_amount ?? 0)}, the way back is paid by `
    + `${preview.return_freight_payer}, ${preview.quota_left} requests left`, 'preview')
  const filed = await agent.call(requestAftersale, { ...wish, idempotency_key: randomUUID() })
  stage.say(`${filed.aftersale_id}, ${filed.status}`, 'filed')
  const order = await follow(shopping, orderNo, ({ status }) => status === 'refunded')
  stage.say(stage.good(`${yuanText(order.aftersale?.refund_amount ?? 0)} are back`), 'refunded')
}

/** Tells each change from now on once, until `isDone`. */
async function follow(
  { agent, stage, pollMs }: Shopping, orderNo: string, isDone: (order: Order) => boolean,
): Promise<Order> {
  let toldEvents: number | undefined
  let toldStatus: string | undefined
  for (const endsAt = monotonicMs() + WAITED_MS_MAX; ;) {
    const order = await agent.call(getOrderStatus, { order_no: orderNo })
    const { events, aftersale } = order
    toldEvents ??= aftersale ? events.length : 0
    for (const { event, at, detail } of events.slice(toldEvents)) {
      stage.say([event, detail?.express_co, detail?.waybill_no].filter(Boolean).join(' '),
        clock(at))
    }
    toldEvents = events.length
    if (aftersale && aftersale.status !== toldStatus) {
      stage.say([aftersale.status, aftersale.pickup_waybill_no].filter(Boolean).join(' '),
        'after-sale')
    }
    toldStatus = aftersale?.status
    if (isDone(order)) return order
    if (monotonicMs() > endsAt) throw new Error(`The order stays ${order.status}.`)
    await sleep(pollMs)
  }
}

/** "12:34:56" of an ISO time. */
const clock = (time: string): string => time.slice(11, 19)
