/**
 * The same tool as most would build it: the official SDK with Express, stateless as its documents
 * show, a server and a transport for each request. `page` in the first message is the data that
 * it answers, from memory: no search, no key, no limit.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'

const [{ page }] = await once(process, 'message') as [{ page: Record<string, unknown> }]
process.once('disconnect', () => process.exit(0))

function createServer(): McpServer {
  const server = new McpServer({ name: 'peer', version: '1.0.0' })
  server.registerTool('search_goods', {
    description: 'Finds goods by keywords',
    inputSchema: { q: z.string().max(200).optional(), page_size: z.number().int().optional() },
  }, async () => ({
    content: [{ type: 'text' as const, text: JSON.stringify(page) }], structuredContent: page,
  }))
  return server
}

type Incoming = IncomingMessage & { body: unknown }
const app = createMcpExpressApp() as {
  post(path: string, handle: (request: Incoming, response: ServerResponse) => void): void
  listen(port: number, host: string, ready: () => void): { address(): AddressInfo }
}

async function answer(request: Incoming, response: ServerResponse): Promise<void> {
  const server = createServer()
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: true,
  })
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
