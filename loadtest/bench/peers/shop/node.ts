/**
 * The shop on the Node SDK with Express, stateless as its documents show: a server and a transport
 * for each request, JSON answers, goods in memory by brand, and an order that is a number and kept
 * nowhere. The first message names the file of goods; the port is the answer.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import type { ShopItem } from '../../shop.ts'

const PAGE_ITEMS = 20

const [{ file }] = await once(process, 'message') as [{ file: string }]
process.once('disconnect', () => process.exit(0))
const items = JSON.parse(readFileSync(file, 'utf8')) as ShopItem[]
const byBrand = new Map<string, ShopItem[]>()
for (const item of items) {
  const brand = item.title.split(' ')[0] ?? ''
  byBrand.set(brand, [...byBrand.get(brand) ?? [], item])
}
const bySku = new Map(items.map((item) => [item.sku_id, item]))
let orders = 0

const itemShape = {
  product_id: z.number(), sku_id: z.number(), merchant_id: z.number(), title: z.string(),
  retail_price: z.number(), image: z.string(), description: z.string(),
}

const asResult = (data: object) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(data) }],
  structuredContent: data as Record<string, unknown>,
})

function createServer(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' })
  server.registerTool('search_goods', {
    description: 'Finds goods of a brand', inputSchema: { q: z.string() },
    outputSchema: { items: z.array(z.object(itemShape)) },
  }, async ({ q }) => asResult({ items: (byBrand.get(q) ?? []).slice(0, PAGE_ITEMS) }))
  server.registerTool('get_goods_detail', {
    description: 'One item', inputSchema: { sku_id: z.number() }, outputSchema: itemShape,
  }, async ({ sku_id }) => {
    const item = bySku.get(sku_id)
    if (!item) throw new Error('not found')
    return asResult(item)
  })
  server.registerTool('create_order', {
    description: 'Orders an item',
    inputSchema: {
      idempotency_key: z.string().length(36), product_id: z.number(), qty: z.number(),
    },
    outputSchema: { order_no: z.string(), amount: z.number(), status: z.string() },
  }, async ({ product_id, qty }) => {
    const item = bySku.get(product_id * 100 + 1)
    if (!item) throw new Error('not found')
    orders += 1
    return asResult({
      order_no: `AM${String(orders).padStart(18, '0')}`, amount: item.retail_price * qty,
      status: 'pending_payment',
    })
  })
  return server
}

type Incoming = IncomingMessage & { body: unknown }
const app = createMcpExpressApp() as {
  post(path: string, handle: (request: Incoming, response: ServerResponse) => void): void
  listen(port: number, host: string, ready: () => void): { address(): AddressInfo }
}

async function answer(request: Incoming, response: ServerResponse): Promise<void> {
  const server = createServer()
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => {
    void transport.close()
    void server.close()
  })
  // Its own types fail where absent and undefined properties differ.
  await server.connect(transport as Transport)
  await transport.handleRequest(request, response, request.body)
}

app.post('/mcp', (request, response) => {
  answer(request, response).catch(() => response.writeHead(500).end())
})
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: server.address().port })
})
