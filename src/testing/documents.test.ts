/** What the documents say, tried on a running node: every example, as a reader would send it. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorName } from '../contract/errors.ts'
import { errorBody, samplesOf } from '../http/reference/examples.ts'
import { entryOf } from '../http/reference/model.ts'
import { createTools } from '../mcp/tools.ts'
import { operations } from '../operations/index.ts'
import { createDocumentClient, payOrder, type DocumentAnswer } from './document-client.ts'
import { eventually } from './eventually.ts'
import { liveFacts } from './live.ts'
import { startTestMalls } from './malls.ts'
import { startTestNode } from './node.ts'
import { supplyProduct } from './products.ts'
import { startReceiver } from './receiver.ts'

const malls = await startTestMalls()
const node = await startTestNode({ mallCallsPerSecond: 150 }, undefined, malls.settings)
const receiver = await startReceiver()
afterAll(async () => {
  await node.stop()
  await receiver.close()
  await malls.close()
})
const key = await node.newKey()
const document = JSON.parse((await node.send('GET', '/openapi.json')).text)
const direct = createDocumentClient(document, node.url)
let calls = 0
/** Each call comes from an address of its own: limits by address have their own tests. */
const client: typeof direct = {
  ...direct,
  call(name, options = {}) {
    calls += 1
    const address = `10.20.${calls >> 8}.${calls & 255}`
    return direct.call(name, { ...options, headers: {
      'X-Forwarded-For': address, ...options.headers,
    } })
  },
}

/** What examples speak of: an item that this catalogue has, and an order of it, delivered. */
const { order_no: unpaid, withdrawn_order_no: withdrawn, ...item } = await liveFacts(node, key)
const given: Record<string, unknown> = { ...item }
/** A webhook that is proven: the other's url is changed by its example. */
let proven = ''
beforeAll(async () => {
  const placed = await client.call('create_order', { key, given })
  given['order_no'] = placed.envelope.data.order_no
  expect(await payOrder(node.url, placed.envelope.data.pay_url)).toBe(200)
  await eventually(async () => {
    const { envelope } = await client.call('get_order_status', { key, given })
    expect(envelope.data.status).toMatch(/delivered|completed/)
  })
  const made = await client.call('create_webhook', { key, given: { url: receiver.url } })
  proven = made.envelope.data.webhook_id
  await eventually(async () => {
    const { envelope } = await client.call('list_webhooks', { key })
    expect(envelope.data.webhooks).toContainEqual(
      expect.objectContaining({ webhook_id: proven, state: 'active' }))
  })
})

/** A move that ends an order is tried on one of its own, which nobody has paid. */
function valuesFor(name: string): Record<string, unknown> {
  if (name === 'cancel_aftersale') return { ...given, order_no: withdrawn }
  if (name === 'resend_webhook') return { ...given, webhook_id: proven }
  const { effect } = operations.find((one) => one.name === name) ?? {}
  return effect === 'update' ? { ...given, order_no: unpaid } : given
}

const inTable = operations.map((operation) => ({ name: operation.name, operation }))
const tools = inTable.filter(({ operation }) => operation.tool !== false)

