/**
 * What shoppers read (searches, details, the shelf), and what an agent does over MCP for a person:
 * connect, list, search, order.
 */
import { type Era, rest, rpc, tool } from './call.ts'
import { pick, pickItem, pickWeighted, plan } from './plan.ts'

export const READING_NAMES = ['search_goods', 'get_goods_detail', 'shelf_search', 'shelf_item']

const PRICES = [5_000, 10_000, 20_000, 50_000, 100_000]

/** Most look for what others look for; some narrow it by a price, some turn the page. */
export function query(): object {
  const q = pick(plan.words)
  return pickWeighted<() => object>([
    [70, () => ({ q, price_max: undefined, page_size: 20 })],
    [20, () => ({ q, price_max: pick(PRICES), page_size: 20 })],
    [10, () => ({ q, price_max: undefined, page_size: 20, page: 2 })],
  ])()
}

export const readSomething = (): unknown => pickWeighted<() => unknown>([
  [50, () => rest('search_goods', query())],
  [30, () => rest('get_goods_detail', { sku_id: pickItem().sku_id })],
  [15, () => rest('shelf_search', query())],
  [5, () => rest('shelf_item', { item_id: `shelf:${pickItem().sku_id}` })],
])()

export const CONVERSATION_NAMES = [
  'mcp initialize', 'mcp server/discover', 'mcp tools/list', 'mcp search_goods',
  'mcp get_goods_detail', 'mcp create_order', 'mcp get_order_status',
]

const CLIENT = {
  protocolVersion: plan.mcp.handshakeVersion, capabilities: {},
  clientInfo: { name: 'agentmall-load', version: '1.0.0' },
}

export function converse(era: Era): void {
  const key = pick(plan.keys)
  if (era === 'modern') {
    rpc(era, 'server/discover', {}, { key })
  } else {
    rpc(era, 'initialize', CLIENT, { key })
    rpc(era, 'notifications/initialized', {}, { key })
  }
  rpc(era, 'tools/list', {}, { key })
  tool(era, 'search_goods', query(), { key })
  const { sku_id, product_id, merchant_id } = pickItem()
  tool(era, 'get_goods_detail', { sku_id }, { key })
  const placed = tool(era, 'create_order', { product_id, merchant_id, qty: 1 }, { key })
  if (!placed.error) tool(era, 'get_order_status', { order_no: placed.data.order_no }, { key })
}
