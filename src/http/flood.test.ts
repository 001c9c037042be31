/** What one address may do to a node without a key: pages, bodies that never end, unknown links. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { HttpRequest } from '../contract/http.ts'
import { startListener } from '../testing/listener.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { ask, openRaw, request } from '../testing/raw.ts'
import { AddressBucket } from '../limits/address-bucket.ts'
import { Body, BodyBudget, UNFINISHED_PER_ADDRESS_MAX } from './body.ts'

const from = (address: string): string[] => [`X-Forwarded-For: ${address}`]

describe('pages', () => {
  const routes = { 'GET /docs': () => ({ status: 200, body: 'docs' }) }
  const options = { pages: { rate_per_s: 1, burst: 5 }, trustedProxies: [] }

  test('are limited by address, unknown ones and preflights too', async () => {
    const { port } = await startListener(routes, options)
    for (const line of ['GET /docs', 'GET /nowhere', 'OPTIONS /docs', 'POST /docs', 'GET /docs']) {
      expect((await ask(port, line)).status).not.toBe(429)
    }
    for (const line of ['GET /docs', 'GET /nowhere', 'OPTIONS /docs', 'POST /docs']) {
      const { status, headers, body } = await ask(port, line)
      expect([status, headers['retry-after']]).toEqual([429, '1'])
      expect(body).toContain('"policy":"pages"')
    }
  })

  test('the tokens of an address refill, and others keep theirs', async () => {
    const bucket = new AddressBucket('pages', { rate_per_s: 1000, burst: 2 })
    expect([bucket.take('192.0.2.1'), bucket.take('192.0.2.1')]).toEqual([undefined, undefined])
    expect(bucket.take('192.0.2.2')).toBeUndefined()
    // One /64 is one client.
    expect(bucket.take('2001:db8::1')).toBeUndefined()
    expect(bucket.take('2001:db8::2')).toBeUndefined()
    await expect.poll(() => bucket.take('192.0.2.1')).toBeUndefined()
  })
})

describe('bodies that do not end', () => {
  const routes = {
    'POST /form': async (incoming: Pick<HttpRequest, 'body'>) =>
      ({ status: 200, body: String((await incoming.body()).length) }),
  }

  test('are bounded by address; complete ones are still accepted', async () => {
    const { port, inFlight } = await startListener(routes)
    const begin = request('POST /form', ['Content-Length: 4000']) + 'x'.repeat(100)
    const clients = await Promise.all(
      Array.from({ length: UNFINISHED_PER_ADDRESS_MAX + 20 }, () => openRaw(port)))
    await Promise.all(clients.map((client) => client.write(begin)))
    await expect.poll(() => clients.filter(({ rest }) => rest.startsWith('HTTP/1.1 429')).length)
      .toBe(20)
    await expect.poll(() => clients.filter(({ isClosed }) => isClosed).length).toBe(20)
    expect(inFlight()).toBe(UNFINISHED_PER_ADDRESS_MAX)
    expect((await ask(port, 'POST /form', ['Content-Length: 4'], '')).status).toBe(429)
    const whole = await openRaw(port)
    await whole.write(`${request('POST /form', ['Content-Length: 4'])}body`)
    expect((await whole.answer()).body).toBe('4')
    for (const client of clients) client.destroy()
    await expect.poll(inFlight).toBe(0)
    expect((await ask(port, 'POST /form', ['Content-Length: 4'], 'body')).status).toBe(200)
  })

  test('of many addresses take bounded memory, which is released', () => {
    const budget = new BodyBudget()
    const chunk = new ArrayBuffer(60_000)
    const open = Array.from({ length: 2000 }, (_, n) =>
      new Body(65_000, budget, () => `10.${n >> 8}.${n & 255}.1`))
    for (const body of open) body.add(chunk, false)
    const refused = open.filter(({ isSettled }) => isSettled)
    // 32 MiB hold 559 of them; every other one was refused, and its connection ends.
    expect(open.length - refused.length).toBe(559)
    expect(refused.every(({ isUnfinished }) => isUnfinished)).toBe(true)
    for (const body of open) body.discard()
    expect(budget.isEmpty).toBe(true)
  })
})

describe('a node', () => {
  let node: TestNode
  beforeAll(async () => { node = await startTestNode() })
  afterAll(() => node.stop())

  test('authenticates before it reads the body', async () => {
    const client = await openRaw(node.port)
    await client.write(request('POST /v1/orders', [
      ...from('198.51.100.1'), 'Content-Type: application/json', 'Content-Length: 60000',
    ]) + '{"half":')
    const { status, body } = await client.answer()
    expect(status).toBe(401)
    expect(body).toContain('"error":"key_required"')
    client.destroy()
  })

  test('accepts no body larger than a form at the cashier', async () => {
    const { status, body } = await ask(node.port, 'POST /pay/AM1', [
      ...from('198.51.100.2'), 'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 1025',
    ], 'x'.repeat(1025))
    expect(status).toBe(413)
    expect(body).toContain('at most 1024 bytes')
  })

  test('gives no trial key to a page of another site, and one to a program', async () => {
    const post = async (headers: Record<string, string>): Promise<number> =>
      (await node.send('POST', '/v1/trial-keys', { headers })).status
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await node.send('POST', '/v1/trial-keys', { headers: { Origin: origin } })
      expect([answer.status, answer.envelope.data.error]).toEqual([403, 'origin_refused'])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect(await post({})).toBe(200)
    expect(await post({ Origin: new URL(node.services.config.publicUrl).origin })).toBe(200)
  })

  test('does not read the ledger for an address with many unknown links', async () => {
    const target = vi.spyOn(node.services.affiliate.links, 'target')
    const go = (code: string) => ask(node.port, `GET /go/${code}`, from('198.51.100.3'))
    const code = (n: number): string => `unknown${String(n).padStart(5, '0')}`
    await go(code(0))
    await go(code(0))
    expect(target).toHaveBeenCalledTimes(1)
    const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => go(code(n + 1))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]))
    // 60 at once, and one for each second that this takes.
    expect(target.mock.calls.length).toBeLessThan(150)
    expect((await ask(node.port, `GET /go/${code(1)}`, from('198.51.100.4'))).status).toBe(404)
    target.mockRestore()
  })

  test('refunds the tokens of known links', async () => {
    const { links } = node.services.affiliate
    const target = vi.spyOn(links, 'target').mockResolvedValue({
      url: 'https://mall.example/', agent: 'ag_none', source: 'mall_b', item: '1',
    })
    for (let n = 0; n < 100; n += 1) {
      const { status } = await ask(node.port, 'GET /go/shared0000ab', from('198.51.100.5'))
      expect(status).toBe(302)
    }
    target.mockRestore()
  })

  test('always answers health checks', async () => {
    const statuses = []
    for (let n = 0; n < 2500; n += 1) {
      statuses.push((await fetch(`${node.url}/healthz`)).status)
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})
