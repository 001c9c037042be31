import { describe, expect, test } from 'vitest'
import { startListener } from '../testing/listener.ts'
import { ask, openRaw, request } from '../testing/raw.ts'
import { Head, UNCLEAR } from './head.ts'
import type { Handler } from '../contract/http.ts'

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
