/** Two processes on one port: a scrape tells of both, whichever it reaches. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { setEnvironment } from '../config.ts'
import { createLogger } from '../log.ts'
import { freePort } from '../dev/redis/server.ts'
import { eventually } from '../testing/eventually.ts'
import { TEST_SECRET } from '../testing/node.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

const SEARCHES = 20
let url: string
let supervisor: Supervisor

/** False where somebody else has taken the port before the processes could. */
async function startOn(port: number): Promise<boolean> {
  // The processes read the environment that they inherit.
  setEnvironment({
    PORT: String(port), HOST: '127.0.0.1', NODES: '2', LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  supervisor = createSupervisor({ nodes: 2, hasOwnWorkers: true }, createLogger('silent'))
  url = `http://127.0.0.1:${port}`
  const { shelfUrl, ledgerUrl, countersUrl } = inject('redis')
  try {
    await supervisor.start({
      urls: { shelf: shelfUrl, ledger: ledgerUrl, counters: countersUrl },
      secret: TEST_SECRET, malls: {},
    })
    return true
  } catch (error) {
    await supervisor.drain(PATIENCE_MS)
    if (String(error).includes('in use')) return false
    throw error
  }
}

beforeAll(async () => {
  while (!await startOn(await freePort())) { /* Another one. */ }
})
afterAll(() => supervisor.drain(PATIENCE_MS))

/** On a connection of its own, which either process may take. */
const send = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers: { Connection: 'close', ...headers } })

test('each process has its own series, and together they have all requests', async () => {
  for (let sent = 0; sent < SEARCHES; sent += 1) {
    const answer = await send('/v1/goods?page_size=1', { 'X-Forwarded-For': `203.0.113.${sent}` })
    expect(answer.status).toBe(200)
  }
  // A process that is too slow to answer is reported as down.
  const text = await eventually(async () => {
    const read = await (await send('/metrics')).text()
    for (const process of [1, 2]) {
      expect(read).toContain(`agentmall_process_up{process="${process}"} 1\n`)
    }
    return read
  })
  for (const process of [1, 2]) {
    expect(text).toMatch(RegExp(`^process_resident_memory_bytes{process="${process}"} \\d+$`, 'm'))
  }
  const counted = text.matchAll(
    /^agentmall_requests_total\{operation="search_goods",face="rest",outcome="ok",.*\} (\d+)$/gm)
  expect([...counted].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(SEARCHES)
  // What is the ledger's is no process's, and stands once.
  expect(text.match(/^agentmall_orders_overdue /gm)).toHaveLength(1)
  expect(text.match(/^# TYPE agentmall_requests_total counter$/gm)).toHaveLength(1)
})
