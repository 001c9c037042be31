/** A steady load of reads and orders on kept connections: so many begin a second, come what may. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import { monotonicMs } from '../../src/contract/time.ts'

export interface Item {
  readonly sku_id: number
  readonly product_id: number
  readonly merchant_id: number
}

export interface Sent {
  readonly startedMs: number
  readonly ms: number
  /** Undefined when it was answered as it should be. */
  readonly failure: string | undefined
}

export interface Order {
  readonly key: string
  readonly item: Item
  readonly orderNo: string
}

export interface Load {
  /** Everything that has ended. */
  readonly sent: readonly Sent[]
  /** Orders that were answered. */
  readonly orders: readonly Order[]
  /** Orders something of the load again; its number and whether it was there before. */
  again(order: Order): Promise<{ orderNo: string, isDuplicate: boolean }>
  /** No new requests; resolves when all have ended. */
  stop(): Promise<void>
}

export interface LoadPlan {
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

export function startLoad({ url, apiKey, items, rate }: LoadPlan): Load {
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const sent: Sent[] = []
  const orders: Order[] = []
  const open = new Set<Promise<void>>()
  const startedMs = monotonicMs()
  let begun = 0

  async function ask({ path, body, headers }: Call): Promise<Answer> {
    const response = await request(`${url}${path}`, {
      dispatcher, method: body ? 'POST' : 'GET', signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        'Authorization': `Bearer ${apiKey}`, ...headers,
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
  async function place(key: string, item: Item) {
    const { merchant_id, product_id } = item
    const { data } = await ask({
      path: '/v1/orders', headers: { 'Idempotency-Key': key },
      body: { merchant_id, product_id, qty: 1, receiver: RECEIVER },
    })
    if (!data) throw new Error('an order without data')
    return { orderNo: data.order_no, isDuplicate: data.duplicate }
  }
  async function act(number: number): Promise<void> {
    const item = items[number % items.length] as Item
    const word = WORDS[number % WORDS.length] as string
    switch (MIX[number % MIX.length]) {
      case 'search':
        await ask({ path: `/v1/goods?q=${encodeURIComponent(word)}&price_max=${number + 1000}` })
        break
      case 'detail':
        await ask({ path: `/v1/goods/${item.sku_id}` })
        break
      case 'tool':
        await ask({
          path: '/mcp', headers: { 'MCP-Protocol-Version': '2025-11-25' },
          body: {
            jsonrpc: '2.0', id: number, method: 'tools/call',
            params: { name: 'search_goods', arguments: { q: word, page_size: 3 } },
          },
        })
        break
      case 'order': {
        const key = randomUUID()
        orders.push({ key, item, orderNo: (await place(key, item)).orderNo })
        break
      }
      default: {
        const last = orders.at(-1)
        await ask({ path: last ? `/v1/orders/${last.orderNo}` : '/v1/orders' })
      }
    }
  }
  async function send(number: number): Promise<void> {
    const at = monotonicMs()
    const failure = open.size > IN_FLIGHT_MAX ? 'not sent: too many wait'
      : await act(number).then(() => undefined, (error: Error) =>
        `${MIX[number % MIX.length]}: ${error.message}`)
    sent.push({ startedMs: at, ms: monotonicMs() - at, failure })
  }
  const timer = setInterval(() => {
    for (const due = (monotonicMs() - startedMs) * rate / 1000; begun < due; begun += 1) {
      const sending = send(begun)
      open.add(sending)
      void sending.finally(() => open.delete(sending))
    }
  }, TICK_MS)

  return {
    sent, orders,
    again: ({ key, item }) => place(key, item),
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}
