/** One platform's trouble is its own: the search answers, says which failed, and has the others. */
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { FAULT_KINDS } from '../../adapters/simulator/faults.ts'
import { counters } from '../redis/keys.ts'
import { startTestMalls } from './malls.ts'
import { startTestNode, type TestNode } from './node.ts'

const malls = await startTestMalls()
/** Each with circuits of its own: what one test breaks stays open for a while. */
const newNode = () => startTestNode(
  { mallCallsPerSecond: 1000, fanOutMs: 1200 }, undefined, malls.settings)
const nodes = { mall_a: await newNode(), mall_b: await newNode(), mall_c: await newNode() }
const node = await newNode()
afterAll(async () => {
  await Promise.all([node, ...Object.values(nodes)].map((one) => one.stop()))
  await malls.close()
})
afterEach(() => malls.simulators.forEach(({ faults }) => faults.clear()))
const key = await node.newKey('t2')

type Fault = (typeof FAULT_KINDS)[number]
interface Source { source: string, status: string, count: number, note?: string }

let asked = 0
/** A sentence that nobody asked before, so that no answer is one that was kept. */
const sentence = (): string => `保温杯 qz${asked += 1}x`

async function search(on: TestNode) {
  const { status, envelope } = await on.send('POST', '/v1/cps/smart-search', {
    key, body: { query: sentence() },
  })
  expect(status).toBe(200)
  const sources = envelope.data.sources as Source[]
  return {
    data: envelope.data,
    of: (name: string) => sources.find(({ source }) => source === name) as Source,
  }
}

const simulator = (name: string) => malls.simulators.find((one) => one.name === name)
const MALLS = ['mall_a', 'mall_b', 'mall_c'] as const

describe.each(MALLS)('%s', (name) => {
  const others = [...MALLS, 'shelf'].filter((one) => one !== name)
  const faults: Fault[] = ['hang', 'drip', 'reset', 'error_500', 'html', 'truncated', 'huge',
    'bomb', 'redirect', 'empty', 'limited']
  test.each(faults)('%s is said of it, and the others are whole', async (fault) => {
    simulator(name)?.faults.add('*', fault, 10)
    const { data, of } = await search(nodes[name])
    // After a few failures it is not asked any more for a while: that is said, too.
    expect(of(name)).toMatchObject({
      status: expect.stringMatching(/^(timeout|error|open)$/), count: 0,
      note: expect.stringMatching(/\w/),
    })
    expect(data.partial).toBe(true)
    for (const other of others) expect(of(other).status).toBe('ok')
    // What a gateway says of limits holds for a while, on every node: it has a test of its own.
    if (fault === 'limited') await node.services.counters.del(counters.callsShut(name))
  })
})

test('with every platform hanging the shelf answers alone, and each is named', async () => {
  malls.simulators.forEach(({ faults }) => faults.add('*', 'hang', 10))
  const { data, of } = await search(node)
  for (const name of MALLS) expect(of(name).status).toMatch(/timeout|open|error/)
  expect(of('shelf').status).toBe('ok')
  expect(data.partial).toBe(true)
})

test('without a key the shelf answers alone, and a key would add the rest', async () => {
  const before = malls.simulators.reduce((sum, { calls }) => sum + calls(), 0)
  const { envelope } = await node.send('POST', '/v1/cps/smart-search', {
    body: { query: '保温杯 100元以内' },
  })
  const sources = envelope.data.sources as Source[]
  expect(sources.find(({ source }) => source === 'shelf')?.status).toBe('ok')
  for (const name of MALLS) {
    expect(sources.find(({ source }) => source === name))
      .toMatchObject({ status: 'skipped', note: 'needs an API key' })
  }
  expect(envelope.data.partial).toBe(false)
  expect(malls.simulators.reduce((sum, { calls }) => sum + calls(), 0)).toBe(before)
})

test('the food platform is asked when a meal is meant, and then alone', async () => {
  const { envelope } = await node.send('POST', '/v1/cps/smart-search', {
    key, body: { query: '外卖奶茶优惠' },
  })
  const sources = envelope.data.sources as Source[]
  const status = Object.fromEntries(sources.map((one) => [one.source, one.status]))
  expect(status).toEqual({
    shelf: 'skipped', mall_a: 'skipped', mall_b: 'skipped', mall_c: 'skipped', food: 'ok',
  })
})