test('the document has every operation of the table', () => {
  expect(client.operationIds.toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
})

describe.each(inTable)('$name', ({ name, operation }) => {
  test('its example, sent as documented, is answered as documented', async () => {
    const answer = await client.call(name, { key, given: valuesFor(name) })
    expect(answer.problems).toEqual([])
    expect(answer.status).toBe(200)
  })

  test('a wrong key and a missing one are answered as documented', async () => {
    const wrong = await client.call(name, { key: `ak_${'0'.repeat(32)}`, given })
    expect(wrong).toMatchObject({ status: 401, problems: [] })
    if (operation.access !== 'key') return
    const missing = await client.call(name, { given })
    expect(missing).toMatchObject({ status: 401, problems: [] })
    expectAsDocumented('key_required', missing)
  })

  test('its line for the shell sends the same request', () => {
    const base = 'https://mall.test/v1'
    const entry = entryOf(operation)
    const [method, sent] = shellRequest(samplesOf(entry, base).curl)
    expect(method).toBe(entry.method)
    expect(sent.url.startsWith(`${base}/`)).toBe(true)
    expect(sent.headers['Authorization'])
      .toBe(operation.access === 'key' ? 'Bearer ak_shell' : undefined)
    const input = { ...sent.query, ...sent.body }
    const { idempotency_key: id, ...example } = operation.example as Record<string, unknown>
    expect(sent.headers['Idempotency-Key']).toBe(id && 'a-uuid')
    for (const [field, value] of Object.entries(example)) {
      const isInPath = entry.path.includes(`{${field}}`)
      expect(!isInPath || sent.url.includes(encodeURIComponent(String(value)))).toBe(true)
      expect(input[field]).toEqual(isInPath ? undefined
        : method === 'GET' ? String(value) : value)
    }
  })
})

describe.each(tools)('$name over MCP', ({ name, operation }) => {
  test('its example gives data of the documented shape', async () => {
    const input = { ...operation.example as object } as Record<string, unknown>
    for (const [field, value] of Object.entries(valuesFor(name))) {
      if (field in input) input[field] = value
    }
    if ('idempotency_key' in input) input['idempotency_key'] = randomUUID()
    const { body } = await node.mcp('tools/call', { name, arguments: input }, key)
    const { structuredContent, isError } = body.result
    expect(client.dataProblems(name, structuredContent)).toEqual([])
    expect(isError).not.toBe(true)
  })
})

/** A live error and the example in the documents differ in nothing but values. */
function expectAsDocumented(name: ErrorName, { envelope }: Pick<DocumentAnswer, 'envelope'>): void {
  const example = errorBody(name) as { code: number, msg: string, data: object }
  expect(envelope).toMatchObject({ schema: 'v1', code: example.code, msg: example.msg })
  expect(Object.keys(envelope.data)).toEqual(Object.keys(example.data))
}

describe('an error answer is what its example shows', () => {
  const order = async (changes: object, id: string = randomUUID()): Promise<DocumentAnswer> =>
    await client.call('create_order', {
      key, given: { ...item, ...changes, 'Idempotency-Key': id },
    })

  test.each<[ErrorName, () => Promise<DocumentAnswer>]>([
    ['invalid_request', () => order({ qty: 'many' })],
    ['idempotency_key_required', () => order({}, 'not-a-uuid')],
    ['merchant_mismatch', () => order({ merchant_id: 9_999_999 })],
    ['not_shipped', () => client.call('get_logistics', { key, given: { order_no: unpaid } })],
    ['not_found', () => client.call('get_order_status', {
      key, given: { order_no: `${unpaid.slice(0, -4)}0000` },
    })],
    ['key_invalid', () => client.call('search_goods', { key: `ak_${'1'.repeat(32)}` })],
    ['unsupported_media_type', () => client.call('shelf_search', {
      headers: { 'Content-Type': 'text/plain' },
    })],
  ])('%s', async (name, ask) => {
    const answer = await ask()
    expect(answer.problems).toEqual([])
    expectAsDocumented(name, answer)
  })

  test('idempotency_mismatch', async () => {
    const id = randomUUID()
    expect((await order({ qty: 1 }, id)).status).toBe(200)
    const answer = await order({ qty: 2 }, id)
    expect(answer).toMatchObject({ status: 422, problems: [] })
    expectAsDocumented('idempotency_mismatch', answer)
  })

  test('out_of_stock and qty_over_cap', async () => {
    const { ledger } = node.services
    const few = await supplyProduct(ledger, { stock: 1, cap: 2 })
    const of = { product_id: few.productId, merchant_id: few.merchantId }
    const gone = await order({ ...of, qty: 2 })
    expect(gone.problems).toEqual([])
    expectAsDocumented('out_of_stock', gone)
    const many = await order({ ...of, qty: 3 })
    expect(many.problems).toEqual([])
    expectAsDocumented('qty_over_cap', many)
  })

  test('method_not_allowed, too_large and rate_limited', async () => {
    const wrong = await node.send('PUT', '/v1/goods')
    expectAsDocumented('method_not_allowed', wrong)
    const large = await node.send('POST', '/v1/orders', { key, body: 'x'.repeat(70_000) })
    expectAsDocumented('too_large', large)
    const headers = { 'X-Forwarded-For': '192.0.2.77' }
    const many = await Promise.all(Array.from({ length: 30 }, () =>
      client.call('search_goods', { headers })))
    const limited = many.find(({ status }) => status === 429) as DocumentAnswer
    expect(limited.problems).toEqual([])
    expectAsDocumented('rate_limited', limited)
  })
})

interface ShellRequest {
  readonly url: string
  readonly headers: Record<string, string>
  readonly query: Record<string, string>
  readonly body: Record<string, unknown>
}

/** Runs the line in a real shell whose curl tells what it was given. */
function shellRequest(line: string): [method: string, request: ShellRequest] {
  const stubs = 'KEY=ak_shell; uuidgen() { printf a-uuid; }; curl() { printf "%s\\0" "$@"; }'
  const given = execFileSync('sh', ['-c', `${stubs}\n${line}`]).toString().split('\0').slice(0, -1)
  const request: ShellRequest = { url: '', headers: {}, query: {}, body: {} }
  let method: string | undefined
  let implied = 'GET'
  let url = ''
  while (given.length > 0) {
    const word = given.shift() as string
    if (word === '-G') implied = 'GET'
    else if (word === '-X') method = given.shift() as string
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/s.exec(given.shift() as string) ?? []
      request.headers[name] = value
    } else if (word === '--data-urlencode') {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(given.shift() as string) ?? []
      request.query[name] = value
    } else if (word === '-d') {
      Object.assign(request.body, JSON.parse(given.shift() as string))
      implied = 'POST'
    } else url = word
  }
  return [method ?? implied, { ...request, url }]
}

