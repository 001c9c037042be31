/** A client that disconnects: what has not begun is cancelled, what has begun is finished. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { NodeLog } from '../log.ts'
import type { Called } from '../testing/clients.ts'
import { eventually } from '../testing/eventually.ts'
import { liveFacts, orderInput } from '../testing/live.ts'
import { Gate } from '../testing/listener.ts'
import { MODERN_META } from '../testing/mcp.ts'
import { startTestNode } from '../testing/node.ts'

const lines: { status?: number, request_id?: string }[] = []
const errors: unknown[] = []
const ignore = (): void => {}
const log = {
  writeLine: (line: string) => { lines.push(JSON.parse(line)) },
  error: (line: object) => { errors.push(line) },
  info: ignore, warn: ignore, debug: ignore, isLevelEnabled: () => true,
} as unknown as NodeLog
const node = await startTestNode({}, log)
afterAll(() => node.stop())
afterEach(() => { vi.restoreAllMocks() })

const key = await node.newKey()
const facts = await liveFacts(node, key)
const { services } = node

type Era = 'modern' | 'handshake'
const HEADERS = {
  modern: (name: string) => ({
    'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name,
  }),
  handshake: () => ({ 'MCP-Protocol-Version': '2025-11-25' }),
}

async function readData(response: Response) {
  const { result } = await response.json() as { result: Called }
  return result.structuredContent
}

/** A call whose client can leave, and the fact that the node has seen it go. */
function call(era: Era, name: string, input: object) {
  const client = new AbortController()
  const requestId = randomUUID()
  const answer = fetch(`${node.url}/mcp`, {
    method: 'POST', signal: client.signal,
    headers: {
      'Content-Type': 'application/json', 'X-API-Key': key, 'X-Request-Id': requestId,
      ...HEADERS[era](name),
    },
    body: JSON.stringify({
      jsonrpc: '2.0', id: 1, method: 'tools/call',
      params: { name, arguments: input, ...(era === 'modern' && { _meta: MODERN_META }) },
    }),
  }).then(readData, () => 'gone')
  const leave = async (): Promise<void> => {
    client.abort()
    expect(await answer).toBe('gone')
    await eventually(() => {
      expect(lines).toContainEqual(expect.objectContaining({ request_id: requestId, status: 499 }))
    })
  }
  return { answer, leave }
}

/** Holds up whoever asks `method`, until the test lets it on. */
function hold<T extends object>(target: T, method: keyof T) {
  const [asked, open] = [new Gate(), new Gate()]
  const original = (target[method] as (...given: unknown[]) => unknown).bind(target)
  const spy = vi.spyOn(target as Record<string, () => unknown>, method as string)
    .mockImplementation(async (...given: unknown[]) => {
      asked.open()
      await open.opened
      return await original(...given)
    })
  const finished = () => Promise.allSettled(spy.mock.results.map(({ value }) => value))
  return { asked: asked.opened, open: open.open, finished }
}

/** Whatever the node had to do before is done when it has answered this. */
const roundTrip = () => node.send('GET', '/healthz')

describe('a client of 2026-07-28 that leaves before its call has begun', () => {
  test('has not searched', async () => {
    const search = vi.spyOn(services.goods, 'search')
    const lookup = hold(services.apiKeys, 'lookup')
    const { leave } = call('modern', 'search_goods', {})
    await lookup.asked
    await leave()
    lookup.open()
    await lookup.finished()
    await roundTrip()
    expect(search).not.toHaveBeenCalled()
  })

  test('has not ordered, and may order later with the same key', async () => {
    const input = orderInput(facts)
    const place = vi.spyOn(services.orders, 'place')
    const lookup = hold(services.apiKeys, 'lookup')
    const { leave } = call('modern', 'create_order', input)
    await lookup.asked
    await leave()
    lookup.open()
    await lookup.finished()
    await roundTrip()
    expect(place).not.toHaveBeenCalled()
    expect(await call('modern', 'create_order', input).answer).toMatchObject({ duplicate: false })
  })
})

test('in the handshake era a lost connection takes nothing back', async () => {
  const input = orderInput(facts)
  const place = vi.spyOn(services.orders, 'place')
  const lookup = hold(services.apiKeys, 'lookup')
  const { leave } = call('handshake', 'create_order', input)
  await lookup.asked
  await leave()
  lookup.open()
  await eventually(() => { expect(place).toHaveBeenCalledOnce() })
  await place.mock.results[0]?.value
  expect(await call('handshake', 'create_order', input).answer).toMatchObject({ duplicate: true })
})

describe.each<Era>(['modern', 'handshake'])('once it has begun (%s)', (era) => {
  test('an order is placed, and its key finds it', async () => {
    const input = orderInput(facts)
    const place = hold(services.orders, 'place')
    const { leave } = call(era, 'create_order', input)
    await place.asked
    await leave()
    place.open()
    await place.finished()
    expect(await call(era, 'create_order', input).answer).toMatchObject({ duplicate: true })
  })

  test('the page of a search is thrown away without a word', async () => {
    errors.length = 0
    const search = hold(services.goods, 'search')
    const { leave } = call(era, 'search_goods', {})
    await search.asked
    await leave()
    search.open()
    await search.finished()
    const page = await call(era, 'search_goods', { page_size: 2 }).answer
    expect(page).toMatchObject({ items: [{}, {}] })
    expect(errors).toEqual([])
  })
})
