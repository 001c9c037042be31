/** What a collector gets of a node's requests, and what it does not get. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { liveFacts, orderInput } from '../testing/live.ts'
import { createOrder } from '../operations/create-order.ts'
import { openTraces } from './traces.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly {
    key: string, value: { stringValue?: string, intValue?: number }
  }[]
  readonly status: { code?: number }
}

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'

const bodies: string[] = []
const collector = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => { body += text }).on('end', () => {
    if (request.url === '/v1/traces') bodies.push(body)
    response.setHeader('Content-Type', 'application/json').end('{}')
  })
})
const spans = (): Span[] => bodies.flatMap((body) =>
  (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans: found }) => found)))
const ofTrace = (traceId: string): Span[] => spans().filter((span) => span.traceId === traceId)
const attribute = (span: Span | undefined, name: string): unknown => {
  const value = span?.attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

let node: TestNode
beforeAll(async () => {
  await new Promise<void>((resolve) => { collector.listen(0, '127.0.0.1', resolve) })
  const { port } = collector.address() as AddressInfo
  node = await startTestNode({ otlpEndpoint: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await node.stop()
  collector.close()
})

test('a request is one trace, of its operation and of what that asked', async () => {
  await node.send('GET', '/v1/goods?q=zz9-secret-words', {
    headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` },
  })
  await expect.poll(() => ofTrace(TRACE_ID).map(({ name }) => name))
    .toContain('GET /v1/goods')
  const found = ofTrace(TRACE_ID)
  const request = found.find(({ name }) => name === 'GET /v1/goods')
  const operation = found.find(({ name }) => name === 'search_goods')
  expect(request?.parentSpanId).toBe(PARENT_ID)
  expect(attribute(request, 'http.response.status_code')).toBe(200)
  expect(operation?.parentSpanId).toBe(request?.spanId)
  expect(attribute(operation, 'agentmall.outcome')).toBe('ok')
  const searched = found.filter(({ name }) => /^shelf ft\.(search|aggregate)$/i.test(name))
  expect(searched.length).toBeGreaterThan(0)
  for (const { parentSpanId } of searched) expect(parentSpanId).toBe(operation?.spanId)
})

test('an order has the span of its durable write, and nothing of its text', async () => {
  const key = await node.newKey()
  const { product_id, merchant_id } = await liveFacts(node, key)
  const input = orderInput({ product_id, merchant_id })
  const { status } = await node.rest(createOrder, input, key)
  expect(status).toBe(200)
  await expect.poll(() => spans().filter(({ name }) => name.startsWith('ledger write '))
    .map(({ parentSpanId }) => spans().find(({ spanId }) => spanId === parentSpanId)?.name))
    .toContain('create_order')
  const everything = bodies.join('')
  const { phone, name } = input.receiver
  for (const secret of [key, 'zz9-secret-words', phone, name, TRACE_ID.toUpperCase()]) {
    expect(everything).not.toContain(secret)
  }
})

test('a refusal says its name; a traceparent that is none begins a trace', async () => {
  const before = spans().length
  await node.send('GET', '/v1/goods/99999999901', { headers: { traceparent: '00-zzz' } })
  await expect.poll(() => spans().slice(before)
    .map((span) => attribute(span, 'agentmall.outcome'))).toContain('not_found')
})

test('a collector that is down changes no answer and holds up no end', async () => {
  const lonely = await startTestNode({ otlpEndpoint: 'http://127.0.0.1:1' })
  expect((await lonely.send('GET', '/v1/goods')).status).toBe(200)
  await lonely.stop()
})

test('without a collector nothing is wrapped, and the library is loaded by one file', async () => {
  expect(await openTraces({ otlpEndpoint: undefined })).toBeUndefined()
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const having = (text: string): string[] =>
    files.filter((name) => readFileSync(`${root}${name}`, 'utf8').includes(text))
  expect(having("from '@opentelemetry/")).toEqual(['traces/open-telemetry.ts'])
  expect(having('open-telemetry.ts')).toEqual(['traces/traces.ts'])
  expect(readFileSync(`${root}traces/traces.ts`, 'utf8'))
    .not.toMatch(/^import .*open-telemetry/m)
})
