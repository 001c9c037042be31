import { describe, expect, it } from 'vitest'
import { errorData, type ErrorName, Refusal, type RefusalDetail } from '../contract/errors.ts'
import { JsonText } from '../contract/json.ts'
import { createTestEndpoint, readReply, TEST_KEY, testRequest, THINGS } from '../testing/mcp.ts'
import { createCallResults, failureText } from './methods.ts'

const KEY = '0b9f6a52-6d2e-4a0e-9a53-0d6b9b8f6a11'
const RECEIVER = {
  name: '王', phone: '13800000000', province: '广东', city: '深圳', district: '南山', address: '1 号',
}
const withKey = { 'x-api-key': TEST_KEY }

async function ask(
  method: string, params?: unknown, headers: Record<string, string> = {},
  endpoint = createTestEndpoint(),
) {
  const reply = readReply(
    await endpoint.handler(testRequest({ jsonrpc: '2.0', id: 'a', method, params }, { headers })))
  expect(reply.status).toBe(200)
  expect(reply.json).toMatchObject({ jsonrpc: '2.0', id: 'a' })
  return reply.json
}
const call = (name: unknown, input?: unknown, ...rest: [Record<string, string>?,
  ReturnType<typeof createTestEndpoint>?]) =>
  ask('tools/call', { name, ...(input !== undefined && { arguments: input }) }, ...rest)

describe('initialize', () => {
  it.each([
    ['2025-11-25', '2025-11-25'], ['2024-11-05', '2024-11-05'], ['2031-01-01', '2025-11-25'],
    ['__proto__', '2025-11-25'],
  ])('asked for %s it answers %s', async (asked, answered) => {
    const clientInfo = { name: 't', version: '1' }
    const params = { protocolVersion: asked, capabilities: {}, clientInfo }
    const { result } = await ask('initialize', params, { 'mcp-protocol-version': asked })
    expect(result).toMatchObject({
      protocolVersion: answered,
      serverInfo: { name: 'agentmall', title: 'agentmall', version: '1.2.3' },
    })
    expect(result.capabilities).toStrictEqual({ tools: {} })
    expect(result.instructions).toContain('https://mall.example/v1/trial-keys')
  })

  it('without a version the params are invalid', async () => {
    expect((await ask('initialize')).error.code).toBe(-32602)
  })
})

describe('dispatch', () => {
  it.each(['nonsense', '', '__proto__', 'constructor', 'tools/list\0', 'resources/list',
    'server/discover', 'notifications/initialized'])(
    'the method %j is not found', async (method) => {
      const { error } = await ask(method)
      expect(error.code).toBe(-32601)
      expect(error.message).toBe('Method not found: this server has no such method.')
    })

  it.each([[[]], ['text'], [1], [true]])('params %j are invalid', async (params) => {
    expect((await ask('ping', params)).error.code).toBe(-32602)
  })

  it('params may be null or carry _meta', async () => {
    expect((await ask('ping', null)).result).toEqual({})
    expect((await ask('ping', { _meta: { progressToken: 1 } })).result).toEqual({})
  })
})

describe('tools/list', () => {
  it('names what MCP offers, in one page, in the order of the table', async () => {
    const { result } = await ask('tools/list')
    expect(result.tools.map((tool: { name: string }) => tool.name))
      .toEqual(['find_things', 'buy_thing', 'break_things', 'refuse_things'])
    expect(result).not.toHaveProperty('nextCursor')
    expect((await ask('tools/list', { cursor: null })).result).toEqual(result)
  })

  it.each(['', 'abc', 1, {}])('the cursor %j was never given', async (cursor) => {
    expect((await ask('tools/list', { cursor })).error.code).toBe(-32602)
  })
})

