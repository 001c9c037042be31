/** An account in which something has happened, for pictures of it. */
import { randomUUID } from 'node:crypto'
import { nowMs } from '../../clock.ts'
import { tallyFields } from '../../earnings/days.ts'
import { dayOf, monthOf } from '../../earnings/month.ts'
import { settleAccount } from '../../earnings/settle.ts'
import type { Durable } from '../../redis/durable.ts'
import { ledger as keys } from '../../redis/keys.ts'
import type { MoveName } from '../../orders/states.ts'
import type { Node } from '../../start/node.ts'
import { RECEIVER } from '../products.ts'
import { until } from './until.ts'

export const PASSWORD = 'correct horse battery staple'
export const OWNER = 'mei@example.com'
export const NEWCOMER = 'new@example.com'

const DAY_MS = 86_400_000
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
}

export async function makeSample(node: Node, durable: Durable): Promise<Sample> {
  const { services } = node
  const { owners, agents, ledger, orders, goods } = services
  await owners.register(NEWCOMER, PASSWORD, '10.0.0.1')
  await owners.register(OWNER, PASSWORD, '10.0.0.2')
  const { account = '' } = await owners.signIn(OWNER, PASSWORD, '10.0.0.2') ?? {}
  const made = []
  for (const label of ['礼物顾问 Gift finder', 'Price watcher', 'Kitchen helper']) {
    made.push(await agents.create(account, label))
  }
  const [first, second, third] = made.map(({ agent }) => agent) as [string, string, string]
  await agents.setLimits(account, third, {
    order_amount_max: 50_000, day_amount_max: 200_000, categories: [4, 6, 14],
  })
  await writeHistory(node, account, [first, second, third])

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
  return { orderNo: placed.at(-4) ?? '' }
}

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
