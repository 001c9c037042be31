/** An account in which something has happened, for pictures of it. */
import { randomUUID } from 'node:crypto'
import type { MallOrderStatus } from '../../../adapters/index.ts'
import { keepOrder } from '../../affiliate/mall-orders.ts'
import { nowMs } from '../../contract/time.ts'
import { tallyFields } from '../../earnings/days.ts'
import { dayOf, monthOf } from '../../earnings/month.ts'
import { settleAccount } from '../../earnings/lots.ts'
import type { Durable } from '../../redis/durable.ts'
import { ledger as keys } from '../../redis/keys.ts'
import type { MoveName } from '../../orders/states.ts'
import type { Node } from '../../start/node.ts'
import { RECEIVER } from '../../testing/products.ts'
import { startReceiver } from '../../testing/receiver.ts'
import { until } from './until.ts'

export const PASSWORD = 'correct horse battery staple'
export const OWNER = 'mei@example.com'
export const NEWCOMER = 'new@example.com'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const DAYS = 29
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const SOURCES = ['own', 'mall_b', 'mall_c', 'food'] as const

/** How far each order has come; the last is the newest. */
const WAYS: readonly (readonly MoveName[])[] = [
  ['pay', 'accept', 'ship', 'deliver', 'complete'],
  ['pay', 'accept', 'ship', 'deliver', 'complete'],
  ['pay', 'accept', 'ship', 'deliver', 'complete'],
  ['pay', 'refund_unshipped'],
  ['cancel'],
  ['pay', 'accept', 'ship', 'deliver'],
  ['pay', 'accept', 'ship'],
  ['pay', 'accept'],
  ['pay'],
  [],
]

export interface Sample {
  /** An order that has been shipped. */
  readonly orderNo: string
  /** One that is being sent back. */
  readonly returnedNo: string
  /** What was bought at a platform. */
  readonly purchase: string
  /** An endpoint to which something was sent. */
  readonly webhook: string
  /** Of the cashier, for an order that nobody has paid and for one that is on its way. */
  readonly payPath: string
  readonly paidPath: string
}

export async function makeSample(node: Node, durable: Durable): Promise<Sample> {
  const { services } = node
  const { accounts, agents, ledger, orders, goods } = services
  await accounts.register(NEWCOMER, PASSWORD, '10.0.0.1')
  await accounts.register(OWNER, PASSWORD, '10.0.0.2')
  const { account = '' } = await accounts.signIn(OWNER, PASSWORD, '10.0.0.2') ?? {}
  const made = []
  for (const label of ['礼物顾问 Gift finder', 'Price watcher', 'Kitchen helper']) {
    made.push(await agents.create(account, label))
  }
  const [first, second, third] = made.map(({ agent }) => agent) as [string, string, string]
  await agents.setLimits(account, third, {
    order_amount_max: 50_000, day_amount_max: 200_000, categories: [4, 6, 14],
  })
  await writeHistory(node, account, [first, second, third])
  const hooks = await openHooks(node, account, second)

  const { items } = (await goods.search({
    page_size: 50, price_min: 12_000, price_max: 39_000,
  })).toJSON() as {
    items: { product_id: number, merchant_id: number, available_qty: number }[]
  }
  const inStock = items.filter(({ available_qty }) => available_qty > 0)
  const placed: string[] = []
  for (const [index, way] of WAYS.entries()) {
    const { product_id, merchant_id } = inStock[index] ?? inStock[0] as never
    const answer = await fetch(`http://127.0.0.1:${node.port}/v1/orders`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${made[index % 2]?.apiKey}`, 'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      },
      body: JSON.stringify({ product_id, merchant_id, qty: 1, receiver: RECEIVER }),
    })
    const { data } = await answer.json() as { data: { order_no: string } }
    if (!answer.ok) throw new Error(`The order was refused: ${JSON.stringify(data)}`)
    for (const move of way) {
      const detail = orders.driver.detail(move, data.order_no)
      await orders.move(move, data.order_no, { ...(detail && { detail }) })
    }
    placed.push(data.order_no)
  }
  await until(async () => (await services.earnings.balances(account)).confirmed > 0)
  await settleAccount({ ledger, durable, mode: services.earnings.mode }, account, nowMs() + DAY_MS)
  await visit(node, first, 'mall_b')
  await visit(node, first, 'food')
  const returnedNo = placed.at(-5) ?? ''
  await sendBack(node, made[(WAYS.length - 5) % 2]?.apiKey ?? '', returnedNo)
  const payPathOf = (orderNo: string): string => {
    const { pathname, search } = new URL(orders.payLinks.payUrl(orderNo))
    return `${pathname}${search}`
  }
  const [orderNo = '', , , unpaid = ''] = placed.slice(-4)
  await hooks.end(orderNo)
  return {
    orderNo, returnedNo, webhook: hooks.webhook, purchase: await writePurchases(node, first),
    payPath: payPathOf(unpaid), paidPath: payPathOf(orderNo),
  }
}

/** An endpoint that works, and one that wanted no more. */
async function openHooks(
  { services: { events } }: Node, account: string, agent: string,
): Promise<{ readonly webhook: string, end(orderNo: string): Promise<void> }> {
  const receiver = await startReceiver()
  const stateOf = async (id: string) => (await events.endpoints.view({ account }, id)).state
  const open = async (path: string, names: readonly string[], agents: readonly string[]) => {
    const { webhook_id: id } = await events.endpoints.create({ account },
      { url: `${receiver.url}/${path}`, events: names, agents })
    await until(async () => await stateOf(id) === 'active')
    return id
  }
  const gone = await open('old', ['commission.*', 'withdrawal.*', 'click.recorded'], [agent])
  receiver.answer = (_, response) => response.writeHead(410).end('no longer here')
  await events.endpoints.test({ account }, gone)
  await until(async () => await stateOf(gone) === 'disabled')
  const webhook = await open('orders', ['order.*', 'refund.arrived'], [])
  receiver.answer = ({ event: { type } }, response) => {
    if (type === 'order.shipped') response.writeHead(503).end('<h1>busy</h1> come back later')
    else response.writeHead(200).end('{"ok":true}')
  }
  return {
    webhook,
    async end(orderNo) {
      await until(async () => (await events.attemptsAbout(account, orderNo, 0)).length > 3)
      await receiver.close()
    },
  }
}

async function sendBack({ port }: Node, apiKey: string, orderNo: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/orders/${orderNo}/aftersales`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'return_refund', reason_class: 'quality' }),
  })
  if (!answer.ok) throw new Error(`The return was refused: ${await answer.text()}`)
}

