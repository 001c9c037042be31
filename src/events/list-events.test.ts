import { randomUUID } from 'node:crypto'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { buyAt, orderAt } from '../testing/buy.ts'
import { openOwner } from '../testing/console.ts'
import { startTestNode } from '../testing/node.ts'

const [node, other] = [await startTestNode(), await startTestNode()]
afterAll(() => Promise.all([node.stop(), other.stop()]))
const { ledger } = node.services

async function order(key: string, isPaid = false): Promise<string> {
  return isPaid ? await buyAt(node, key) : (await orderAt(node, key)).order_no
}

interface Page {
  events: { id: string, type: string, data: Record<string, unknown> }[]
  next_cursor: string
  is_trimmed: boolean
}

const read = async (key: string, query = '', at = node): Promise<Page> =>
  (await at.send('GET', `/v1/events${query}`, { key })).envelope.data

/** The types of the agent's events once there are so many. */
async function readTypes(key: string, query = ''): Promise<string[]> {
  return (await read(key, query)).events.map(({ type }) => type)
}

test('an agent reads its own orders and commissions, and nothing of others', async () => {
  const [one, another] = [await openOwner(node), await openOwner(node)]
  const orderNo = await order(one.apiKey, true)
  await order(another.apiKey)
  await expect.poll(() => readTypes(one.apiKey)).toEqual(expect.arrayContaining([
    'order.created', 'order.paid', 'order.accepted', 'order.shipped', 'order.delivered',
    'order.completed', 'commission.pending', 'commission.confirmed',
  ]))
  const { events } = await read(one.apiKey)
  expect(new Set(events.map(({ data }) => data['order_no'] ?? data['about'])))
    .toEqual(new Set([orderNo]))
  expect(new Set(events.map(({ data }) => data['agent']))).toEqual(new Set([one.agent]))
})

test('types are filtered, and the cursor goes on behind what was left out', async () => {
  const { apiKey } = await openOwner(node)
  await order(apiKey, true)
  await expect.poll(() => readTypes(apiKey)).toContain('order.completed')
  const page = await read(apiKey, '?types=order.shipped,order.paid')
  expect(page.events.map(({ type }) => type)).toEqual(['order.paid', 'order.shipped'])
  const paid = await read(apiKey, '?types=order.*&limit=2')
  expect(paid.events.map(({ type }) => type)).toEqual(['order.created', 'order.paid'])
  const rest = await read(apiKey, `?types=order.*&after=${paid.next_cursor}`, other)
  expect(rest.events[0]?.type).toBe('order.accepted')
})

test('a reader that waits is answered by an event that comes later, and another node goes on',
  async () => {
    const key = await node.newKey()
    const { next_cursor: before } = await read(key, '?after=latest')
    const waiting = read(key, `?after=${before}&wait_ms=8000`, other)
    const orderNo = await order(key)
    const { events, next_cursor } = await waiting
    expect(events).toMatchObject([{ type: 'order.created', data: { order_no: orderNo } }])
    expect((await read(key, `?after=${next_cursor}`)).events).toEqual([])
  })

test('what was trimmed before it was read is said', async () => {
  const { agent, apiKey } = await openOwner(node)
  await order(apiKey)
  await expect.poll(() => readTypes(apiKey)).toEqual(['order.created'])
  const { next_cursor } = await read(apiKey)
  await ledger.del(keys.feed(agent))
  await order(apiKey)
  await expect.poll(async () => (await read(apiKey, `?after=${next_cursor}`)).events.length).toBe(1)
  expect(await read(apiKey, `?after=${next_cursor}`)).toMatchObject({ is_trimmed: true })
})

test('a cursor that is none of ours is refused, and so is a reader without a key', async () => {
  const key = await node.newKey()
  const refused = await node.send('GET', '/v1/events?after=bm90LW91cnM', { key })
  expect(refused.envelope.data).toMatchObject({
    error: 'invalid_request', fields: [{ path: 'after' }],
  })
  expect((await node.send('GET', '/v1/events')).status).toBe(401)
  const headers = { Accept: 'text/event-stream' }
  expect((await node.send('GET', '/v1/events', { headers })).status).toBe(401)
})

test('who accepts JSON beside events of a server gets JSON', async () => {
  const key = await node.newKey()
  const { status, envelope } = await node.send('GET', '/v1/events', {
    key, headers: { Accept: 'application/json, text/event-stream' },
  })
  expect(status).toBe(200)
  expect(envelope.data).toMatchObject({ events: [] })
})

async function openStream(key: string, id?: string) {
  const aborter = new AbortController()
  onTestFinished(() => aborter.abort())
  const response = await fetch(`${node.url}/v1/events?types=order.*`, {
    signal: aborter.signal,
    headers: {
      Authorization: `Bearer ${key}`, Accept: 'text/event-stream',
      ...(id !== undefined && { 'Last-Event-ID': id }),
    },
  })
  const state = { text: '', status: response.status }
  void (async () => {
    for await (const chunk of response.body ?? []) state.text += Buffer.from(chunk).toString()
  })().catch(() => {})
  return state
}

const eventsIn = (text: string): string[] =>
  [...text.matchAll(/^event: (\S+)$/gm)].map(([, type = '']) => type)

test('the same comes as server-sent events, and goes on after the last id', async () => {
  const key = await node.newKey()
  const first = await openStream(key)
  await order(key)
  await expect.poll(() => eventsIn(first.text)).toEqual(['order.created'])
  const [, id] = /^id: (\S+)$/m.exec(first.text) ?? []
  await order(key)
  const second = await openStream(key, id)
  await expect.poll(() => eventsIn(second.text)).toEqual(['order.created'])
  expect(second.text).not.toContain(`id: ${id}\n`)
})

test('an agent has so many streams at a time, and a key that ends ends its stream', async () => {
  const { agent, apiKey, browser } = await openOwner(node)
  const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(apiKey)))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await openStream(apiKey)).status).toBe(429)
  await browser.call('DELETE', `/agents/${agent}`)
  await expect.poll(async () => (await openStream(apiKey)).status).toBe(401)
})

test('a visit to a link and a new key are told', async () => {
  const { agent, apiKey, browser } = await openOwner(node)
  const code = randomUUID().replaceAll('-', '').slice(0, 12)
  await ledger.hset(keys.link(code),
    { url: 'https://mall.example/item', agent, source: 'mall_b', item: '1' })
  await fetch(`${node.url}/go/${code}`, {
    redirect: 'manual',
    headers: {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    },
  })
  await browser.call('POST', `/agents/${agent}/keys`, { overlap_hours: 24 })
  await expect.poll(() => readTypes(apiKey)).toEqual(
    expect.arrayContaining(['click.recorded', 'key.rotated']))
  const click = (await read(apiKey)).events.find(({ type }) => type === 'click.recorded')
  expect(click?.data['item_id'], 'as searches and mall_order events name it').toBe('mall_b:1')
})
