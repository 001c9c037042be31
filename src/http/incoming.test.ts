import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { startListener } from '../testing/listener.ts'
import { ask, openRaw, request } from '../testing/raw.ts'
import type { Handler } from '../contract/http.ts'

const echo: Handler = ({ method, path, query, params, route, address, id }) =>
  ({ status: 200, body: JSON.stringify({ method, path, query, params, route, address, id }) })

describe('what a handler sees', () => {
  test('is the request as it was sent', async () => {
    const { port } = await startListener({
      'GET /goods/:skuId': echo,
      'GET /headers': (incoming) => ({
        status: 200,
        body: JSON.stringify(['x-one', 'x-two', 'x-none', '__proto__', 'constructor', 'host']
          .map((name) => incoming.header(name) ?? null)),
      }),
    })
    const { body, headers } = await ask(port, 'GET /goods/a%20b?q=%E6%9C%BA&x')
    expect(JSON.parse(body)).toEqual({
      method: 'GET', path: '/goods/a%20b', query: 'q=%E6%9C%BA&x', params: { skuId: 'a b' },
      route: '/goods/:skuId', address: '127.0.0.1', id: headers['x-request-id'],
    })
    const lines = ['X-One: 1', 'x-TWO: a', 'X-Two: b', '__proto__: x']
    const seen = await ask(port, 'GET /headers', lines)
    expect(JSON.parse(seen.body)).toEqual(['1', 'a, b', null, 'x', null, 'test'])
  })

  test('is complete when the head comes byte by byte or in two segments', async () => {
    const { port } = await startListener({ 'GET /goods/:skuId': echo })
    const text = request('GET /goods/7?q=1', ['X-Request-Id: slow'])
    for (const at of [1, 3, 9, 18, 24, text.length - 2]) {
      const client = await openRaw(port)
      await client.write(text.slice(0, at))
      // A whole request on another connection: once it is answered, the first segment was read.
      await ask(port, 'GET /nowhere')
      await client.write(text.slice(at))
      const { body } = await client.answer()
      expect(JSON.parse(body)).toMatchObject({ path: '/goods/7', id: 'slow' })
    }
    const client = await openRaw(port)
    for (const byte of text) await client.write(byte)
    expect((await client.answer()).status).toBe(200)
  })
})

describe('X-Request-Id', () => {
  test.each(['a', 'order-1_2.B', 'x'.repeat(64)])('%s is taken over', async (id) => {
    const { port } = await startListener({ 'GET /': echo })
    for (const path of ['/', '/nowhere']) {
      const { headers } = await ask(port, `GET ${path}`, [`X-Request-Id: ${id}`])
      expect(headers['x-request-id']).toBe(id)
    }
  })

  test.each(['', 'x'.repeat(65), 'a b', 'a"b', '中文', 'a;b'])('%s is replaced', async (id) => {
    const { port } = await startListener({ 'GET /': echo })
    const line = Buffer.from(`X-Request-Id: ${id}`).toString('latin1')
    const first = await ask(port, 'GET /', [line])
    const second = await ask(port, 'GET /', [line])
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  test('given twice is not trusted, but replaced', async () => {
    const { port } = await startListener({ 'GET /': echo })
    const { headers } = await ask(port, 'GET /', ['X-Request-Id: a', 'X-Request-Id: b'])
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the address', () => {
  const forwarded = ['X-Forwarded-For: 1.1.1.1', 'X-Forwarded-For: 198.51.100.7']
  const addressOf = async (port: number): Promise<unknown> =>
    JSON.parse((await ask(port, 'GET /', forwarded)).body).address

  test('is the peer, whatever an untrusted peer says', async () => {
    const nobody = await startListener({ 'GET /': echo })
    expect(await addressOf(nobody.port)).toBe('127.0.0.1')
    const others = await startListener({ 'GET /': echo },
      { trustedProxies: [ipaddr.parseCIDR('10.0.0.0/8')] })
    expect(await addressOf(others.port)).toBe('127.0.0.1')
  })

  test('is the right-most untrusted hop behind a trusted proxy', async () => {
    const { port } = await startListener({ 'GET /': echo },
      { trustedProxies: [ipaddr.parseCIDR('127.0.0.0/8')] })
    expect(await addressOf(port)).toBe('198.51.100.7')
  })
})

describe('the log', () => {
  test('has one line for a request: its pattern and notes, no path, query or keys', async () => {
    const { port, entries } = await startListener({
      'GET /orders/:orderNo': async (incoming) => {
        incoming.note({ operation: 'get_order_status' })
        await incoming.body()
        incoming.note({ agent: 'agent-1', status: 'not this one' })
        return { status: 200, body: 'x'.repeat(12) }
      },
    })
    await ask(port, 'GET /orders/AM0012?token=secret', ['X-API-Key: ak_secret', 'X-Request-Id: r1'])
    expect(entries).toEqual([{
      level: 'info', msg: 'request', request_id: 'r1', method: 'GET', route: '/orders/:orderNo',
      status: 200, ms: expect.any(Number), bytes: 12, address: '127.0.0.1',
      operation: 'get_order_status', agent: 'agent-1',
    }])
  })

  test('has a line for every kind of answer', async () => {
    const { port, entries } = await startListener({
      'GET /large': () => ({ status: 200, body: Buffer.alloc(5_000_000) }),
      'POST /make': () => ({ status: 201 }),
    })
    await ask(port, 'GET /large')
    await ask(port, 'HEAD /large')
    await ask(port, `${'X'.repeat(50)} /make`)
    await ask(port, 'GET /nowhere')
    await ask(port, 'POST /make', ['Content-Length: 1', 'Content-Length: 2'])
    await expect.poll(() => entries.length).toBe(5)
    const facts = entries.map(({ method, route, status, bytes }) => [method, route, status, bytes])
    expect(facts).toEqual([
      ['GET', '/large', 200, 5_000_000], ['HEAD', '/large', 200, 0],
      ['X'.repeat(16), '/make', 405, expect.any(Number)],
      ['GET', '', 404, expect.any(Number)], ['POST', '', 400, expect.any(Number)],
    ])
  })

  test('is not written when its level is above info', async () => {
    const { port, entries } = await startListener({ 'GET /': echo }, {
      log: {
        info: () => { throw new Error('must not be called') },
        error: () => { throw new Error('must not be called') },
        isLevelEnabled: () => false,
      },
    })
    expect((await ask(port, 'GET /')).status).toBe(200)
    expect(entries).toEqual([])
  })
})