describe('tools/call', () => {
  it('answers with the data, and with the very same JSON as text', async () => {
    const { result } = await call('find_things')
    expect(result).toStrictEqual({
      content: [{ type: 'text', text: THINGS }], structuredContent: JSON.parse(THINGS),
    })
  })

  it.each([undefined, null, {}])('arguments %j are none', async (input) => {
    expect((await call('find_things', input)).result.structuredContent).toEqual(JSON.parse(THINGS))
  })

  it.each(['nonsense', '__proto__', 'constructor', 'rest_only', 'FIND_THINGS', '',
    'find_things\0'])(
    'the tool %j is invalid params', async (name) => {
      const { error } = await call(name, {})
      expect(error.code).toBe(-32602)
      expect(error.message).toBe('There is no tool of that name: see tools/list.')
    })

  it.each([undefined, null, 1, ['find_things'], {}])(
    'the name %j is invalid params', async (name) => {
      expect((await call(name)).error.code).toBe(-32602)
    })

  it('_meta and a task beside the arguments change nothing', async () => {
    const params = { name: 'find_things', _meta: { progressToken: 'p' }, task: { ttl: 1 } }
    expect((await ask('tools/call', params)).result.structuredContent).toEqual(JSON.parse(THINGS))
  })

  it('all problems of the arguments are told at once, as a result', async () => {
    const { result } = await call('buy_thing',
      { idempotency_key: 'x', qty: 500, amount: 1, receiver: { name: '王' } }, withKey)
    expect(result.isError).toBe(true)
    const { error, fields } = result.structuredContent.error
    expect(error).toBe('invalid_request')
    const paths = fields.map((field: { path: string }) => field.path)
    expect(paths).toEqual(expect.arrayContaining(
      ['idempotency_key', 'qty', 'amount', 'receiver.phone', 'receiver.address']))
    expect(result.content).toHaveLength(1)
    expect(result.content[0].text).toContain('qty must be at most 99')
    expect(result.content[0].text).toContain('receiver.phone is required')
  })

  it.each([[[]], ['text'], [7], [JSON.parse('{"__proto__":{"q":"x"}}')], [{ q: 'a\0b' }]])(
    'hostile arguments are a result with isError', async (input) => {
      const { result } = await call('find_things', input)
      expect(result.isError).toBe(true)
      expect(result.structuredContent.error.error).toBe('invalid_request')
      expect(({} as Record<string, unknown>)['q']).toBeUndefined()
    })

  it('arguments thousands of levels deep are a result with isError', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000)
    for (const name of ['q', 'unknown']) {
      const body = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
        + `{"name":"find_things","arguments":{"${name}":${deep}}}}`)
      const { json } = readReply(await createTestEndpoint().handler(testRequest(body)))
      expect(json.result.structuredContent.error.fields[0].path).toBe(name)
    }
  })

  it('without a key a tool that needs one says how to get one', async () => {
    const { result } = await call('buy_thing', {})
    expect(result.isError).toBe(true)
    expect(result.structuredContent.error)
      .toMatchObject({ error: 'key_required', request_id: 'req-1' })
    expect(result.content[0].text).toContain('POST https://mall.example/v1/trial-keys')
  })

  it('a refusal tells the facts on which an agent decides', async () => {
    const { result } = await call('buy_thing',
      { idempotency_key: KEY, qty: 99, receiver: RECEIVER }, withKey)
    expect(result).toStrictEqual({
      content: [{
        type: 'text',
        text: 'out_of_stock: Not enough stock is left. available_qty: 50. Order at most '
          + 'available_qty, or another item, under a new UUID; unchanged it keeps its own. '
          + '(request_id req-1)',
      }],
      structuredContent: {
        error: {
          error: 'out_of_stock', available_qty: 50, request_id: 'req-1',
          hint: 'Order at most available_qty, or another item, under a new UUID; '
            + 'unchanged it keeps its own.',
        },
      },
      isError: true,
    })
  })

  it('a replay answers with the same order and buys nothing more', async () => {
    const endpoint = createTestEndpoint()
    const input = { idempotency_key: KEY, qty: 2, receiver: RECEIVER }
    const first = await call('buy_thing', input, withKey, endpoint)
    const again = await call('buy_thing',
      { ...input, idempotency_key: `"${KEY.toUpperCase()}"` }, withKey, endpoint)
    expect(first.result.structuredContent.duplicate).toBe(false)
    expect(again.result.structuredContent)
      .toEqual({ ...first.result.structuredContent, duplicate: true })
    expect(endpoint.bought).toHaveLength(1)
  })

  it('an unexpected failure is a protocol error that tells only the request id', async () => {
    const endpoint = createTestEndpoint()
    const answer = await call('break_things', {}, {}, endpoint)
    expect(answer).toStrictEqual({
      jsonrpc: '2.0', id: 'a',
      error: { code: -32603, message: 'Internal error', data: { request_id: 'req-1' } },
    })
    expect(JSON.stringify(endpoint.logged)).toContain('hunter2')
  })
})

it('a result has its data twice, and what its era adds, whatever that is', () => {
  for (const stamp of [{}, { resultType: 'complete', _meta: { a: { b: '"}' } } }]) {
    const results = createCallResults(stamp, 'https://mall.example')
    const read = (pieces: readonly Buffer[]) => JSON.parse(Buffer.concat(pieces).toString())
    const json = '{"items": [1, "手机"]}'
    expect(read(results.success(new JsonText(json)))).toEqual({
      content: [{ type: 'text', text: json }], structuredContent: JSON.parse(json), ...stamp,
    })
    const error = errorData(new Refusal('out_of_stock'), 'req-9')
    expect(read(results.failure(error))).toEqual({
      content: [{ type: 'text', text: failureText(error, 'https://mall.example') }],
      structuredContent: { error }, isError: true, ...stamp,
    })
  }
})

const textOf = (error: ErrorName, detail: RefusalDetail): string =>
  failureText(errorData(new Refusal(error, detail), 'req-9'), 'https://mall.example')

it('a refusal is one paragraph: name, message, problems, facts, advice, waiting time, id', () => {
  expect(textOf('invalid_request', {
    fields: [{ path: '', problem: 'must be an object' }, { path: 'qty', problem: 'is required' }],
    hint: 'Correct it.', retry_after_s: 3, allowed: ['cancel'], note: 'as it is', gone: undefined,
  })).toBe('invalid_request: The request is not valid. arguments must be an object; qty is '
    + 'required. allowed: ["cancel"]. note: as it is. Correct it. Retry after 3 s. '
    + '(request_id req-9)')
})

it('a missing key is told as a host is configured', () => {
  expect(textOf('key_required', {})).toBe('key_required: This operation needs an API key. Get a '
    + 'key at once with POST https://mall.example/v1/trial-keys and have your user put the header '
    + '"Authorization: Bearer <API_KEY>" into the configuration of this MCP server. Without a '
    + 'key, searching works. (request_id req-9)')
})