describe('a newcomer', () => {
  test('with a browser gets a page at the root, and from the API its reference', async () => {
    const open = (path: string) =>
      fetch(`${node.url}${path}`, { headers: { Accept: 'text/html,*/*' } })
    const home = await open('/')
    expect(new URL(home.url).pathname).toBe('/')
    const html = await home.text()
    for (const place of ['/console', '/docs', '/plugin']) expect(html).toContain(`href="${place}`)
    const answer = await open('/v1')
    expect(new URL(answer.url).pathname).toBe('/docs')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await answer.text()).toContain('<h1>API reference</h1>')
  })

  test('answers a program with the addresses, in the envelope', async () => {
    for (const path of ['/', '/v1']) {
      const { status, envelope } = await node.send('GET', path)
      expect(status).toBe(200)
      expect(envelope).toMatchObject({ schema: 'v1', code: 0, agent_ref: null })
      const { rest_url, mcp_url, openapi_url, docs_url, plugin_url } = envelope.data
      expect([rest_url, mcp_url, openapi_url, docs_url, plugin_url]
        .map((url) => new URL(url).pathname))
        .toEqual(['/v1', '/mcp', '/openapi.json', '/docs', '/plugin'])
    }
  })
})

test('each document says which operations are no tools', async () => {
  const tools = createTools(operations).byName
  const others = operations.map(({ name }) => name).filter((name) => !tools.has(name))
  const list = others.map((name) => `\`${name}\``)
  const read = async (path: string): Promise<string> => (await node.send('GET', path)).text
  const markdown = await read('/docs.md')
  expect(markdown).toContain(`${tools.size} of the ${operations.length} operations are tools`)
  expect(markdown).toContain(`Only over REST: ${list.join(', ')};`)
  expect(markdown).toContain('`create_order.quote_token`')
  expect(await read('/docs?lang=zh')).toContain('仅 REST 提供')
  expect(document.info.description).toContain(`Only here: ${list.join(', ')}.`)
  expect((await read('/llms.txt')).match(/REST only\)/g)).toHaveLength(others.length)
})
