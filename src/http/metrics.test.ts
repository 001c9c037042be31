import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../testing/raw.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'

const TOKEN = 'a-token-for-the-scraper'
let open: TestNode
let guarded: TestNode
beforeAll(async () => {
  open = await startTestNode()
  guarded = await startTestNode({ metricsToken: TOKEN })
})
afterAll(async () => {
  await open.stop()
  await guarded.stop()
})

/** Without what a test node's client adds: this is a scraper on the same machine. */
const scrape = (node: TestNode, headers: Record<string, string> = {}) =>
  fetch(`${node.url}/metrics`, { headers })

describe('GET /metrics', () => {
  test('tells of the process and of the outboxes', async () => {
    const answer = await scrape(open)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await answer.text()
    for (const line of [
      /^agentmall_outbox_lag_entries \d+$/m,
      /^agentmall_outbox_lag_ms \d+$/m,
      /^agentmall_outbox_aside \d+$/m,
      /^agentmall_orders_overdue \d+$/m,
      /^process_resident_memory_bytes \d+$/m,
    ]) expect(text).toMatch(line)
  })

  test.each<Record<string, string>>([
    { 'X-Forwarded-For': '203.0.113.9' }, { 'X-Forwarded-For': '127.0.0.1' },
    { Forwarded: 'for=127.0.0.1' }, { Via: '1.1 proxy' }, { 'X-Real-IP': '127.0.0.1' },
  ])('is not there for who comes through a proxy: %j', async (headers) => {
    const answer = await scrape(open, headers)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 40_400, data: { error: 'not_found' } })
  })

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.example:80'])(
    'is not there for a page whose name %s resolves to this machine', async (host) => {
      const { status } = await ask(open.port, 'GET /metrics', [], '', host)
      expect(status).toBe(404)
      expect((await ask(open.port, 'GET /metrics', [], '', 'localhost:8080')).status).toBe(200)
    })

  test('asks for its token where there is one, from everybody', async () => {
    expect((await scrape(guarded)).status).toBe(401)
    for (const wrong of ['Bearer another', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
      const answer = await scrape(guarded, { Authorization: wrong })
      expect(answer.status).toBe(401)
      expect(await answer.text()).not.toContain(TOKEN)
    }
    const answer = await scrape(guarded, {
      Authorization: `Bearer ${TOKEN}`, 'X-Forwarded-For': '203.0.113.9',
    })
    expect(answer.status).toBe(200)
  })
})
