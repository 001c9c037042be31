import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import type { Handler } from '../contract/http.ts'
import { startListener } from '../testing/listener.ts'
import { ask, openRaw, request } from '../testing/raw.ts'
import { createClientAddress, Head, normaliseAddress, UNCLEAR } from './request.ts'

const routes = (seen: string[]): Record<string, Handler> => ({
  'POST /orders': async (incoming) => {
    seen.push('POST /orders')
    return { status: 200, body: await incoming.body() }
  },
  'GET /goods': ({ query }) => {
    seen.push('GET /goods')
    return { status: 200, body: String(query.length) }
  },
})
const errorOf = (body: string): unknown => JSON.parse(body).data.error

describe('a body whose end is unclear', () => {
  test.each([
    [['Content-Length: 3', 'Content-Length: 40']],
    [['Content-Length: 3', 'Content-Length: 3']],
    [['Content-Length:']],
    [['Transfer-Encoding: gzip']],
    [['Transfer-Encoding: gzip, chunked']],
    [['Transfer-Encoding: chunked, chunked']],
    [['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
    [['Transfer-Encoding: xchunked']],
  ])('is refused and the connection closed: %j', async (lines) => {
    const seen: string[] = []
    const { port } = await startListener(routes(seen))
    const { status, headers, body, client } = await ask(port, 'POST /orders', lines)
    expect([status, errorOf(body)]).toEqual([400, 'invalid_request'])
    expect(headers['connection']).toBe('close')
    await client.closed()
    expect(seen).toEqual([])
  })

  test('never lets a request through that is hidden behind it', async () => {
    const hidden = request('GET /goods')
    const twice = ['Content-Length: 3', 'Content-Length: 40']
    for (const lines of [twice, ['Transfer-Encoding: gzip']]) {
      const seen: string[] = []
      const { port } = await startListener(routes(seen))
      for (const body of [`abc${hidden}`, `3\r\nabc\r\n0\r\n\r\n${hidden}`]) {
        const client = await openRaw(port)
        await client.write(request('POST /orders', lines) + body)
        await client.closed()
        expect(client.rest).not.toContain('200 OK')
      }
      expect(seen).toEqual([])
    }
  })

  test.each([
    [['Content-Length: 3', 'Transfer-Encoding: chunked']], [['Content-Length: 3, 3']],
    [['Content-Length: -3']], [['Content-Length: +3']], [['Content-Length: 0x3']],
    [['Content-Length: 99999999999999999999']], [['Content-Length : 3']],
  ])('is refused before any of our code runs: %j', async (lines) => {
    const seen: string[] = []
    const { port } = await startListener(routes(seen))
    const client = await openRaw(port)
    await client.write(`${request('POST /orders', lines)}abc`)
    await client.closed()
    expect((await client.answer()).status).toBe(400)
    expect((await ask(port, 'GET /goods')).status).toBe(200)
  })

  test('is not left to the native server to notice', () => {
    const head = new Head()
    head.add('content-length', '3')
    head.add('transfer-encoding', 'chunked')
    expect(head.bodyLength()).toBe(UNCLEAR)
  })

  test('is not seen in ordinary ones', async () => {
    const { port } = await startListener(routes([]))
    expect((await ask(port, 'POST /orders', ['content-length: 3'], 'abc')).body).toBe('abc')
    const chunks = '3\r\nabc\r\n0\r\n\r\n'
    expect((await ask(port, 'POST /orders', ['transfer-encoding: Chunked'], chunks)).body)
      .toBe('abc')
  })
})

describe('a head', () => {
  test.each([
    ['64 headers', Array<string>(63).fill('X-Many: 1'), 200],
    ['65 headers', Array<string>(64).fill('X-Many: 1'), 431],
    ['8,192 bytes of headers', [`X: ${'a'.repeat(8192 - 'Host'.length - 'test'.length - 1)}`], 200],
    ['8,193 bytes of headers', [`X: ${'a'.repeat(8193 - 'Host'.length - 'test'.length - 1)}`], 431],
  ])('with %s is answered as JSON, in order', async (_, lines, status) => {
    const { port } = await startListener(routes([]))
    const answer = await ask(port, 'GET /goods', lines)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatch(status === 200 ? /^0$/ : /"error":"headers_too_large"/)
    await answer.client.write(request('GET /goods'))
    expect((await answer.client.answer()).status).toBe(200)
  })

  test.each([
    ['200 headers', Array<string>(200).fill('X-Many: 1')],
    ['one header of 20 kB', [`X: ${'a'.repeat(20_000)}`]],
  ])('with %s is 431 by the native server, and the connection closes', async (_, lines) => {
    const { port } = await startListener(routes([]))
    const { status, client } = await ask(port, 'GET /goods', lines)
    expect(status).toBe(431)
    await client.closed()
  })

  test('with a path and query of 4,096 bytes passes, and with one more is refused', async () => {
    const { port } = await startListener(routes([]))
    const room = 4096 - '/goods'.length
    expect((await ask(port, `GET /goods?${'q'.repeat(room)}`)).body).toBe(String(room))
    const { status, body } = await ask(port, `GET /goods?${'q'.repeat(room + 1)}`)
    expect([status, errorOf(body)]).toEqual([400, 'invalid_request'])
    expect((await ask(port, `GET /${'a'.repeat(4096)}`)).status).toBe(400)
  })

  test.each([
    ['no Host', 'GET /goods HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /goods HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a control character in a header', 'GET /goods HTTP/1.1\r\nHost: a\r\nX: a\x01b\r\n\r\n', 400],
    ['a folded line', 'GET /goods HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', 400],
    ['HTTP/1.0', 'GET /goods HTTP/1.0\r\nHost: a\r\n\r\n', 505],
    ['a whole address', 'GET http://a/goods HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['NUL in the path', 'GET /goods\0 HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['a control character in the path', 'GET /goods\x01 HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 505],
  ])('with %s ends at the native server', async (_, text, status) => {
    const seen: string[] = []
    const { port } = await startListener(routes(seen))
    const client = await openRaw(port)
    await client.write(text)
    expect((await client.answer()).status).toBe(status)
    await client.closed()
    expect(seen).toEqual([])
  })
})

const echo: Handler = ({ method, path, query, params, route, address, id }) =>
  ({ status: 200, body: JSON.stringify({ method, path, query, params, route, address, id }) })

describe('the request of a handler', () => {
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
      level: 'info', time: expect.stringMatching(/Z$/), pid: process.pid, msg: 'request',
      request_id: 'r1', method: 'GET', route: '/orders/:orderNo',
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
        writeLine: () => { throw new Error('must not be called') },
        error: () => { throw new Error('must not be called') },
        isLevelEnabled: () => false,
      },
    })
    expect((await ask(port, 'GET /')).status).toBe(200)
    expect(entries).toEqual([])
  })
})

