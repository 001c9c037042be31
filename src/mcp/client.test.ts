/** The official SDK client against the endpoint, over a real listener. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, it, onTestFinished } from 'vitest'
import { startListener } from '../testing/listener.ts'
import { createTestEndpoint, TEST_KEY, THINGS } from '../testing/mcp.ts'

const BUY = {
  idempotency_key: '0b9f6a52-6d2e-4a0e-9a53-0d6b9b8f6a11', qty: 2,
  receiver: {
    name: '王', phone: '13800000000', province: '广东', city: '深圳', district: '南山',
    address: '1 号',
  },
}

async function serve() {
  const endpoint = createTestEndpoint()
  const { port } = await startListener({ 'POST /mcp': endpoint.handler })
  return { endpoint, url: new URL(`http://127.0.0.1:${port}/mcp`) }
}

async function connect(url: URL, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

it('connects without a key, lists the tools and calls one', async () => {
  const { url } = await serve()
  const client = await connect(url)
  expect(client.getServerVersion()).toMatchObject({ name: 'agentmall', version: '1.2.3' })
  expect(client.getServerCapabilities()).toEqual({ tools: {} })
  expect(client.getInstructions()).toContain('idempotency_key')
  await client.ping()
  const list = await client.listTools()
  expect(ListToolsResultSchema.safeParse(list).success).toBe(true)
  const called = await client.callTool({ name: 'find_things', arguments: { q: '手机' } })
  expect(called).toEqual({
    content: [{ type: 'text', text: THINGS }], structuredContent: JSON.parse(THINGS),
  })
})

it('takes error results although the client checks them against the output schema', async () => {
  const { url } = await serve()
  const client = await connect(url)
  await client.listTools()
  const withoutKey = await client.callTool({ name: 'buy_thing', arguments: BUY })
  expect(withoutKey).toMatchObject({
    isError: true, structuredContent: { error: { error: 'key_required' } },
  })
  const wrong = await client.callTool({ name: 'find_things', arguments: { colour: 'red' } })
  expect(wrong).toMatchObject({
    isError: true,
    structuredContent: { error: { fields: [{ path: 'colour', problem: 'is not a known field' }] } },
  })
})

it('buys once with a key, and gets the same order when it repeats itself', async () => {
  const { endpoint, url } = await serve()
  const client = await connect(url, { Authorization: `Bearer ${TEST_KEY}` })
  await client.listTools()
  const call = async () => client.callTool({ name: 'buy_thing', arguments: BUY })
  expect((await call()).structuredContent).toMatchObject({ order_no: 'O0', duplicate: false })
  expect((await call()).structuredContent).toMatchObject({ order_no: 'O0', duplicate: true })
  expect(endpoint.bought).toEqual([BUY.idempotency_key])
})

it('answers concurrent requests each with its own result', async () => {
  const { url } = await serve()
  const client = await connect(url)
  const [things, refused, pong, list] = await Promise.all([
    client.callTool({ name: 'find_things', arguments: {} }),
    client.callTool({ name: 'refuse_things', arguments: {} }),
    client.ping(), client.listTools(),
  ])
  expect(things.structuredContent).toEqual(JSON.parse(THINGS))
  expect(refused.structuredContent).toMatchObject({ error: { error: 'not_configured' } })
  expect(pong).toEqual({})
  expect(list.tools).toHaveLength(4)
})

it('tells an unknown tool and an internal failure as protocol errors', async () => {
  const { url } = await serve()
  const client = await connect(url)
  await expect(client.callTool({ name: 'nonsense' })).rejects.toMatchObject({ code: -32602 })
  await expect(client.callTool({ name: 'break_things' }))
    .rejects.toMatchObject({ code: -32603, data: { request_id: expect.any(String) } })
  await expect(client.listResources()).rejects.toMatchObject({ code: -32601 })
})

it('a wrong key does not connect', async () => {
  const { url } = await serve()
  await expect(connect(url, { Authorization: 'Bearer ak_wrong' }))
    .rejects.toMatchObject({ code: 401 })
})

it('GET and DELETE are 405 and name what is allowed', async () => {
  const { url } = await serve()
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(url, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toContain('POST')
  }
})

it('a body over the limit is 413 and says so as JSON-RPC', async () => {
  const { url } = await serve()
  const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(70_000) } }
  const response = await fetch(url, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(message),
  })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: 41300 } })
})
