import { describe, expect, test } from 'vitest'
import { startListener } from '../testing/listener.ts'
import { ask } from '../testing/raw.ts'
import type { Handler } from '../contract/http.ts'

const hello: Handler = () => ({ status: 200, body: 'hello' })
const fails: Handler = () => { throw new Error('inside') }
const routes = {
  'GET /v1/goods': hello, 'POST /v1/goods': hello, 'POST /v1/orders/:orderNo/cancel': hello,
  'GET /v1/fails': fails,
}
const PAGE = 'https://shop.example'
const PREFLIGHT = [
  `Origin: ${PAGE}`, 'Access-Control-Request-Method: POST',
  'Access-Control-Request-Headers: authorization,content-type',
]

describe('methods', () => {
  test.each(['DELETE', 'PUT', 'PATCH', 'TRACE', 'BREW', 'get', 'POS'])(
    '%s is answered 405 with Allow where the path has other ones', async (method) => {
      const { port } = await startListener(routes)
      const { status, headers, body } = await ask(port, `${method} /v1/goods`)
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
      expect(JSON.parse(body)).toMatchObject({
        code: 40500, data: { error: 'method_not_allowed', request_id: headers['x-request-id'] },
      })
    },
  )

  test('on an unknown path are answered 404, OPTIONS too', async () => {
    const { port } = await startListener(routes)
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'BREW', 'OPTIONS']) {
      const { status, headers } = await ask(port, `${method} /v1/nowhere`)
      expect([method, status, headers['allow']]).toEqual([method, 404, undefined])
    }
  })

  test('OPTIONS says what the path takes, without asking its handler', async () => {
    const { port } = await startListener({ 'GET /v1/fails': fails, 'POST /v1/fails/:n': fails })
    const one = await ask(port, 'OPTIONS /v1/fails')
    const two = await ask(port, 'OPTIONS /v1/fails/1')
    expect([one.status, one.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expect([two.status, two.headers['allow']]).toEqual([204, 'POST, OPTIONS'])
  })
})

describe('a page of any origin', () => {
  test.each([
    'GET /v1/goods', 'GET /v1/nowhere', 'DELETE /v1/goods', 'GET /v1/fails', 'OPTIONS /v1/goods',
  ])(
    'may read the answer to %s', async (firstLine) => {
      const { port } = await startListener(routes)
      const { headers } = await ask(port, firstLine, [`Origin: ${PAGE}`])
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toBe('X-Request-Id, RateLimit, '
        + 'RateLimit-Policy, Retry-After, Idempotent-Replayed, MCP-Protocol-Version, '
        + 'Mcp-Session-Id')
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  test('may read why its head or its body length was refused', async () => {
    const { port } = await startListener(routes)
    const lines = [`Origin: ${PAGE}`]
    const many = await ask(port, 'GET /v1/goods', [...lines, ...Array(70).fill('X: y')])
    const unclear = await ask(port, 'POST /v1/goods', [...lines, 'Transfer-Encoding: gzip'])
    expect([many.status, unclear.status]).toEqual([431, 400])
    expect(many.headers['access-control-allow-origin']).toBe('*')
    expect(unclear.headers['access-control-allow-origin']).toBe('*')
  })

  test('gets its preflight answered, for an unknown path as well', async () => {
    const { port } = await startListener(routes)
    const { status, headers } = await ask(port, 'OPTIONS /v1/orders/1/cancel', PREFLIGHT)
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'Authorization, X-API-Key, Content-Type, Idempotency-Key, '
        + 'Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, '
        + 'X-Request-Id, UCP-Agent',
      'access-control-max-age': '7200',
    })
    const unknown = await ask(port, 'OPTIONS /v1/nowhere', PREFLIGHT)
    expect([unknown.status, unknown.headers['access-control-allow-methods']])
      .toEqual([204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'])
  })
})

describe('with a list of origins', () => {
  const options = { allowedOrigins: [PAGE, 'http://localhost:3000'] }

  test.each(['GET /v1/goods', 'GET /v1/nowhere', 'GET /v1/fails', 'OPTIONS /v1/goods'])(
    'a listed page may read the answer to %s, and caches keep it apart', async (firstLine) => {
      const { port } = await startListener(routes, options)
      const { headers } = await ask(port, firstLine, PREFLIGHT)
      expect(headers['access-control-allow-origin']).toBe(PAGE)
      expect(headers['vary']).toBe('Origin')
    },
  )

  test.each([
    'https://evil.example', 'https://shop.example.evil', 'http://shop.example', 'null', PAGE + ':1',
    'https://SHOP.example', '*', '__proto__',
  ])('a page of %s may not', async (origin) => {
    const { port } = await startListener(routes, options)
    for (const firstLine of ['GET /v1/goods', 'OPTIONS /v1/goods']) {
      const { headers } = await ask(port, firstLine, [`Origin: ${origin}`])
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers['vary']).toBe('Origin')
    }
  })
})

describe('what pages of other origins have no part in', () => {
  const others = {
    'GET /metrics': hello, 'POST /pay/:order_no': hello, 'GET /console/api/session': hello,
    'GET /healthz': hello, 'GET /v1x': hello, 'POST /v1/trial-keys': hello,
  }
  test.each([
    'GET /metrics', 'POST /pay/AM1', 'OPTIONS /pay/AM1', 'GET /console/api/session',
    'GET /healthz', 'GET /v1x', 'GET /nowhere', 'POST /v1/trial-keys', 'OPTIONS /v1/trial-keys',
  ])('%s may be read by none of them', async (firstLine) => {
    const { port } = await startListener(others)
    const { headers } = await ask(port, firstLine, PREFLIGHT)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('trial keys are for pages that are listed by name', async () => {
    const { port } = await startListener(others, { allowedOrigins: [PAGE] })
    const listed = await ask(port, 'OPTIONS /v1/trial-keys', PREFLIGHT)
    expect(listed.headers['access-control-allow-origin']).toBe(PAGE)
    const metrics = await ask(port, 'GET /metrics', PREFLIGHT)
    expect(metrics.headers['access-control-allow-origin']).toBeUndefined()
  })
})
