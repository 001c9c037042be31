/** What callers ask of the goods: searches that nobody has made before, and items that exist. */
import { catalogueLine } from '../../../src/goods/generate.ts'
import type { GoodsQuery } from '../../../src/goods/request.ts'
import { taxonomy } from '../../../src/goods/taxonomy.ts'
import { universeProduct } from '../../../src/goods/universe.ts'
import { skuIdOf } from '../../../src/contract/ids.ts'
import type { HttpCall } from '../requests.ts'
import { pickFrom, randomFrom } from '../statistics.ts'

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

/** Own items, spread evenly over the catalogue. */
export function ownLines(items: number, seed: string): OwnLine[] {
  const step = Math.max(Math.floor(items / (2 * LINES_MAX)), 1)
  const lines: OwnLine[] = []
  for (let index = 0; index < items && lines.length < LINES_MAX; index += step) {
    const line = catalogueLine(seed, index)
    if (line.supply !== 'own') continue
    const { product_id, merchant_id, category_id, retail_price, title, stock = 0 } = line
    lines.push({
      product_id, merchant_id, category_id, retail_price, stock, sku_id: skuIdOf(product_id),
      words: title.split(' '), noun: universeProduct(seed, index).kind.name_zh,
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
    'Accept': 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})
