/**
 * Nodes of the topology end and come back under a steady load of reads and orders; what the load
 * saw of it.
 */
import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import { Agent, request } from 'undici'
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import type { Topology } from '../topology/topology.ts'

interface RollingPlan {
  /** Requests a second. */
  readonly rate: number
  /** Load before the first node ends, and after each is back. */
  readonly restMs: number
  /** Ended one after the other by SIGTERM. */
  readonly restarted: readonly string[]
  /** Then one more by SIGKILL. */
  readonly killed: string
}

interface Phase {
  readonly name: string
  readonly seconds: number
  readonly requests: number
  readonly latencies: readonly number[]
  readonly failures: readonly Sent[]
}

export interface RollingResult {
  readonly phases: readonly Phase[]
  /** Failures of requests that began after the killed node was gone: there should be none. */
  readonly afterKill: readonly Sent[]
  readonly orders: number
  /** Acknowledged orders that were not there afterwards, or had become others. */
  readonly lost: readonly string[]
  /** What `agentmall verify` said at the end. */
  readonly verified: string
}

/** More would take longer than the rest of the run. */
const ASKED_AGAIN_MAX = 500
const ASKED_AT_ONCE = 16
const STOCK_MIN = 50
const PAGES = 4

export async function runRolling(topology: Topology, plan: RollingPlan): Promise<RollingResult> {
  const apiKey = await createKey(topology)
  const items = await itemsInStock(topology.url, apiKey)
  const marks: { readonly name: string, readonly at: number }[] = []
  const begin = (name: string): void => { marks.push({ name, at: monotonicMs() }) }
  begin('nothing happens')
  const load = new Load({ url: topology.url, apiKey, items, rate: plan.rate })
  let goneAt = Infinity
  try {
    await sleep(plan.restMs)
    for (const name of plan.restarted) {
      begin(`${name} is restarted (SIGTERM)`)
      await topology.service(name).stop()
      await comeBack(topology, name, plan.restMs)
    }
    begin(`${plan.killed} is killed (SIGKILL)`)
    await topology.service(plan.killed).kill()
    goneAt = monotonicMs()
    await comeBack(topology, plan.killed, plan.restMs)
  } finally {
    await load.stop()
  }
  return {
    phases: marks.map(({ name, at }, index) =>
      phaseOf(name, load.sent, at, marks[index + 1]?.at ?? Infinity)),
    afterKill: load.sent.filter(({ startedMs, failure }) => failure && startedMs > goneAt),
    orders: load.orders.length,
    lost: await lostOf(load),
    verified: await topology.run('verify'),
  }
}

async function comeBack(topology: Topology, name: string, restMs: number): Promise<void> {
  await topology.start(name)
  await topology.untilBalanced()
  await sleep(restMs)
}

function phaseOf(name: string, sent: readonly Sent[], from: number, to: number): Phase {
  const own = sent.filter(({ startedMs }) => startedMs >= from && startedMs < to)
  const end = Math.min(to, own.reduce((last, { startedMs }) => Math.max(last, startedMs), from))
  return {
    name, seconds: (end - from) / 1000, requests: own.length, latencies: own.map(({ ms }) => ms),
    failures: own.filter(({ failure }) => failure !== undefined),
  }
}

async function createKey(topology: Topology): Promise<string> {
  const key = /ak_[0-9A-Za-z]+/.exec(await topology.run('key', 'create', '--tier', 't2'))
  if (!key) throw new Error('No key was made.')
  return key[0]
}