describe('one spelling', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0000:0000:0000:0000:0000:ffff:7f00:0001', '127.0.0.1'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['10.0.0.1:4711', '10.0.0.1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
  ])('%s is %s', (text, address) => {
    expect(normaliseAddress(text)).toBe(address)
  })

  test.each([
    '', 'unknown', '_hidden', '1', '0x7f.1', '127.1', '256.1.1.1', '1.2.3.4.5', 'fe80::1%eth0',
    '1.2.3.4 ', 'localhost', '[1.2.3.4', '::1]', '1.2.3.4:port',
  ])('%j is no address', (text) => {
    expect(normaliseAddress(text)).toBeUndefined()
  })
})

describe('the client', () => {
  const behind = createClientAddress([
    ipaddr.parseCIDR('10.0.0.0/8'), ipaddr.parseCIDR('fd00::/8'),
  ])
  const direct = createClientAddress([])

  test('is the peer when no proxy is trusted, whatever the header says', () => {
    expect(direct('203.0.113.9', '1.1.1.1')).toBe('203.0.113.9')
    expect(direct('0000:0000:0000:0000:0000:ffff:cb00:7109', '1.1.1.1')).toBe('203.0.113.9')
  })

  test('is the peer when the peer is not a trusted proxy', () => {
    expect(behind('203.0.113.9', '1.1.1.1')).toBe('203.0.113.9')
  })

  test.each([
    ['10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '198.51.100.7, 10.9.9.9', '198.51.100.7'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.7, 10.9.9.9,10.8.8.8', '198.51.100.7'],
    ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['10.0.0.1', '198.51.100.7:5511', '198.51.100.7'],
    ['fd00:0000:0000:0000:0000:0000:0000:0001', '2001:DB8::7', '2001:db8::7'],
    ['0000:0000:0000:0000:0000:ffff:0a00:0001', '::ffff:198.51.100.7', '198.51.100.7'],
  ])('behind %s with %s is the right-most hop that is not trusted', (peer, header, client) => {
    expect(behind(peer, header)).toBe(client)
  })

  test('is the last hop that is an address, where a proxy wrote something else', () => {
    expect(behind('10.0.0.1', 'unknown')).toBe('10.0.0.1')
    expect(behind('10.0.0.1', '198.51.100.7, unknown, 10.2.2.2')).toBe('10.2.2.2')
    expect(behind('10.0.0.1', '')).toBe('10.0.0.1')
    expect(behind('10.0.0.1', undefined)).toBe('10.0.0.1')
  })
})
