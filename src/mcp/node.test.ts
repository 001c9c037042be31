/** The official SDK client against a whole node: from a keyless visit to a repeated order. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { operations } from '../operations/index.ts'
import { liveFacts, orderInput } from '../testing/live.ts'
import { startTestNode } from '../testing/node.ts'

const node = await startTestNode()
afterAll(() => node.stop())

/** A client at an address of its own, so that no other test spends its tokens. */
async function connect(address: string, key?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const headers = {
    'X-Forwarded-For': address, ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  }
  onTestFinished(() => client.close())
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${node.url}/mcp`), { requestInit: { headers } }))
  return client
}

interface Called {
  isError?: boolean
  // Tests look into whatever came back.
  structuredContent: Record<string, any> // oxlint-disable-line typescript/no-explicit-any
}
const call = async (client: Client, name: string, input: object): Promise<Called> =>
  await client.callTool({ name, arguments: { ...input } }) as unknown as Called

test('without a key a client connects, sees every tool and searches', async () => {
  const client = await connect('198.51.100.1')
  expect(client.getServerVersion()?.name).toBe('agentmall')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name))
    .toEqual(operations.filter(({ tool }) => tool !== false).map(({ name }) => name))
  const own = await call(client, 'search_goods', { page_size: 3 })
  expect(own.structuredContent['items']).toHaveLength(3)
  const [{ sku_id, brand }] = own.structuredContent['items']
  const detail = await call(client, 'get_goods_detail', { sku_id })
  expect(detail.structuredContent).toMatchObject({ sku_id, agent_desc: expect.any(String) })
  const shelf = await call(client, 'shelf_search', { q: brand, page_size: 2 })
  expect(shelf.structuredContent['items'][0]).toMatchObject({ brand })
  const refused = await call(client, 'get_order_status', { order_no: 'AM0000000000000000000' })
  expect(refused).toMatchObject({
    isError: true, structuredContent: { error: { error: 'key_required' } },
  })
})

test('with a key it orders once, however often it asks, and reads its order', async () => {
  const key = await node.newKey()
  const client = await connect('198.51.100.2', key)
  await client.listTools()
  const input = orderInput(await liveFacts(node, key))
  const first = await call(client, 'create_order', input)
  expect(first.isError).toBeFalsy()
  expect(first.structuredContent).toMatchObject({
    duplicate: false, expire_in_minutes: 30, render_hint: 'qrcode',
  })
  const again = await call(client, 'create_order', input)
  const { order_no, amount } = first.structuredContent
  expect(again.structuredContent).toMatchObject({ duplicate: true, order_no, amount })
  const status = await call(client, 'get_order_status', { order_no })
  expect(status.structuredContent).toMatchObject({ order_no, grand_total: amount })
  const other = await call(client, 'create_order', { ...input, qty: 2 })
  expect(other).toMatchObject({
    isError: true, structuredContent: { error: { error: 'idempotency_mismatch' } },
  })
})

test('another agent cannot read the order, and cannot tell that it is there', async () => {
  const key = await node.newKey()
  const { order_no } = await liveFacts(node, key)
  const stranger = await connect('198.51.100.3', await node.newKey())
  const refused = await call(stranger, 'get_order_status', { order_no })
  expect(refused.structuredContent['error']).toMatchObject({ error: 'not_found' })
})

const ping = (address: string) => node.send('POST', '/mcp', {
  body: { jsonrpc: '2.0', id: 1, method: 'ping' }, headers: { 'X-Forwarded-For': address },
})

test('a flood is 429 with the time to wait', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => ping('198.51.100.4')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers, text } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(headers.get('ratelimit')).toContain('r=0')
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: 42900 } })
  }
})
