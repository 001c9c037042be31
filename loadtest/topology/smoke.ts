/** A handful of requests of every kind, as callers send them: what answers wrongly is named. */
import { randomUUID } from 'node:crypto'
import { operations } from '../../src/operations/index.ts'
import { restForm } from '../../src/testing/rest-form.ts'

interface Answer {
  readonly status: number
  // Whatever came back is looked into.
  readonly data: any // oxlint-disable-line typescript/no-explicit-any
}

interface SmokeResult {
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
const PATIENCE_MS = 60_000
const SAID_MAX = 300

/** `key` of a tier that allows some hundred calls at once. */
export async function smoke(url: string, key: string): Promise<SmokeResult> {
  const test = new SmokeTest(url, key)
  await test.pages()
  const item = await test.findItem()
  const orderNo = await test.order(item)
  await test.everyOperation(item, orderNo)
  await test.bothEras()
  return test
}

interface Item {
  readonly sku_id: number
  readonly product_id: number
  readonly merchant_id: number
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

class SmokeTest implements SmokeResult {
  asked = 0
  readonly wrong: string[] = []
  private readonly url: string
  private readonly key: string

  constructor(url: string, key: string) {
    this.url = url
    this.key = key
  }

  async pages(): Promise<void> {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) await this.get(path)
    await this.get('/metrics', 404)
    await this.get('/v1/nothing', 404)
  }

  /** One with enough units, whose detail is answered. */
  async findItem(): Promise<Item> {
    const found = await this.get('/v1/goods?page_size=50')
    const item = found.data.data.items.find(
      ({ available_qty }: { available_qty: number }) => available_qty > 50)
    await this.get(`/v1/goods/${item.sku_id}`)
    return item
  }

  /** Places an order, repeats it over REST and MCP, pays and reads it; its number. */
  async order({ product_id, merchant_id }: Item): Promise<string> {
    const order = { product_id, merchant_id, qty: 1, receiver: RECEIVER }
    const idempotencyKey = randomUUID()
    const place = (): Promise<Answer> => this.send('/v1/orders', {
      method: 'POST', body: JSON.stringify(order), headers: { 'Idempotency-Key': idempotencyKey },
    })
    const first = await place()
    this.expect('an order', first.status === 200 && first.data.data.duplicate === false, first)
    const { order_no, pay_url } = first.data.data
    const replay = await place()
    this.expect('its replay', replay.data.data?.duplicate === true
      && replay.data.data.order_no === order_no, replay)
    const overMcp = await this.tool(ERAS[0], 'create_order',
      { ...order, idempotency_key: idempotencyKey })
    this.expect('its replay over MCP',
      overMcp.data.result?.structuredContent?.order_no === order_no, overMcp)
    await this.pay(pay_url)
    const status = await this.get(`/v1/orders/${order_no}`)
    this.expect('its status', status.data.data.status !== 'pending_payment', status)
    const stranger = await this.send('/v1/orders',
      { headers: { Authorization: 'Bearer ak_wrong' } })
    this.expect('a wrong key', stranger.status === 401, stranger)
    return order_no
  }

  /** Over REST, from its own example: an answer or a refusal, never a failure. */
  async everyOperation(item: Item, orderNo: string): Promise<void> {
    const { sku_id, product_id, merchant_id } = item
    const known: Record<string, unknown> = { sku_id, product_id, merchant_id, order_no: orderNo }
    for (const operation of operations) {
      const input = Object.fromEntries(Object.entries(operation.example as object)
        .map(([name, value]) => [name, name === 'idempotency_key' ? randomUUID()
          : known[name] ?? value]))
      const { method, path, body, headers } = restForm(operation, input)
      const answer = await this.send(path,
        { method, headers, ...body && { body: JSON.stringify(body) } })
      this.expect(operation.name, answer.status < 500 && answer.data.schema === 'v1', answer)
    }
  }

  async bothEras(): Promise<void> {
    for (const era of ERAS) {
      for (const name of ['search_goods', 'cps_smart_search']) {
        const input = name === 'search_goods' ? { q: '手机', page_size: 2 } : { query: '保温杯' }
        const answer = await this.tool(era, name, input)
        this.expect(`${name} in ${era}`, answer.status === 200
          && answer.data.result !== undefined && answer.data.result.isError !== true, answer)
      }
    }
  }

  private async pay(payUrl: string): Promise<void> {
    const { pathname, searchParams } = new URL(payUrl)
    const paid = await this.send(pathname, {
      method: 'POST', body: new URLSearchParams({ t: searchParams.get('t') ?? '' }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    this.expect('its payment', paid.status === 200, paid)
  }

  private async get(path: string, status = 200): Promise<Answer> {
    const answer = await this.send(path)
    this.expect(`GET ${path}`, answer.status === status, answer)
    return answer
  }

  private tool(era: string, name: string, input: object): Promise<Answer> {
    const isModern = era === ERAS[1]
    const meta = {
      'io.modelcontextprotocol/protocolVersion': era,
      'io.modelcontextprotocol/clientInfo': { name: 'smoke', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    return this.send('/mcp', {
      method: 'POST',
      headers: {
        'MCP-Protocol-Version': era,
        ...isModern && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name },
      },
      body: JSON.stringify({
        jsonrpc: '2.0', id: 1, method: 'tools/call',
        params: { name, arguments: input, ...isModern && { _meta: meta } },
      }),
    })
  }

  private async send(path: string, options: RequestInit = {}): Promise<Answer> {
    this.asked += 1
    const response = await fetch(`${this.url}${path}`, {
      ...options, signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        'Authorization': `Bearer ${this.key}`, ...options.body ? JSON_TYPE : {},
        ...options.headers as Record<string, string>,
      },
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, data: isJson ? JSON.parse(text) : text }
  }

  private expect(what: string, isRight: boolean, answer: Answer): void {
    const said = `${what}: ${answer.status} ${JSON.stringify(answer.data)}`
    if (!isRight) this.wrong.push(said.slice(0, SAID_MAX))
  }
}
