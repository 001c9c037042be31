/** What the bench sends is what a node answers: it must not fall behind the product. */
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'
import { openRoles, type RedisRoles } from '../../src/redis/roles.ts'
import { openSecrets } from '../../src/secrets/open.ts'
import { startTestNode, TEST_SECRET, type TestNode } from '../../src/testing/node.ts'
import {
  acceptDetail, acceptPage, acceptProducts, acceptStatus, acceptTool, type HttpCall, send, withKeys,
} from './http-load.ts'
import { encodeCommand, isExpected } from './replay.ts'
import {
  attempts, detailCall, orderCall, orderCommands, ownLines, PLACED, preflightCalls, refinements,
  rpcCall, searchCall, searchCommand, searches, take, toolCall, ucpCall,
} from './workload.ts'

// All of it before there is a node: making goods takes a second in which none would answer.
const own = new Map([2400, 76_800, 300_000].map((items) => [items, ownLines(items, 'test')]))
const lines = own.get(2400)?.filter(({ stock }) => stock > 10) ?? []
let node: TestNode
let redis: RedisRoles
let apiKey: string

beforeAll(async () => {
  node = await startTestNode()
  const { shelfUrl: shelf, ledgerUrl: ledger, countersUrl: counters } = inject('redis')
  redis = await openRoles({ shelf, ledger, counters }, createLogger('silent'))
  apiKey = await node.newKey('t2')
})

afterAll(async () => {
  redis.close()
  await node.stop()
})

const answer = async (call: HttpCall) =>
  await send(node.port, withKeys([call], [apiKey])[0] as HttpCall)

const buyers = [{ agent: 'ag_bench', account: 'ac_bench', apiKey: '' }]

test('every search of the mix is another one, and finds something', async () => {
  for (const list of [searches(lines, 8), refinements(lines, 8)]) {
    const queries = take(list, 40)
    expect(new Set(queries.map((query) => JSON.stringify(query))).size).toBe(40)
    for (const query of queries) acceptPage(1)(await answer(searchCall(query)))
  }
})

test('own items are of every category, each once', () => {
  for (const found of own.values()) {
    expect(new Set(found.map(({ product_id }) => product_id)).size).toBe(found.length)
    expect(new Set(found.map(({ category_id }) => category_id)).size).toBe(24)
  }
})

test('the same seed makes the same searches', () => {
  expect(take(searches(lines, 3), 20)).toEqual(take(searches(lines, 3), 20))
})

test('details, tools and the list of tools are answered', async () => {
  const [line] = lines
  acceptDetail(await answer(detailCall(line!)))
  acceptTool(await answer(toolCall('get_goods_detail', { sku_id: line!.sku_id })))
  acceptTool(await answer(toolCall('search_goods', { q: line!.words[0] })))
  const accept = acceptStatus(200)
  accept(await answer(rpcCall('tools/list', {})))
})

test('a search over UCP is answered to a platform whose profile is the node\'s own', async () => {
  const profile = `http://127.0.0.1:${node.port}/.well-known/ucp`
  acceptProducts(await answer(
    ucpCall('/catalog/search', profile, { query: lines[0]!.words[0] })))
})

test('a preflight is permitted, each from another address', async () => {
  const calls = preflightCalls()
  expect(new Set(calls.map(({ headers }) => headers?.['X-Forwarded-For'])).size).toBe(calls.length)
  const accept = acceptStatus(204)
  accept(await answer(calls[0]!))
})

test('an order of the mix is placed', async () => {
  const [attempt] = attempts({ buyers }, lines, 1)
  const accept = acceptStatus(200)
  accept(await answer(orderCall(attempt!)))
})

test('the recorded search is a command that Redis answers with ids', async () => {
  const [query] = take(searches(lines, 9), 1)
  const [command, ...words] = (await searchCommand(query!)).map(String)
  expect(command).toBe('FT.SEARCH')
  expect(words).toContain('NOCONTENT')
  const [total] = await (redis.shelf as Redis).call('FT.SEARCH', ...words) as [number]
  expect(total).toBeGreaterThan(0)
})

test('the recorded order script places an order', async () => {
  const secrets = await openSecrets(redis.ledger, TEST_SECRET)
  const record = orderCommands({ secrets, config: readConfig({}) })
  const [attempt] = attempts({ buyers }, lines, 1)
  const { command, source } = await record(attempt!.input, attempt!.buyer)
  await redis.ledger.call('SCRIPT', 'LOAD', source)
  const [name, ...words] = command as [string, ...string[]]
  expect(name).toBe('EVALSHA')
  const reply = await redis.ledger.call('EVALSHA', ...words) as string[]
  const sent = encodeCommand(reply)
  expect(isExpected(sent, Buffer.from(PLACED))).toBe(true)
})
