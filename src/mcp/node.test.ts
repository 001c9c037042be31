/** The official clients of both eras against a whole node. */
import type { Client as ModernClient } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '../operations/index.ts'
import { CLIENTS, connectClient, isModern, type ClientName } from '../testing/clients.ts'
import { liveFacts, orderInput } from '../testing/live.ts'
import { startTestNode } from '../testing/node.ts'
import { readBack } from '../testing/result-text.ts'

const node = await startTestNode()
afterAll(() => node.stop())

const connect = (name: ClientName, key?: string) => connectClient(name, node.url, key)

describe.each(CLIENTS)('%s', (name) => {
  test('without a key it connects, sees every tool and searches', async () => {
    const { sdk, call } = await connect(name)
    expect(sdk.getServerVersion()?.name).toBe('agentmall')
    expect(sdk.getServerCapabilities()).toMatchObject({ tools: {} })
    expect(sdk.getInstructions()).toContain('idempotency_key')
    const { tools } = await sdk.listTools()
    expect(tools.map((tool) => tool.name))
      .toEqual(operations.filter(({ tool }) => tool !== false).map((operation) => operation.name))
    const own = await call('search_goods', { page_size: 3 })
    expect(own.structuredContent['items']).toHaveLength(3)
    expect(readBack(own.content[0]?.text ?? '')).toEqual(own.structuredContent)
    const [{ sku_id, brand }] = own.structuredContent['items']
    const detail = await call('get_goods_detail', { sku_id })
    expect(detail.structuredContent).toMatchObject({ sku_id, agent_desc: expect.any(String) })
    const shelf = await call('shelf_search', { q: brand, page_size: 2 })
    expect(shelf.structuredContent['items'][0]).toMatchObject({ brand })
  })

  test('a call without a key is answered with how to get one', async () => {
    const { sdk, call } = await connect(name)
    await sdk.listTools()
    const refused = await call('get_order_status', { order_no: 'AM0000000000000000000' })
    expect(refused).toMatchObject({
      isError: true, structuredContent: { error: { error: 'key_required' } },
    })
    expect(refused.content[0]?.text).toContain('/v1/trial-keys')
  })

  test('with a key it orders once, however often it asks, and reads its order', async () => {
    const key = await node.newKey()
    const { sdk, call } = await connect(name, key)
    await sdk.listTools()
    const input = orderInput(await liveFacts(node, key))
    const first = await call('create_order', input)
    expect(first.isError).toBeFalsy()
    expect(first.structuredContent).toMatchObject({
      duplicate: false, expire_in_minutes: 30, render_hint: 'qrcode',
    })
    const again = await call('create_order', input)
    const { order_no, amount } = first.structuredContent
    expect(again.structuredContent).toMatchObject({ duplicate: true, order_no, amount })
    const status = await call('get_order_status', { order_no })
    expect(status.structuredContent).toMatchObject({ order_no, grand_total: amount })
    const other = await call('create_order', { ...input, qty: 2 })
    expect(other).toMatchObject({
      isError: true, structuredContent: { error: { error: 'idempotency_mismatch' } },
    })
  })

  test('a wrong key is refused before anything else', async () => {
    const refused = await connect(name, `ak_${'0'.repeat(32)}`).catch((error: Error) => error)
    expect(refused).toBeInstanceOf(Error)
    expect(String(refused)).toMatch(/401|Unauthorized/i)
  })

  test('a tool that is not there is a protocol error', async () => {
    const { call } = await connect(name)
    await expect(call('nonsense', {})).rejects.toMatchObject({ code: -32602 })
  })
})

test.each(['sdk 2 pinned', 'sdk 2 auto'] as const)('%s speaks 2026-07-28', async (name) => {
  const sdk = (await connect(name)).sdk as ModernClient
  expect(sdk.getProtocolEra()).toBe('modern')
  expect(sdk.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  expect(sdk.getDiscoverResult()).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
})

test.each(CLIENTS.filter((name) => !isModern(name)))('%s speaks 2025-11-25', async (name) => {
  const { sdk } = await connect(name)
  await expect(sdk.ping()).resolves.toBeDefined()
  expect('getProtocolEra' in sdk ? sdk.getProtocolEra() : 'legacy').toBe('legacy')
})

test.each([['sdk 1', 'sdk 2 pinned'], ['sdk 2 pinned', 'sdk 1']] as const)(
  'an order made with %s is replayed with %s', async (first, second) => {
    const key = await node.newKey()
    const input = orderInput(await liveFacts(node, key))
    const placed = await (await connect(first, key)).call('create_order', input)
    const replayed = await (await connect(second, key)).call('create_order', input)
    const { order_no, amount } = placed.structuredContent
    expect(placed.structuredContent['duplicate']).toBe(false)
    expect(replayed.structuredContent).toMatchObject({ duplicate: true, order_no, amount })
  })

test('another agent cannot read the order, and cannot tell that it is there', async () => {
  const { order_no } = await liveFacts(node, await node.newKey())
  const stranger = await connect('sdk 2 pinned', await node.newKey())
  const refused = await stranger.call('get_order_status', { order_no })
  expect(refused.structuredContent['error']).toMatchObject({ error: 'not_found' })
})

const ping = (address: string) => node.send('POST', '/mcp', {
  body: { jsonrpc: '2.0', id: 1, method: 'ping' }, headers: { 'X-Forwarded-For': address },
})

test('a flood is 429 with the time to wait', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => ping('198.51.100.4')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers, text } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(headers.get('ratelimit')).toContain('r=0')
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: 42900 } })
  }
})