async function itemsInStock(url: string, apiKey: string): Promise<Item[]> {
  const pages = await Promise.all(Array.from({ length: PAGES }, async (_, page) => {
    const response = await fetch(`${url}/v1/goods?page_size=50&page=${page + 1}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    const { data } = await response.json() as {
      data: { items: (Item & { available_qty: number })[] }
    }
    return data.items
  }))
  const items = pages.flat().filter(({ available_qty }) => available_qty >= STOCK_MIN)
  if (items.length === 0) throw new Error('Nothing is in stock.')
  return items
}

/** Every acknowledged order, asked for with its own key, is the same one and no new one. */
async function lostOf(load: Load): Promise<string[]> {
  const lost: string[] = []
  const limit = pLimit(ASKED_AT_ONCE)
  await Promise.all(load.orders.slice(-ASKED_AGAIN_MAX).map((order) => limit(async () => {
    const found = await load.again(order)
    if (!found.isDuplicate || found.orderNo !== order.orderNo) lost.push(order.orderNo)
  })))
  return lost
}

interface Item {
  readonly sku_id: number
  readonly product_id: number
  readonly merchant_id: number
}

interface Sent {
  readonly startedMs: number
  readonly ms: number
  /** Undefined when it was answered as it should be. */
  readonly failure: string | undefined
}

interface Order {
  readonly key: string
  readonly item: Item
  readonly orderNo: string
}

interface LoadPlan {
  readonly url: string
  readonly apiKey: string
  readonly items: readonly Item[]
  /** Requests a second. */
  readonly rate: number
}

interface Call {
  readonly path: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

interface Answer {
  readonly code?: number
  readonly result?: { readonly isError?: boolean }
  readonly data?: { readonly order_no: string, readonly duplicate: boolean }
}

/** So many that reads never queue behind orders that wait for a disk. */
const CONNECTIONS = 256
const IN_FLIGHT_MAX = 1000
/** Longer than any deadline of the service: what is over it has no answer. */
const PATIENCE_MS = 20_000
const TICK_MS = 10
const WORDS = ['手机', '保温杯', '耳机', '背包', '电热水壶', '茶叶', '纸巾', '衬衫'] as const
const RECEIVER = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
}

/** In turn, so that every run sends the same: of twenty calls three order. */
const MIX = ['search', 'detail', 'order', 'search', 'read', 'search', 'tool', 'search', 'detail',
  'order', 'search', 'detail', 'search', 'read', 'search', 'tool', 'search', 'detail', 'order',
  'search'] as const

/** Sends until it is stopped. */
class Load {
  /** Everything that has ended. */
  readonly sent: Sent[] = []
  /** Orders that were answered. */
  readonly orders: Order[] = []
  private readonly plan: LoadPlan
  private readonly dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  private readonly open = new Set<Promise<void>>()
  private readonly timer: NodeJS.Timeout

  constructor(plan: LoadPlan) {
    this.plan = plan
    const startedMs = monotonicMs()
    let begun = 0
    this.timer = setInterval(() => {
      for (const due = (monotonicMs() - startedMs) * plan.rate / 1000; begun < due; begun += 1) {
        const sending = this.send(begun)
        this.open.add(sending)
        void sending.finally(() => this.open.delete(sending))
      }
    }, TICK_MS)
  }

  /** Repeats an order of the load with its key; the number, and whether it was there before. */
  again({ key, item }: Order): Promise<{ orderNo: string, isDuplicate: boolean }> {
    return this.place(key, item)
  }

  /** No new requests; resolves when all have ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    await Promise.all(this.open)
  }

  private async send(number: number): Promise<void> {
    const at = monotonicMs()
    const failure = this.open.size > IN_FLIGHT_MAX ? 'not sent: too many wait'
      : await this.act(number).then(() => undefined, (error: Error) =>
        `${MIX[number % MIX.length]}: ${error.message}`)
    this.sent.push({ startedMs: at, ms: monotonicMs() - at, failure })
  }

  private async act(number: number): Promise<void> {
    const { items } = this.plan
    const item = items[number % items.length] as Item
    const word = WORDS[number % WORDS.length] as string
    switch (MIX[number % MIX.length]) {
      case 'search':
        await this.request({
          path: `/v1/goods?q=${encodeURIComponent(word)}&price_max=${number + 1000}`,
        })
        break
      case 'detail':
        await this.request({ path: `/v1/goods/${item.sku_id}` })
        break
      case 'tool':
        await this.request({
          path: '/mcp', headers: { 'MCP-Protocol-Version': '2025-11-25' },
          body: {
            jsonrpc: '2.0', id: number, method: 'tools/call',
            params: { name: 'search_goods', arguments: { q: word, page_size: 3 } },
          },
        })
        break
      case 'order': {
        const key = randomUUID()
        this.orders.push({ key, item, orderNo: (await this.place(key, item)).orderNo })
        break
      }
      default: {
        const last = this.orders.at(-1)
        await this.request({ path: last ? `/v1/orders/${last.orderNo}` : '/v1/orders' })
      }
    }
  }

  private async place(key: string, item: Item) {
    const { merchant_id, product_id } = item
    const { data } = await this.request({
      path: '/v1/orders', headers: { 'Idempotency-Key': key },
      body: { merchant_id, product_id, qty: 1, receiver: RECEIVER },
    })
    if (!data) throw new Error('an order without data')
    return { orderNo: data.order_no, isDuplicate: data.duplicate }
  }

  private async request({ path, body, headers }: Call): Promise<Answer> {
    const response = await request(`${this.plan.url}${path}`, {
      dispatcher: this.dispatcher, method: body ? 'POST' : 'GET',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        'Authorization': `Bearer ${this.plan.apiKey}`, ...headers,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.body.text()
    if (response.statusCode !== 200) {
      throw new Error(`${response.statusCode} ${text.slice(0, 120)}`)
    }
    const answer = JSON.parse(text) as Answer
    if ((answer.code ?? 0) !== 0 || answer.result?.isError) throw new Error('an error in a 200')
    return answer
  }
}
