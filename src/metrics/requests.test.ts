/** What a scrape says after requests that are known. */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FACES, OUTCOMES } from '../measures.ts'
import { consoleOperations } from '../console/operations/index.ts'
import { ucpOperations } from '../ucp/table.ts'
import { operations } from '../operations/index.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'

let node: TestNode
beforeAll(async () => { node = await startTestNode() })
afterAll(() => node.stop())

/** Far more than a caller without a key may send at once. */
const SENT_MAX = 200

type Series = ReadonlyMap<string, number>

async function scrape(): Promise<Series> {
  const text = await (await fetch(`${node.url}/metrics`)).text()
  return new Map(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, number] => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }))
}

/** How much each series of that name grew while the work was done. */
async function growth(name: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape()
  await work()
  const after = await scrape()
  return Object.fromEntries([...after].filter(([series]) => series.startsWith(`${name}{`))
    .map(([series, value]) => [series.slice(name.length), value - (before.get(series) ?? 0)])
    .filter(([, grown]) => grown !== 0))
}

const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += 1) await work()
}
const search = (query = 'q=%E6%9D%AF') => node.send('GET', `/v1/goods?${query}`)
const label = (operation: string, face: string, outcome: string): string =>
  `{operation="${operation}",face="${face}",outcome="${outcome}"}`

describe('requests', () => {
  test('are counted by operation, face and outcome: exactly those that came', async () => {
    const key = await node.newKey()
    const grown = await growth('agentmall_requests_total', async () => {
      await times(3, () => search())
      await times(2, () => search('page_size=0'))
      await node.send('GET', '/v1/goods/99999999901')
      await node.send('GET', '/v1/orders/AM0000000000000000000', { key: 'no key' })
      await node.send('GET', '/v1/orders/AM0000000000000000000')
      await times(4, () => node.mcp('tools/call', { name: 'search_goods', arguments: { q: '杯' } }))
      await node.mcp('tools/call', { name: 'search_goods', arguments: { page_size: 0 } })
      await node.mcp('tools/call', { name: 'no_such_tool', arguments: {} })
      await node.mcp('tools/list', {})
      await node.mcp('no/such/method', {}, key)
    })
    expect(grown).toEqual({
      [label('search_goods', 'rest', 'ok')]: 3,
      [label('search_goods', 'rest', 'invalid_request')]: 2,
      [label('get_goods_detail', 'rest', 'not_found')]: 1,
      [label('get_order_status', 'rest', 'key_invalid')]: 1,
      [label('get_order_status', 'rest', 'key_required')]: 1,
      [label('search_goods', 'mcp', 'ok')]: 4,
      [label('search_goods', 'mcp', 'invalid_request')]: 1,
      [label('other', 'mcp', 'ok')]: 1,
      [label('other', 'mcp', 'protocol_error')]: 2,
      // The scrape before.
      [label('other', 'rest', 'ok')]: 1,
    })
  })

  test('a histogram of seconds adds up: its buckets, its count, and what was counted', async () => {
    await times(5, () => search())
    const all = await scrape()
    const name = 'agentmall_request_seconds'
    const labels = 'operation="search_goods",face="rest"'
    const buckets = [...all].filter(([series]) => series.startsWith(`${name}_bucket{${labels}`))
      .map(([, count]) => count)
    expect(buckets.length).toBeGreaterThan(10)
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b))
    const count = all.get(`${name}_count{${labels}}`)
    expect(buckets.at(-1)).toBe(count)
    const counted = [...all].filter(([series]) =>
      series.startsWith(`agentmall_requests_total{${labels}`))
    expect(counted.reduce((sum, [, value]) => sum + value, 0)).toBe(count)
    expect(all.get(`${name}_sum{${labels}}`)).toBeGreaterThan(0)
  })

  test('nothing that callers send makes a series of its own', async () => {
    const send = (method: string, path: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        httpRequest(`${node.url}${path}`, { method, agent: false }, (answer) => {
          answer.resume().once('close', resolve)
        }).once('error', reject).end()
      })
    for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND', 'M-SEARCH']) {
      for (const path of ['/', '/v1/a', '/v1/goods', '/v1/%00', '/mcp', '/v1/b?operation=x']) {
        await send(method, path)
      }
    }
    await node.mcp('tools/call', { name: 'operation="x"', arguments: {} })
    const table = [...operations, ...ucpOperations, ...consoleOperations]
    const wanted = new Set([...table.map(({ name }) => name), 'other'])
    const series = [...(await scrape()).keys()]
      .filter((one) => one.startsWith('agentmall_requests_total{'))
    for (const one of series) {
      const [, operation = '', face = '', outcome = ''] =
        /operation="([^"]*)",face="([^"]*)",outcome="([^"]*)"\}$/.exec(one) ?? []
      expect([...wanted]).toContain(operation)
      expect(FACES).toContain(face)
      expect(OUTCOMES).toContain(outcome)
    }
  })
})

describe('refusals for a limit', () => {
  test('are counted by policy', async () => {
    let limited = 0
    const grown = await growth('agentmall_limited_total', async () => {
      for (let sent = 0; sent < SENT_MAX && limited < 3; sent += 1) {
        const { status } = await node.send('GET', '/v1/goods',
          { headers: { 'X-Forwarded-For': '198.51.100.7' } })
        if (status === 429) limited += 1
      }
    })
    expect(limited).toBe(3)
    expect(grown).toEqual({ '{policy="default"}': 3 })
  })
})

describe('caches, commits and round trips', () => {
  test('an answer that is kept is a hit and asks Redis nothing', async () => {
    await search('q=%E8%8C%B6&page_size=3')
    await expect.poll(async () => await growth('agentmall_cache_hits_total', () =>
      search('q=%E8%8C%B6&page_size=3'))).toMatchObject({ '{cache="answers"}': 1 })
    const missed = await growth('agentmall_cache_misses_total', () => search(`q=${'x'.repeat(30)}`))
    expect(missed).toMatchObject({ '{cache="answers"}': 1, '{cache="results"}': 1 })
  })

  test('a key is a miss first, and then a hit', async () => {
    const key = await node.newKey()
    const orders = () => node.send('GET', '/v1/orders', { key })
    expect(await growth('agentmall_cache_misses_total', orders)).toMatchObject({
      '{cache="keys"}': 1 })
    expect(await growth('agentmall_cache_hits_total', orders)).toMatchObject({
      '{cache="keys"}': 1 })
  })

  test('durable writes have a group and a wait; each role has its round trips', async () => {
    const before = await scrape()
    await node.newKey()
    const after = await scrape()
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(grown('agentmall_commit_wait_seconds_count')).toBeGreaterThan(0)
    expect(grown('agentmall_commit_group_size_sum')).toBeGreaterThan(0)
    expect(grown('agentmall_redis_round_trips_total{role="ledger"}')).toBeGreaterThan(0)
    const trips = await growth('agentmall_redis_round_trips_total', () =>
      search(`q=${'y'.repeat(20)}`))
    expect(trips['{role="shelf"}']).toBeGreaterThan(0)
    expect(trips['{role="counters"}']).toBeGreaterThan(0)
  })

  test('a scrape has the delay of the event loop, also when two come at once', async () => {
    const series = 'agentmall_event_loop_delay_seconds{quantile="0.99"}'
    await expect.poll(async () => (await scrape()).get(series)).toBeGreaterThanOrEqual(0)
    for (const all of await Promise.all([scrape(), scrape()])) expect(all.has(series)).toBe(true)
  })
})
