/** A handful of requests of every kind, as callers send them: what answers wrongly is named. */
import { randomUUID } from 'node:crypto'
import { operations } from '../../src/operations/index.ts'
import { restForm } from '../../src/testing/rest-form.ts'

interface Answer {
  readonly status: number
  // Whatever came back is looked into.
  readonly data: any // oxlint-disable-line typescript/no-explicit-any
}

export interface SmokeResult {
  /** Requests that were sent. */
  readonly asked: number
  /** What was wrong, in words. */
  readonly wrong: readonly string[]
}

const RECEIVER = {
  name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路 1 号',
}
const ERAS = ['2025-11-25', '2026-07-28'] as const
const PATIENCE_MS = 20_000
const SAID_MAX = 300

/** `key` of a tier that allows some hundred calls at once. */
export async function smoke(url: string, key: string): Promise<SmokeResult> {
  const wrong: string[] = []
  let asked = 0

  async function send(path: string, options: RequestInit = {}): Promise<Answer> {
    asked += 1
    const response = await fetch(`${url}${path}`, {
      ...options, signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        'Authorization': `Bearer ${key}`, ...options.body ? JSON_TYPE : {},
        ...options.headers as Record<string, string>,
      },
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, data: isJson ? JSON.parse(text) : text }
  }
  const expect = (what: string, isRight: boolean, answer: Answer): void => {
    const said = `${what}: ${answer.status} ${JSON.stringify(answer.data)}`
    if (!isRight) wrong.push(said.slice(0, SAID_MAX))
  }
  async function get(path: string, status = 200): Promise<Answer> {
    const answer = await send(path)
    expect(`GET ${path}`, answer.status === status, answer)
    return answer
  }
  const tool = (era: string, name: string, input: object): Promise<Answer> => send('/mcp', {
    method: 'POST',
    headers: {
      'MCP-Protocol-Version': era,
      ...era === ERAS[1] && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name },
    },
    body: JSON.stringify({
      jsonrpc: '2.0', id: 1, method: 'tools/call',
      params: {
        name, arguments: input,
        ...era === ERAS[1] && { _meta: {
          'io.modelcontextprotocol/protocolVersion': era,
          'io.modelcontextprotocol/clientInfo': { name: 'smoke', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        } },
      },
    }),
  })

  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) await get(path)
  await get('/metrics', 404)
  await get('/v1/nothing', 404)
  const found = await get('/v1/goods?page_size=50')
  const item = found.data.data.items.find(
    ({ available_qty }: { available_qty: number }) => available_qty > 50)
  await get(`/v1/goods/${item.sku_id}`)

  const { product_id, merchant_id } = item
  const order = { product_id, merchant_id, qty: 1, receiver: RECEIVER }
  const idempotencyKey = randomUUID()
  const place = (): Promise<Answer> => send('/v1/orders', {
    method: 'POST', body: JSON.stringify(order), headers: { 'Idempotency-Key': idempotencyKey },
  })
  const first = await place()
  expect('an order', first.status === 200 && first.data.data.duplicate === false, first)
  const { order_no, pay_url } = first.data.data
  const replay = await place()
  expect('its replay', replay.data.data?.duplicate === true
    && replay.data.data.order_no === order_no, replay)
  const overMcp = await tool(ERAS[0], 'create_order', { ...order, idempotency_key: idempotencyKey })
  expect('its replay over MCP',
    overMcp.data.result?.structuredContent?.order_no === order_no, overMcp)
  const { pathname, searchParams } = new URL(pay_url)
  const paid = await send(pathname, {
    method: 'POST', body: new URLSearchParams({ t: searchParams.get('t') ?? '' }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  expect('its payment', paid.status === 200, paid)
  const status = await get(`/v1/orders/${order_no}`)
  expect('its status', status.data.data.status !== 'pending_payment', status)
  const stranger = await send('/v1/orders', { headers: { Authorization: 'Bearer ak_wrong' } })
  expect('a wrong key', stranger.status === 401, stranger)

  // Every operation over both faces, from its own example: an answer or a refusal, never a failure.
  for (const operation of operations) {
    const known = { sku_id: item.sku_id, product_id, merchant_id, order_no }
    const input = Object.fromEntries(Object.entries(operation.example as object)
      .map(([name, value]) => [name, name === 'idempotency_key' ? randomUUID()
        : (known as Record<string, unknown>)[name] ?? value]))
    const { method, path, body, headers } = restForm(operation, input)
    const answer = await send(path, { method, headers, ...body && { body: JSON.stringify(body) } })
    expect(operation.name, answer.status < 500 && answer.data.schema === 'v1', answer)
  }
  for (const era of ERAS) {
    for (const name of ['search_goods', 'cps_smart_search']) {
      const input = name === 'search_goods' ? { q: '手机', page_size: 2 } : { query: '保温杯' }
      const answer = await tool(era, name, input)
      expect(`${name} in ${era}`, answer.status === 200 && answer.data.result !== undefined
        && answer.data.result.isError !== true, answer)
    }
  }
  return { asked, wrong }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
