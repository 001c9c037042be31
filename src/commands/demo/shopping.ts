/**
 * The story of the demo: a wish becomes one item, an order, its parcel, its return and what it
 * earned; and the lines that show it, coloured where the terminal has colours.
 */
import { randomUUID } from 'node:crypto'
import util from 'node:util'
import QRCode from 'qrcode'
import type { Static } from 'typebox'
import type { Config } from '../../config.ts'
import { yuanText } from '../../contract/money.ts'
import { monotonicMs, sleep } from '../../contract/time.ts'
import { attachEmbeddedRedis } from '../../dev/redis/embedded.ts'
import { trace, type TraceLine } from '../../earnings/trace.ts'
import type { Logger } from '../../log.ts'
import { cpsCompare } from '../../operations/cps-compare.ts'
import { cpsSmartSearch } from '../../operations/cps-smart-search.ts'
import { createOrder } from '../../operations/create-order.ts'
import { getGoodsDetail } from '../../operations/get-goods-detail.ts'
import { getLogistics } from '../../operations/get-logistics.ts'
import { getOrderStatus } from '../../operations/get-order-status.ts'
import { RECEIVER_EXAMPLE } from '../../operations/order-fields.ts'
import { previewOrder } from '../../operations/preview-order.ts'
import { requestAftersale } from '../../operations/request-aftersale.ts'
import { searchGoods } from '../../operations/search-goods.ts'
import { withLedger } from '../context.ts'
import { traceText } from '../earnings.ts'
import { type DemoAgent, payAtCashier, post, Refused } from './agent.ts'

const WISH = '200元以内的电热水壶，不要塑料'

type Goods = Static<typeof getGoodsDetail.output>
type Found = Static<typeof cpsSmartSearch.output>
type FoundItem = Found['items'][number]
type Rows = Static<typeof cpsCompare.output>['rows']

const SHOWN_ITEMS = 5
const SHOWN_ROWS = 8
const short = (text: string, length: number): string =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text)

export async function chooseItem(agent: DemoAgent, stage: Stage): Promise<Goods> {
  await stage.chapter('Smart search, with a budget')
  stage.say(stage.strong(WISH), 'the wish')
  const found = await agent.call(cpsSmartSearch, { query: WISH, page_size: 10 })
  showFound(found, stage)
  const own = ownItem(found.items)
    ?? ownItem((await agent.call(cpsSmartSearch, { query: WISH, sources: ['shelf'] })).items)

  await stage.chapter('Compare')
  const ids = [...new Set([found.items[0]?.item_id, own?.item_id, found.items[1]?.item_id])]
    .filter((id) => id !== undefined)
  if (ids.length >= 2) await compare(agent, stage, ids)
  else stage.note('Fewer than two items were found: nothing to compare.')

  stage.note('Platform offers are bought through a link; this demo orders from the own shelf.')
  const skuId = own?.sku_id
    ?? (await agent.call(searchGoods, { page_size: 1, sort: 'price_asc' })).items[0]?.sku_id
  if (skuId === undefined) throw new Error('The catalogue is empty: start the service with goods.')
  return await agent.call(getGoodsDetail, { sku_id: skuId })
}

function showFound({ understood, items, sources, partial }: Found, stage: Stage): void {
  const { terms, budget_max, refused } = understood
  stage.say(`${terms.join(' ')}; at most ${budget_max === null ? '?' : yuanText(budget_max)}; `
    + `without ${refused.join(', ') || 'nothing'}`, 'understood')
  stage.say(sources.map(({ source, status, ms, count }) =>
    (status === 'ok' ? `${source} ${count} in ${ms} ms` : `${source} ${status}`)).join(', ')
    + (partial ? ' (partial)' : ''), 'asked')
  for (const [at, item] of items.slice(0, SHOWN_ITEMS).entries()) {
    stage.say(`${stage.strong(yuanText(item.final_price).padStart(9))}  ${item.score} points, `
      + `${item.offers.length} ${item.offers.length === 1 ? 'offer' : 'offers'}  `
      + short(item.title, 46), at === 0 ? 'ranked' : '')
  }
  for (const reason of items[0]?.reasons.slice(0, 3) ?? []) stage.note(`why the first: ${reason}`)
}

/** The best-ranked item that somebody of our own shelf offers. */
function ownItem(items: readonly FoundItem[]): { item_id: string, sku_id: number } | undefined {
  for (const { item_id, buy } of items.flatMap(({ offers }) => offers)) {
    const skuId = buy.arguments['sku_id']
    if (buy.tool === getGoodsDetail.name && typeof skuId === 'number') {
      return { item_id, sku_id: skuId }
    }
  }
  return undefined
}

async function compare(agent: DemoAgent, stage: Stage, ids: string[]): Promise<void> {
  const { items, rows, verdicts } = await agent.call(cpsCompare, { items: ids })
  const letters = new Map(items.map(({ item_id }, at) => [item_id, 'ABCDEF'[at] ?? '?']))
  for (const { item_id, title } of items) {
    stage.say(`${item_id}  ${short(title, 46)}`, letters.get(item_id))
  }
  for (const { attribute, cells } of differing(rows).slice(0, SHOWN_ROWS)) {
    stage.say(cells.map(({ item_id, value, best }) => {
      const text = `${letters.get(item_id)} ${shown(attribute, value)}`
      return best ? stage.good(`${text} ✓`) : text
    }).join('   '), attribute.slice(0, 11))
  }
  for (const { mode, item_id, why } of verdicts) {
    stage.say(`${item_id === null ? '–' : letters.get(item_id)}: ${why}`, mode)
  }
}

