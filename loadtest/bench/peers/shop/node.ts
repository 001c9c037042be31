/**
 * The shop on the Node SDK with Express, stateless as its documents show: a server and a transport
 * for each request, JSON answers. Goods are asked from their service over HTTP, counts and orders
 * stand in Redis. The first message names both; the port is the answer.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { Redis } from 'ioredis'
import { z } from 'zod'
import type { ShopBackends } from '../../processes.ts'
import type { ShopItem } from '../../shop.ts'

const [{ goods, redis: redisUrl }] = await once(process, 'message') as [ShopBackends]
process.once('disconnect', () => process.exit(0))
const redis = new Redis(redisUrl, { enableAutoPipelining: true })

const POPULAR = 'popular'

const offerShape = {
  product_id: z.number(), sku_id: z.number(), title: z.string(), retail_price: z.number(),
  image: z.string(), popularity_rank: z.number(),
}
const itemShape = {
  product_id: z.number(), sku_id: z.number(), merchant_id: z.number(), title: z.string(),
  retail_price: z.number(), image: z.string(), description: z.string(), stock: z.number(),
}

const asResult = (data: object) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(data) }],
  structuredContent: data as Record<string, unknown>,
})

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`${goods}${path}`, init)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return await response.json() as T
}

async function search({ q }: { q: string }) {
  const [{ items }, popular] = await Promise.all([
    ask<{ items: ShopItem[] }>(`/goods?brand=${encodeURIComponent(q)}`),
    redis.zrevrange(POPULAR, 0, 9),
  ])
  return asResult({
    items: items.map(({ product_id, sku_id, title, retail_price, image }) => ({
      product_id, sku_id, title, retail_price, image,
      popularity_rank: popular.indexOf(String(product_id)) + 1,
    })),
  })
}

async function detail({ sku_id }: { sku_id: number }) {
  const [item, stock] = await Promise.all([
    ask<ShopItem>(`/goods/${sku_id}`), redis.get(`stock:${sku_id}`),
  ])
  return asResult({ ...item, stock: Number(stock) })
}

interface Order {
  readonly idempotency_key: string
  readonly product_id: number
  readonly qty: number
}

async function order({ idempotency_key, product_id, qty }: Order) {
  const [total, orders_of_product] = await Promise.all([
    ask<{ order_no: string, amount: number }>('/total', {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ product_id, qty }),
    }),
    redis.incr(`orders_of:${product_id}`),
    redis.rpush(`history:${product_id}`, idempotency_key),
    redis.zincrby(POPULAR, 1, String(product_id)),
  ])
  return asResult({ ...total, status: 'confirmed', orders_of_product })
}

function createServer(): McpServer {
  const server = new McpServer({ name: 'shop', version: '1.0.0' })
  server.registerTool('search_goods', {
    description: 'Finds goods of a brand', inputSchema: { q: z.string() },
    outputSchema: { items: z.array(z.object(offerShape)) },
  }, search)
  server.registerTool('get_goods_detail', {
    description: 'One item', inputSchema: { sku_id: z.number() }, outputSchema: itemShape,
  }, detail)
  server.registerTool('create_order', {
    description: 'Orders an item',
    inputSchema: {
      idempotency_key: z.string().length(36), product_id: z.number(), qty: z.number(),
    },
    outputSchema: {
      order_no: z.string(), amount: z.number(), status: z.string(), orders_of_product: z.number(),
    },
  }, order)
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