/** As platforms report them, by links of the agent's; answers the last one's name. */
async function writePurchases(
  { services: { ledger, earnings } }: Node, agent: string,
): Promise<string> {
  const mark = randomUUID()
  let name = ''
  for (const [at, [source, title, amount, status]] of PURCHASES.entries()) {
    const updated = nowMs() - (PURCHASES.length - at) * 7 * HOUR_MS
    await ledger.hset(keys.subId(source, mark), 'agent', agent)
    const id = `2817${String(40_190_775 + at * 7919)}`
    name = `${source}:${id}`
    await keepOrder(ledger, {
      source, line_id: id, order_no: id, item_id: `10${at}2043978`, title, qty: 1 + at % 2, amount,
      commission: { bps: 300, fen: Math.round(amount * 0.03) }, status, mall_status: status,
      sub_id: mark, ordered_at: updated - HOUR_MS, paid_at: updated - HOUR_MS,
      updated_at: updated,
    }, earnings.mode)
  }
  return name
}

const PURCHASES = [
  ['mall_b', '公牛（BULL）插座 新国标 8 位 3 米', 5_990, 'settled'],
  ['food', '外卖红包：满 30 减 8', 3_260, 'received'],
  ['mall_c', '洁柔抽纸 24 包整箱 家用实惠装 4 层加厚', 4_580, 'invalid'],
  ['mall_b', 'Brita 碧然德 滤水壶 Marella 3.5L 一壶三芯', 21_900, 'paid'],
] as const satisfies readonly (readonly [string, string, number, MallOrderStatus])[]

/** Days before today, as posting and visiting would have left them. */
async function writeHistory(
  { services: { ledger, earnings } }: Node, account: string, agents: readonly string[],
): Promise<void> {
  for (let back = 1; back <= DAYS; back += 1) {
    const at = nowMs() - back * DAY_MS
    const day = dayOf(at)
    for (const [place, source] of SOURCES.entries()) {
      const agent = agents[(place + back) % agents.length] ?? ''
      const orders = Math.max(0, Math.round(3 - place + 2 * Math.sin(back / 2 + place)))
      const amount = orders * (6_000 + 900 * place)
      const commission = Math.round(amount * 0.05)
      for (const [field, gain] of tallyFields({ source, agent, orders, amount, commission }, day)) {
        await ledger.hincrby(keys.earnedDays(account, monthOf(at), earnings.mode), field, gain)
      }
      await ledger.hincrby(keys.clickDays(agent, monthOf(at)), `${day} ${source}`,
        4 * orders + ((back + place) % 5))
    }
  }
}

/** As the conversion of a link leaves it, and a person follows it. */
export async function visit({ port, services: { ledger } }: Node, agent: string, source: string) {
  const code = randomUUID().replaceAll('-', '').slice(0, 12)
  await ledger.hset(keys.link(code), {
    url: 'https://mall.example/item', agent, source, item: `${source}:100012043978`,
  })
  await fetch(`http://127.0.0.1:${port}/go/${code}`, {
    redirect: 'manual', headers: { 'User-Agent': PERSON },
  })
}
