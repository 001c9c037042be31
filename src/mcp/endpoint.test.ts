import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import {
  createTestEndpoint, RATE_HEADERS, readReply, TEST_KEY, testRequest, type TestPost,
} from '../testing/mcp.ts'

const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }
const PONG = { jsonrpc: '2.0', id: 7, result: {} }

async function post(sent: unknown, options: TestPost = {}, endpoint = createTestEndpoint()) {
  return readReply(await endpoint.handler(testRequest(sent, options)))
}

const failing = (error: Error) => async (): Promise<Buffer> => { throw error }

describe('headers', () => {
  it('an answer is plain JSON that nobody caches, with the rate limit', async () => {
    const { status, headers, json } = await post(PING)
    expect({ status, json }).toEqual({ status: 200, json: PONG })
    expect(headers).toEqual({
      'content-type': 'application/json', 'cache-control': 'no-store',
      'ratelimit-policy': RATE_HEADERS[0][1], ratelimit: RATE_HEADERS[1][1],
    })
  })

  it('the list of tools is gzipped for a client that takes it, else the same', async () => {
    const { handler } = createTestEndpoint()
    const list = { jsonrpc: '2.0', id: 'a "list"', method: 'tools/list' }
    const ask = (encoding: string) => handler(testRequest(list, {
      headers: { 'accept-encoding': encoding },
    }))
    const plain = await ask('gzip;q=0, deflate')
    const packed = await ask('deflate, gzip')
    expect(packed.headers).toContainEqual(['Content-Encoding', 'gzip'])
    expect(readReply(plain).headers).not.toHaveProperty('content-encoding')
    const bytes = Buffer.concat(packed.body as Buffer[])
    const unpacked = gunzipSync(bytes).toString()
    expect(unpacked).toBe(readReply(plain).text)
    expect(JSON.parse(unpacked)).toMatchObject({ id: 'a "list"' })
    expect(bytes.length).toBeLessThan(unpacked.length / 2)
  })

  it.each([undefined, '*/*', 'application/json', 'text/event-stream', 'text/html'])(
    'Accept %s is answered all the same', async (accept) => {
      expect((await post(PING, { headers: { accept } })).json).toEqual(PONG)
    })

  it.each([undefined, '', 'text/plain', 'application/json-rpc', 'application/jsonx'])(
    'Content-Type %s is 415', async (type) => {
      const { status, json } = await post(PING, { headers: { 'content-type': type } })
      expect({ status, code: json.error.code }).toEqual({ status: 415, code: 41500 })
      expect(json).not.toHaveProperty('id')
    })

  it.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'Content-Type %s is JSON', async (type) => {
      expect((await post(PING, { headers: { 'content-type': type } })).json).toEqual(PONG)
    })

  it('a revision that is not supported is 400 and says which are', async () => {
    const headers = { 'mcp-protocol-version': '2019-01-01' }
    const { status, json } = await post(PING, { headers })
    expect(status).toBe(400)
    expect(json).toMatchObject({ id: 7, error: { data: { requested: '2019-01-01' } } })
    expect(json.error.data.supported).toContain('2025-11-25')
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await post(notification, { headers })).status).toBe(400)
  })

  it.each(['2025-11-25', '2024-10-07', undefined])('revision %s is served', async (version) => {
    const reply = await post(PING, { headers: { 'mcp-protocol-version': version } })
    expect(reply.json).toEqual(PONG)
  })

  it('with a list of origins, any other is 403 and a client without one is served', async () => {
    const endpoint = createTestEndpoint({ allowedOrigins: ['https://shop.example'] })
    const others = ['https://evil.example', 'null', 'https://shop.example.evil.example', '']
    for (const origin of others) {
      const { status, json } = await post(PING, { headers: { origin } }, endpoint)
      expect({ status, hasId: 'id' in json }).toEqual({ status: 403, hasId: false })
    }
    for (const origin of ['https://shop.example', undefined]) {
      expect((await post(PING, { headers: { origin } }, endpoint)).status).toBe(200)
    }
    const open = { headers: { origin: 'https://any.example' } }
    expect((await post(PING, open)).status).toBe(200)
  })
})

describe('a node on the loopback address', () => {
  const local = { host: '127.0.0.1', publicUrl: 'http://localhost:8080' }
  const host = 'localhost:8080'

  it('serves programs and pages of this machine', async () => {
    for (const headers of [{ host }, { host: '127.0.0.1:1' }, { host, origin: 'http://[::1]:9' }]) {
      expect((await post(PING, { headers }, createTestEndpoint(local))).json).toEqual(PONG)
    }
  })

  it.each([
    { host: 'evil.example' }, { host: 'evil.example', origin: 'http://evil.example' },
    { host, origin: 'https://evil.example' }, { host, origin: 'null' }, {},
  ])('refuses %o with 403 before a key is looked at', async (headers) => {
    const endpoint = createTestEndpoint(local)
    const reply = await post(buy(), { headers: { 'x-api-key': TEST_KEY, ...headers } }, endpoint)
    expect(reply).toMatchObject(
      { status: 403, json: { jsonrpc: '2.0', error: { code: -32600 } } })
    expect(reply.json).not.toHaveProperty('id')
    expect(JSON.stringify(reply)).not.toContain('evil')
    expect(endpoint.bought).toEqual([])
  })
})