const differing = (rows: Rows): Rows =>
  rows.filter(({ cells }) => new Set(cells.map(({ value }) => value)).size > 1)

const MONEY = new Set(['payable', 'list_price', 'freight'])
const shown = (attribute: string, value: string | null): string => {
  if (value === null) return 'unknown'
  return MONEY.has(attribute) ? yuanText(Number(value)) : short(value, 24)
}

type OrderInput = Static<typeof createOrder.input>
type Placed = Static<typeof createOrder.output>
type Order = Static<typeof getOrderStatus.output>

interface Shopping {
  readonly url: string
  readonly key: string
  readonly agent: DemoAgent
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

/** Shows each change from now on once, until `isDone`. */
async function follow(
  { agent, stage, pollMs }: Shopping, orderNo: string, isDone: (order: Order) => boolean,
): Promise<Order> {
  let shownEvents: number | undefined
  let shownStatus: string | undefined
  for (const endsAt = monotonicMs() + WAITED_MS_MAX; ;) {
    const order = await agent.call(getOrderStatus, { order_no: orderNo })
    const { events, aftersale } = order
    shownEvents ??= aftersale ? events.length : 0
    for (const { event, at, detail } of events.slice(shownEvents)) {
      stage.say([event, detail?.express_co, detail?.waybill_no].filter(Boolean).join(' '),
        clock(at))
    }
    shownEvents = events.length
    if (aftersale && aftersale.status !== shownStatus) {
      stage.say([aftersale.status, aftersale.pickup_waybill_no].filter(Boolean).join(' '),
        'after-sale')
    }
    shownStatus = aftersale?.status
    if (isDone(order)) return order
    if (monotonicMs() > endsAt) throw new Error(`The order stays ${order.status}.`)
    await sleep(pollMs)
  }
}

/** "12:34:56" of an ISO time. */
const clock = (time: string): string => time.slice(11, 19)

/** Commissions follow orders by themselves, in moments. */
const POSTED_MS_MAX = 120_000

/** `config` is the node's; where its ledger cannot be reached from here, says how to see it. */
export async function showEarnings(
  config: Config, log: Logger, stage: Stage, orderNo: string,
): Promise<void> {
  await stage.chapter('What it earned')
  const isHere = config.redis !== undefined || await attachEmbeddedRedis(config) !== null
  const lines = isHere ? await settled(config, log, orderNo) : []
  for (const line of lines) stage.say(traceText(line))
  if (lines.length === 0) {
    stage.note('The books are where the node runs: npm run agentmall -- trace '
      + `${orderNo} shows them there.`)
    return
  }
  stage.note('5 % were pending from the payment on, and the refund took them back.')
}

/** The order's entries, once the refund has been posted. */
async function settled(config: Config, log: Logger, orderNo: string): Promise<TraceLine[]> {
  return await withLedger(config, log, async ({ ledger }) => {
    for (const endsAt = monotonicMs() + POSTED_MS_MAX; ;) {
      const lines: TraceLine[] = []
      for await (const line of trace(ledger, orderNo)) lines.push(line)
      const isPosted = lines.filter(({ what }) => what === 'entry').length >= 2
      if (isPosted || lines.length === 0 || monotonicMs() > endsAt) return lines
      await sleep(200)
    }
  })
}

export interface Stage {
  /** Begins a chapter, after a pause to read the last one. */
  chapter(title: string): Promise<void>
  /** A line; with a label, in a column of its own. */
  say(text: string, label?: string): void
  /** A line that only explains. */
  note(text: string): void
  /** What stands out inside a line. */
  strong(text: string): string
  good(text: string): string
}

interface StageOptions {
  readonly stream: { write(text: string): unknown, hasColors?(): boolean }
  /** Pause before each chapter, in milliseconds. */
  readonly pauseMs: number
}

type Format = 'bold' | 'dim' | 'green' | 'cyan'
const LABEL_WIDTH = 12

export function createStage({ stream, pauseMs }: StageOptions): Stage {
  // Node has styleText from 20.12 on.
  const isColoured = stream.hasColors?.() === true && 'styleText' in util
  const paint = (format: Format, text: string): string =>
    (isColoured ? util.styleText(format, text) : text)
  const line = (text: string): void => { stream.write(`${text}\n`) }
  let chapters = 0
  return {
    async chapter(title) {
      if (chapters > 0) await sleep(pauseMs)
      chapters += 1
      line(`\n${paint('bold', paint('cyan', `${chapters}. ${title}`))}`)
    },
    say: (text, label) => line(label === undefined ? `   ${text}`
      : `   ${paint('dim', label.padEnd(LABEL_WIDTH))}${text}`),
    note: (text) => line(`   ${paint('dim', text)}`),
    strong: (text) => paint('bold', text),
    good: (text) => paint('green', text),
  }
}
