import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { Counters } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'
import type { Budget, Payer } from '../../adapters/limits.ts'
import { readTiers } from '../limits/tiers.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { createCallBudget, overPromised } from './sources.ts'

const log = createLogger('silent')
const client = openRedis(inject('redis').countersUrl, log)
await untilReady(client, 'counters')
afterAll(() => client.disconnect())

const SHAPE = { rate_per_s: 1, burst: 5 }
const tiers = readTiers()
const node = (source: string, counters = new Counters(client, log), shape = SHAPE) =>
  createCallBudget({ counters, source, shape, tiers, clock: { now: nowMs } })

/** So slow that nothing comes in while a test runs: what is granted can be counted. */
const STILL = { rate_per_s: 0.0001, burst: 40 }
const still = (source: string) => node(source, new Counters(client, log), STILL)
/** Shares of 40 less a call and the margin of 4, of which jobs have 0.05, t2 0.5 and t1 0.15. */
const KEPT_FROM_FREE = 24.5
const MARGIN = 4
const agent = (tier: string) => ({ tier, agent: randomUUID() })

/** Milliseconds of the clock that the bucket has. */
async function pass(ms: number): Promise<void> {
  const end = await redisTimeMs(client) + ms
  while (await redisTimeMs(client) < end) { /* Time passes. */ }
}

/** How many calls are granted until the first that is not. */
async function drain(budget: Budget, payer?: Payer): Promise<number> {
  let granted = 0
  while (await budget.take(payer) === 0) granted += 1
  return granted
}

test('all nodes together make no more calls than the platform takes', async () => {
  const source = randomUUID()
  const nodes = [node(source), node(source), node(source)]
  const waits = await Promise.all(Array.from({ length: 30 }, (_, n) => nodes[n % 3]?.take()))
  const granted = waits.filter((wait) => wait === 0).length
  // One more may have come in while they were asked.
  expect(granted).toBeGreaterThanOrEqual(5)
  expect(granted).toBeLessThanOrEqual(6)
  for (const wait of waits.filter((one) => one !== 0)) expect(wait).toBeLessThanOrEqual(1001)
})

describe('a budget that several callers use', () => {
  test('leaves free callers all but the reserve, and paid ones the reserve', async () => {
    const source = randomUUID()
    // A lone free key: the whole bucket, without the shares and the margin of its tier.
    expect(await drain(still(source), agent('trial')))
      .toBe(Math.floor(40 - KEPT_FROM_FREE - MARGIN))
    const [kept] = (await client.get(keys.callBudget(source)) ?? '').split(' ')
    expect(Number(kept)).toBeCloseTo(40 - 11, 1)
    expect(await drain(still(source), agent('t2'))).toBeGreaterThanOrEqual(20)
    // What is left is for the jobs that read orders.
    expect(await drain(still(source))).toBeGreaterThan(1)
  })

  test('grants a caller alone its whole rate', async () => {
    const source = randomUUID()
    const fast = { rate_per_s: 100, burst: 200 }
    const [budget, lone] = [node(source, new Counters(client, log), fast), agent('trial')]
    await drain(budget, lone)
    for (let call = 0; call < 20; call += 1) {
      let wait = await budget.take(lone)
      expect(wait).toBeLessThanOrEqual(1000 / fast.rate_per_s + 1)
      for (; wait > 0; wait = await budget.take(lone)) await pass(wait)
    }
  })

  test('has calls for an agent that made few, beside busy ones of its tier', async () => {
    const source = randomUUID()
    const [greedy, modest] = [agent('trial'), agent('trial')]
    await drain(still(source), greedy)
    expect(await still(source).take(greedy)).toBeGreaterThan(0)
    expect(await still(source).take(modest)).toBe(0)
    expect(await still(source).take(modest)).toBeGreaterThan(0)
    // Nobody of another tier pays for it.
    expect(await drain(still(source), agent('t2'))).toBeGreaterThanOrEqual(20)
  })

  test.each([1, 10])('gives a paid caller beside %d free keys 95 of 100 calls', async (count) => {
    const source = randomUUID()
    const shape = { rate_per_s: 50, burst: 100 }
    const over = new AbortController()
    let free = 0
    const flood = async (payer: Payer): Promise<void> => {
      const budget = node(source, new Counters(client, log), shape)
      while (!over.signal.aborted) {
        if (await budget.take(payer) === 0) free += 1
        else await client.time()
      }
    }
    const floods = Array.from({ length: count }, () => flood(agent('trial')))
    await expect.poll(() => free).toBeGreaterThan(20)
    const [budget, paid] = [node(source, new Counters(client, log), shape), agent('t2')]
    let granted = 0
    for (let call = 0; call < 100; call += 1) {
      if (await budget.take(paid) === 0) granted += 1
      await pass(1000 / shape.rate_per_s)
    }
    over.abort()
    await Promise.all(floods)
    expect(granted).toBeGreaterThanOrEqual(95)
  })
})

describe('the state of a budget in Redis', () => {
  test('fills again after its clock was set back', async () => {
    const source = randomUUID()
    const [seconds] = await client.time()
    await client.set(keys.callBudget(source), `0 ${(Number(seconds) + 3600) * 1_000_000}`)
    const budget = node(source, new Counters(client, log), { rate_per_s: 100, burst: 200 })
    expect(await budget.take()).toBeGreaterThan(0)
    await expect.poll(() => budget.take()).toBe(0)
  })

  test('holds no more agents than it served lately', async () => {
    const source = randomUUID()
    const budget = node(source, new Counters(client, log), { rate_per_s: 1000, burst: 2000 })
    for (let call = 0; call < 50; call += 1) await budget.take(agent('trial'))
    const shares = keys.callShares(source, 'trial')
    expect(await client.zcard(shares)).toBeLessThanOrEqual(50)
    expect(await client.pttl(shares)).toBeGreaterThan(0)
  })
})

test('tiers whose quota exceeds the budget are named, and others are not', () => {
  expect(overPromised(tiers, 10, 4)).toBe('MALL_CALLS_PER_SECOND allows 3456000 calls a day to the '
    + '4 platforms for all agents together, and config/tiers.json promises a single agent more: '
    + 't2 5000000')
  expect(overPromised(tiers, 20, 4)).toBeUndefined()
})

test('a ban that one node received holds for every node, for the longest time', async () => {
  const source = randomUUID()
  const [first, second, third] = [node(source), node(source), node(source)]
  await Promise.all([first.limited(60_000), second.limited(30_000)])
  for (const one of [first, second, third]) {
    const wait = await one.take()
    expect(wait).toBeGreaterThan(50_000)
    expect(wait).toBeLessThanOrEqual(60_000)
  }
})

test('without counters a node keeps to the rate and to bans by itself', async () => {
  const gone = openRedis('redis://127.0.0.1:1', log)
  const alone = node(randomUUID(), new Counters(gone, log))
  for (let n = 0; n < 5; n += 1) expect(await alone.take()).toBe(0)
  expect(await alone.take()).toBeGreaterThan(0)
  await alone.limited(10_000)
  expect(await alone.take()).toBeGreaterThan(9000)
  gone.disconnect()
})