describe('who calls', () => {
  it.each([
    ['an unknown key', { authorization: `Bearer ak_${'x'.repeat(32)}` }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['two different keys', { authorization: `Bearer ${TEST_KEY}`, 'x-api-key': 'ak_other' }],
  ])('%s is 401 with a challenge, and nothing runs', async (_, headers) => {
    const endpoint = createTestEndpoint()
    const reply = await post(buy(), { headers }, endpoint)
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toMatch(/^Bearer/)
    expect(reply.headers['ratelimit']).toBeDefined()
    expect(reply.json).toMatchObject({
      jsonrpc: '2.0', id: 7, error: {
        code: 40101, message: expect.stringMatching(/^key_invalid: .+ .+request_id/),
        data: { error: 'key_invalid' },
      },
    })
    expect(endpoint.bought).toEqual([])
  })

  it.each([
    { authorization: `Bearer ${TEST_KEY}` }, { 'x-api-key': TEST_KEY },
    { authorization: `bearer ${TEST_KEY}`, 'x-api-key': TEST_KEY },
  ])('a good key counts in either header, or in both', async (headers) => {
    const { json } = await post(buy(), { headers })
    expect(json.result.structuredContent).toMatchObject({ amount: 200 })
  })

  it('a flood is 429 with Retry-After and the rate limit', async () => {
    const endpoint = createTestEndpoint()
    endpoint.refuse(new Refusal('rate_limited', { policy: 'default', retry_after_s: 2 }))
    const reply = await post(PING, {}, endpoint)
    expect(reply).toMatchObject({ status: 429, json: { id: 7 } })
    expect(reply.headers).toMatchObject({ 'retry-after': '3', ratelimit: RATE_HEADERS[1][1] })
    expect(reply.json.error).toMatchObject({
      code: 42900, message: expect.stringContaining('Retry after 2 s'), data: { retry_after_s: 2 },
    })
  })

  it('a flood of what is large or no JSON is answered unread, without an id', async () => {
    const endpoint = createTestEndpoint()
    endpoint.refuse(new Refusal('rate_limited', { policy: 'default', retry_after_s: 2 }))
    const body = failing(new Error('read'))
    for (const headers of [{ 'content-length': '5000' }, { 'content-type': 'text/plain' }]) {
      const reply = await post(PING, { headers, body }, endpoint)
      expect(reply.status).toBe(429)
      expect(reply.json).not.toHaveProperty('id')
    }
    expect((await post([PING], {}, endpoint)).json).not.toHaveProperty('id')
  })

  it('when keys cannot be checked the answer is 503, never keyless service', async () => {
    const endpoint = createTestEndpoint()
    endpoint.refuse(new Refusal('unavailable', { retry_after_s: 1 }))
    const reply = await post(PING, {}, endpoint)
    expect(reply).toMatchObject({ status: 503, json: { error: { code: 50300 } } })
  })
})

describe('bodies', () => {
  it('what is no single message is 400, with the rate limit', async () => {
    for (const body of [Buffer.from('{'), Buffer.from([0xff]), Buffer.alloc(0)]) {
      const reply = await post(body)
      expect(reply).toMatchObject({ status: 400, json: { error: { code: -32700 } } })
      expect(reply.json).not.toHaveProperty('id')
      expect(reply.headers['ratelimit']).toBeDefined()
    }
    expect(await post([PING])).toMatchObject({ status: 400, json: { error: { code: -32600 } } })
  })

  it('a body over the limit is 413', async () => {
    const body = failing(new Refusal('too_large'))
    expect(await post(PING, { body }))
      .toMatchObject({ status: 413, json: { error: { code: 41300 } } })
  })

  it('a client that has gone is left to the exchange', async () => {
    const body = failing(new Error('gone'))
    const endpoint = createTestEndpoint()
    const gone = { body, signal: AbortSignal.abort() }
    await expect(post(PING, gone, endpoint)).rejects.toThrow('gone')
    expect(endpoint.logged).toEqual([])
  })

  it('a failure of our own is 500 and tells nothing but the request id', async () => {
    const endpoint = createTestEndpoint()
    const body = failing(new Error('secret'))
    const reply = await post(PING, { body }, endpoint)
    expect(reply.status).toBe(500)
    expect(reply.json).toEqual({
      jsonrpc: '2.0',
      error: { code: -32603, message: 'Internal error', data: { request_id: 'req-1' } },
    })
    expect(JSON.stringify(endpoint.logged)).toContain('secret')
  })

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a cancellation',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/nonsense' }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error answer', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }],
  ])('%s is 202 without a body', async (_, message) => {
    expect(await post(message)).toMatchObject({ status: 202, text: '' })
  })

  it('a tools/call without an id buys nothing', async () => {
    const endpoint = createTestEndpoint()
    const { id: _, ...notification } = buy()
    const headers = { 'x-api-key': TEST_KEY }
    expect((await post(notification, { headers }, endpoint)).status).toBe(202)
    expect(endpoint.bought).toEqual([])
  })
})

function buy() {
  return {
    jsonrpc: '2.0', id: 7, method: 'tools/call',
    params: {
      name: 'buy_thing',
      arguments: {
        idempotency_key: '0b9f6a52-6d2e-4a0e-9a53-0d6b9b8f6a11', qty: 2,
        receiver: {
          name: '王', phone: '13800000000', province: '广东', city: '深圳', district: '南山',
          address: '科技园 1 号',
        },
      },
    },
  }
}
