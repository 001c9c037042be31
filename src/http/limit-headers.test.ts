import { Type } from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { createGate } from '../gate/gate.ts'
import { createLimits } from '../limits/limits.ts'
import { CLOSED } from '../contract/fields.ts'
import { defineOperation } from '../operations/define.ts'
import { startListener } from '../testing/listener.ts'
import { startTestNode, type SendOptions } from '../testing/node.ts'
import { openRaw } from '../testing/raw.ts'
import { restHandler } from './rest.ts'

const node = await startTestNode()
afterAll(() => node.stop())
const key = await node.newKey('t1')

const OWN = /^"default";q=40;w=2$/
const KEYLESS = /^"default";q=10;w=2$/
const AUTH = /^"auth";q=20;w=20$/
const json = { 'Content-Type': 'application/json' }
const rpc = { jsonrpc: '2.0', id: 1, method: 'ping', params: {} }
const wrong = `ak_${'0'.repeat(32)}`

type Row = [what: string, status: number, policy: RegExp, method: string, path: string, SendOptions]

const rows: Row[] = [
  ['success', 200, OWN, 'GET', '/v1/goods?page_size=1', { key }],
  ['success without a key', 200, KEYLESS, 'GET', '/v1/goods?page_size=1', {}],
  ['a HEAD request', 200, OWN, 'HEAD', '/v1/goods?page_size=1', { key }],
  ['a business error', 404, OWN, 'GET', '/v1/orders/AM0000000000000000ZZ', { key }],
  ['an invalid request', 400, OWN, 'GET', '/v1/goods?page=0', { key }],
  ['no key where one is needed', 401, KEYLESS, 'GET', '/v1/orders', {}],
  ['a wrong key', 401, AUTH, 'GET', '/v1/goods', { key: wrong }],
  ['an unknown address', 404, OWN, 'GET', '/v1/nothing', { key }],
  ['an unknown address with a wrong key', 401, AUTH, 'GET', '/v1/nothing', { key: wrong }],
  ['a path that is badly encoded', 400, KEYLESS, 'GET', '/v1/goods/%ff', {}],
  ['a wrong method', 405, OWN, 'DELETE', '/v1/goods', { key }],
  ['too long an address', 400, OWN, 'GET', `/v1/goods?q=${'a'.repeat(5000)}`, { key }],
  ['too large a head', 431, OWN, 'GET', '/v1/goods', {
    key, headers: { 'X-Long': 'a'.repeat(9000) } }],
  ['too large a body', 413, OWN, 'POST', '/v1/orders', {
    key, body: 'x'.repeat(70_000), headers: json }],
  ['a wrong type', 415, OWN, 'POST', '/v1/orders', {
    key, body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ['MCP: success', 200, OWN, 'POST', '/mcp', { key, body: rpc }],
  ['MCP: no JSON', 400, OWN, 'POST', '/mcp', { key, body: '{', headers: json }],
  ['MCP: a wrong key', 401, AUTH, 'POST', '/mcp', { key: wrong, body: rpc }],
  ['MCP: a wrong method', 405, KEYLESS, 'GET', '/mcp', {}],
  ['MCP: a wrong type', 415, OWN, 'POST', '/mcp', {
    key, body: 'x', headers: { 'Content-Type': 'text/plain' } }],
]

describe('the headers of limits are on every answer of the API', () => {
  test.each(rows)('%s', async (_, status, policy, method, path, options) => {
    const answer = await node.send(method, path, options)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('ratelimit-policy')).toMatch(policy)
    expect(answer.headers.get('ratelimit')).toMatch(/^"(default|auth)";r=\d+;t=\d+$/)
    const allow = answer.headers.get('allow') ?? ''
    expect(status !== 405 || allow.includes('OPTIONS')).toBe(true)
  })

  test('a request that could be read in two ways', async () => {
    const client = await openRaw(node.port)
    await client.write(`POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n`
      + 'Content-Length: 1\r\nContent-Length: 2\r\n\r\n')
    const { status, headers } = await client.answer()
    client.destroy()
    expect(status).toBe(400)
    expect(headers['ratelimit-policy']).toMatch(OWN)
  })

  test('429, with the policy that was violated and when to come back', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.77' }
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) =>
      node.send('GET', n % 2 ? '/v1/nothing' : '/v1/goods?page_size=1', { headers })))
    const flooded = answers.filter(({ status }) => status === 429)
    expect(flooded.length).toBeGreaterThan(10)
    for (const { envelope, headers: named } of flooded) {
      expect(envelope).toMatchObject({
        code: 42900, data: { error: 'rate_limited', policy: 'default', retry_after_s: 1 },
      })
      expect(named.get('ratelimit')).toBe('"default";r=0;t=1')
      expect(Number(named.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
  })
})

test('what is no part of the API has none', async () => {
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/nothing', '/images/1.svg']) {
    const { headers } = await node.send('GET', path)
    expect([path, headers.get('ratelimit')]).toEqual([path, null])
  }
  const preflight = await node.send('OPTIONS', '/v1/goods', {
    headers: { 'Access-Control-Request-Method': 'GET' },
  })
  expect([preflight.status, preflight.headers.get('ratelimit')]).toEqual([204, null])
})

describe('an operation that spends the daily quota', () => {
  const spend = defineOperation({
    name: 'spend', title: 'Spend', description: 'Spends.', access: 'key', effect: 'create',
    openWorld: true, route: 'POST /spend', fails: ['quota_exhausted'], example: { units: 1 },
    input: Type.Object({ units: Type.Integer() }, CLOSED), output: Type.Object({}, CLOSED),
    async handle({ units }, { caller, services }) {
      await Promise.all(Array.from({ length: units }, () => services.quota.take(caller, 'mall_a')))
      return {}
    },
  })

  test('names both policies, and the one that was violated when it is used up', async () => {
    const { services } = node
    const gate = createGate(services, createLimits(services.counters))
    const { port } = await startListener({
      'POST /v1/spend': restHandler(spend, gate, services.quota),
    })
    const trial = await node.newKey('trial')
    const call = async (units: number) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/spend`, {
        method: 'POST', headers: { ...json, 'X-API-Key': trial }, body: JSON.stringify({ units }),
      })
      const { headers } = answer
      return {
        status: answer.status, body: await answer.json() as { code: number, data: object },
        policy: headers.get('ratelimit-policy'), state: headers.get('ratelimit'),
        retry: Number(headers.get('retry-after')),
      }
    }
    const first = await call(1)
    expect(first.status).toBe(200)
    expect(first.policy).toBe('"default";q=20;w=2, "daily";q=2000;w=86400')
    expect(first.state).toMatch(/^"default";r=19;t=1, "daily";r=1999;t=\d+$/)
    await call(900)
    await call(900)
    const last = await call(900)
    expect(last).toMatchObject({ status: 429, body: {
      code: 42901, data: { error: 'quota_exhausted', policy: 'daily', limit: 2000 },
    } })
    const [, reset] = /^"default";r=\d+;t=\d+, "daily";r=0;t=(\d+)$/.exec(last.state ?? '') ?? []
    expect(last.retry).toBeGreaterThanOrEqual(Number(reset) - 1)
    expect(last.retry).toBeLessThanOrEqual(86_400)
  })
})
