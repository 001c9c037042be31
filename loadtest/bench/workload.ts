/**
 * What callers ask for: searches that nobody has made before, items that exist, new orders; and
 * the commands that a node sends to Redis for them, taken from the code that sends them.
 */
import { randomUUID } from 'node:crypto'
import type { Config } from '../../src/config.ts'
import { skuIdOf } from '../../src/contract/ids.ts'
import { listsOf } from '../../src/goods/candidates.ts'
import { catalogueLine } from '../../src/goods/generate.ts'
import { generatedProduct } from '../../src/goods/generated-product.ts'
import { type GoodsQuery, readRequest } from '../../src/goods/read-page.ts'
import { searchShelf } from '../../src/goods/search.ts'
import { changeStock } from '../../src/goods/stock.ts'
import { taxonomy } from '../../src/goods/taxonomy.ts'
import { createLogger } from '../../src/log.ts'
import { NO_CAPS } from '../../src/orders/open-orders.ts'
import { createPayLinks } from '../../src/orders/payment-provider.ts'
import { createPlacing, type PlaceInput } from '../../src/orders/place-order.ts'
import { createQuotes } from '../../src/orders/quotes.ts'
import { DailySpending } from '../../src/orders/spending.ts'
import type { RedisClient } from '../../src/redis/connect.ts'
import type { Durable } from '../../src/redis/durable.ts'
import type { Secrets } from '../../src/secrets/derive.ts'
import type { HttpCall } from './http-load.ts'
import type { Words } from './replay.ts'
import { pickFrom, randomFrom } from './rounds.ts'
import type { BenchTestbed, Buyer } from './testbed.ts'

export interface OwnLine {
  readonly product_id: number
  readonly sku_id: number
  readonly merchant_id: number
  readonly category_id: number
  readonly retail_price: number
  readonly stock: number
  /** What stands between spaces in its title: brand, model, noun, attributes, a scene. */
  readonly words: readonly string[]
  /** What it is: words without one name no goods. */
  readonly noun: string
}

/** Enough for any mix, and soon made. */
const LINES_MAX = 12_000

/** A prime: steps of it come to every category, which neighbouring indexes take in turns. */
const STEP = 7919

/** Own items, spread evenly over the catalogue and its categories. */
export function ownLines(items: number, seed: string): OwnLine[] {
  const lines: OwnLine[] = []
  for (let at = 0; at < items && lines.length < LINES_MAX; at += 1) {
    const index = at * STEP % items
    const line = catalogueLine(seed, index)
    if (line.supply !== 'own') continue
    const { product_id, merchant_id, category_id, retail_price, title, stock = 0 } = line
    lines.push({
      product_id, merchant_id, category_id, retail_price, stock, sku_id: skuIdOf(product_id),
      words: title.split(' '), noun: generatedProduct(seed, index).kind.name_zh,
    })
  }
  return lines
}

/**
 * Searches without end, each for other words than all before it, so that nothing a node found
 * before can help but the goods of a kind; each names goods and has an item to find. Nearly half
 * have price limits or a category.
 */
export function* searches(lines: readonly OwnLine[], seed: number): Generator<GoodsQuery, never> {
  const random = randomFrom(seed)
  const made = new Set<string>()
  for (;;) {
    const line = pickFrom(random, lines)
    const count = random() < 0.5 ? 1 : 2
    const others = Array.from({ length: count }, () => pickFrom(random, line.words))
    // 紫米 is in the title of a bread, and goods itself: who says both may mean either.
    const words = [...new Set([...others.filter((word) => !isGoods(word)), line.noun])]
    const text = words.toSorted().join(' ')
    if (words.length < 2 || made.has(text)) continue
    made.add(text)
    const filter = random() < 0.55 ? {} : filterFor(line, random)
    yield { q: words.join(' '), ...filter }
  }
}

let goodsNames: ReadonlySet<string> | undefined

function isGoods(word: string): boolean {
  goodsNames ??= new Set([...taxonomy().kinds.values()].flatMap(({ name_zh, aliases }) =>
    [name_zh, ...aliases]))
  return goodsNames.has(word)
}

const REFINED_LINES = 300

/** Words that are soon known, each time with another filter: an agent that narrows a search. */
export function* refinements(
  lines: readonly OwnLine[], seed: number,
): Generator<GoodsQuery, never> {
  const random = randomFrom(seed)
  const made = new Set<string>()
  for (;;) {
    const line = pickFrom(random, lines.slice(0, REFINED_LINES))
    const query = { q: line.noun, ...filterFor(line, random) }
    const text = JSON.stringify(query)
    if (made.has(text)) continue
    made.add(text)
    yield query
  }
}

/** One that the line passes. */
function filterFor({ category_id, retail_price }: OwnLine, random: () => number) {
  const kind = random()
  const price_max = Math.ceil(retail_price * (1 + random()))
  if (kind < 0.45) return { price_max }
  if (kind < 0.8) return { price_min: Math.floor(retail_price * random()), price_max }
  return { category_id, price_max }
}

