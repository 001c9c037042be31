/** What an agent does over MCP for a person who wants something: connect, list, search, order. */
import { rpc, tool, type Era } from './call.ts'
import { pick, pickItem } from './pick.ts'
import { plan } from './plan.ts'
import { query } from './reading.ts'

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