export function searchCall(query: GoodsQuery): HttpCall {
  const parameters = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return { method: 'GET', path: `/v1/goods?${parameters.join('&')}` }
}

export const detailCall = ({ sku_id }: OwnLine): HttpCall =>
  ({ method: 'GET', path: `/v1/goods/${sku_id}` })

/** An address may ask 200 in a second, and 2,000 at once: these come from so many by a proxy. */
const PREFLIGHT_ADDRESSES = 1000

export const preflightCalls = (): HttpCall[] =>
  Array.from({ length: PREFLIGHT_ADDRESSES }, (_, at) => ({
    method: 'OPTIONS', path: '/v1/goods', headers: {
      'Origin': 'https://shop.example', 'Access-Control-Request-Method': 'GET',
      'X-Forwarded-For': `10.0.${Math.floor(at / 250)}.${at % 250 + 1}`,
    },
  }))

/** Takes the next of an endless list. */
export function take<T>(list: Iterator<T, unknown>, count: number): T[] {
  return Array.from({ length: count }, () => list.next().value as T)
}

/** A JSON-RPC call of a tool. */
export const toolCall = (name: string, input: object): HttpCall => rpcCall('tools/call',
  { name, arguments: input })

export const rpcCall = (method: string, params: object): HttpCall => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    // As the SDKs send it, by the libraries that they call with.
    'Accept': 'application/json, text/event-stream', 'Accept-Encoding': 'gzip, deflate',
    'MCP-Protocol-Version': '2025-11-25',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

/** A call of UCP by a platform whose profile is there. */
export const ucpCall = (path: string, profile: string, payload: object): HttpCall => ({
  method: 'POST',
  path: `/ucp${path}`,
  headers: { 'UCP-Agent': `profile="${profile}"` },
  body: JSON.stringify(payload),
})

const PRODUCTS = 2000
/** More than any run sells of a product. */
const UNITS = 1_000_000

const RECEIVER = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
} as const

/** Products that orders cannot empty; the changes are recorded as deliveries are. */
export async function stockUp(ledger: RedisClient, lines: readonly OwnLine[]): Promise<OwnLine[]> {
  const products = lines.slice(0, PRODUCTS)
  await Promise.all(products.map(async ({ product_id }) => {
    const { outcome } = await changeStock(ledger, product_id, UNITS)
    if (outcome !== 'recorded') throw new Error(`Stock of ${product_id}: ${outcome}.`)
  }))
  return products
}

interface Attempt {
  readonly input: PlaceInput
  readonly buyer: Buyer
}

export function attempts(
  { buyers }: Pick<BenchTestbed, 'buyers'>, products: readonly OwnLine[], count: number,
): Attempt[] {
  return Array.from({ length: count }, (_, at) => {
    const { merchant_id, product_id } = products[at % products.length] as OwnLine
    return {
      buyer: buyers[at % buyers.length] as Buyer,
      input: {
        idempotency_key: randomUUID(), merchant_id, product_id, qty: 1, receiver: RECEIVER,
      },
    }
  })
}

export function orderCall({ input }: Pick<Attempt, 'input'>): HttpCall {
  const { idempotency_key, ...body } = input
  return {
    method: 'POST',
    path: '/v1/orders',
    headers: { 'Idempotency-Key': idempotency_key },
    body: JSON.stringify(body),
  }
}

/** The first FT.SEARCH of a search of own goods: for a kind, all goods of it. */
export async function searchCommand(query: GoodsQuery): Promise<Words> {
  let command: Words | undefined
  const shelf = {
    async callBuffer(...words: Words) {
      command ??= words
      return [0]
    },
  }
  await searchShelf(shelf as never, listsOf(shelf as never), readRequest('goods', query))
  if (!command) throw new Error(`A search of ${query.q} asks nothing; name goods in it.`)
  return command
}

const RECORDED = new Error('recorded')

/** Begins the reply of an order that was placed, behind how many values it has. */
export const PLACED = '$6\r\nplaced'

interface PlacingOptions {
  readonly secrets: Secrets
  readonly config: Config
}

/** Makes the script call that places an order and binds its key. */
export function orderCommands({ secrets, config }: PlacingOptions) {
  let command: Words = []
  let source = ''
  const durable = {
    isOneServer: true,
    async run(script, keys, args) {
      command = ['EVALSHA', script.sha, ...script.operands(keys, args)]
      source = script.source
      throw RECORDED
    },
    send: async () => null,
    read: async () => null,
    close: () => {},
  } as Durable
  const log = createLogger('silent')
  const place = createPlacing({
    durable, secrets, config, payments: createPayLinks(config, secrets),
    quotes: createQuotes(secrets), openOrders: NO_CAPS, isPlaced: async () => false,
    factsOf: async () => [],
    // Nobody limits these buyers, so it asks the ledger nothing.
    spending: new DailySpending({ ledger: undefined as never, durable, secrets, log }),
  })
  return async (input: PlaceInput, buyer: Buyer): Promise<{ command: Words, source: string }> => {
    await place(input, buyer).catch((error: Error) => {
      if (error !== RECORDED) throw error
    })
    return { command, source }
  }
}
