import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createLogger, type Logger } from '../log.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { Counters } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'
import { fakeMonotonicClock } from '../testing/fake-clock.ts'
import { testOfDay } from '../testing/over-midnight.ts'
import { addressGroup, createLimits, readTiers, type RateLimitResult } from './limits.ts'

const counters = openRedis(inject('redis').countersUrl, createLogger('silent'))
await untilReady(counters, 'counters')
afterAll(() => counters.disconnect())

const slow = { rate_per_s: 1, burst: 5, daily_quota: 0, per: 'agent' } as const
const fast = { rate_per_s: 2000, burst: 4000, daily_quota: 0, per: 'agent' } as const
const tiers = { ...readTiers(), slow, fast }
async function redisMicros(): Promise<number> {
  const [seconds, micros] = await counters.time()
  return Number(seconds) * 1_000_000 + Number(micros)
}

async function untilMicros(end: number): Promise<void> {
  while (await redisMicros() < end) { /* Time passes. */ }
}

const caller = (agent: string | null, tier = 'slow', address = '192.0.2.1') =>
  ({ agent, account: agent && 'ac', tier, client: { address } })

test('a bucket grants its burst, then refuses with the time to wait', async () => {
  const limits = createLimits(counters, tiers)
  const agent = randomUUID()
  const answers = await Promise.all(Array.from({ length: 9 }, () => limits.admit(caller(agent))))
  const refused = answers.filter(({ refusal }) => refusal)
  expect(answers.length - refused.length).toBe(5)
  for (const { refusal, headers } of refused) {
    expect(refusal?.error).toBe('rate_limited')
    const named = Object.fromEntries(headers)
    expect(named['RateLimit-Policy']).toBe('"default";q=5;w=5')
    const reset = Number(/^"default";r=0;t=(\d+)$/.exec(named['RateLimit'] ?? '')?.[1])
    expect(Number(named['Retry-After'])).toBeGreaterThanOrEqual(reset)
  }
})

test('trial keys of one address share a bucket beside their own, on all nodes', async () => {
  const nodes = [createLimits(counters, tiers), createLimits(counters, tiers)]
  const address = `192.0.2.${Math.floor(Math.random() * 250)}`
  const agents = Array.from({ length: 10 }, () => randomUUID())
  const admit = (tier: string, from: string) => Promise.all(agents.flatMap((agent, index) =>
    Array.from({ length: 10 }, () => nodes[index % 2]?.admit(caller(agent, tier, from)))))
  await counters.del(keys.rate('trial-address', address))
  const answers = await admit('trial', address)
  const refused = answers.filter((answer) => answer?.refusal)
  // What comes back while they are asked is little.
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(40)
  expect(answers.length - refused.length).toBeLessThan(100)
  expect(refused[0]?.refusal?.detail).toMatchObject({ policy: 'address' })
  // Keys of accounts at the same address are limited by themselves alone.
  expect((await admit('t1', address)).filter((answer) => answer?.refusal)).toEqual([])
  expect((await nodes[0]?.admit(caller(randomUUID(), 'trial', '198.51.100.1')))?.refusal)
    .toBeUndefined()
})

test('two nodes share a bucket: together they never grant more than the burst', async () => {
  const [one, two] = [createLimits(counters, tiers), createLimits(counters, tiers)]
  const agent = randomUUID()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) =>
    (index % 2 ? one : two).admit(caller(agent))))
  expect(answers.filter(({ refusal }) => !refusal).length).toBe(5)
})

test('a refused call costs nothing: the wait is the same after many refusals', async () => {
  const limits = createLimits(counters, tiers)
  const agent = randomUUID()
  for (let n = 0; n < 5; n += 1) await limits.admit(caller(agent))
  const ttl = await counters.pttl(`${keys.ratePrefix('slow')}:${agent}`)
  for (let n = 0; n < 50; n += 1) await limits.admit(caller(agent))
  expect(await counters.pttl(`${keys.ratePrefix('slow')}:${agent}`)).toBeLessThanOrEqual(ttl)
})

test('headers count down the tokens that are left', async () => {
  const limits = createLimits(counters, tiers)
  const agent = randomUUID()
  const left = []
  for (let n = 0; n < 3; n += 1) {
    const { headers } = await limits.admit(caller(agent))
    left.push(/r=(\d+)/.exec(Object.fromEntries(headers)['RateLimit'] ?? '')?.[1])
  }
  expect(left).toEqual(['4', '3', '2'])
})

test('an idle bucket leaves no key behind', async () => {
  const limits = createLimits(counters, tiers)
  const agent = randomUUID()
  await limits.admit(caller(agent))
  const ttl = await counters.pttl(`${keys.ratePrefix('slow')}:${agent}`)
  expect(ttl).toBeGreaterThan(0)
  expect(ttl).toBeLessThanOrEqual(1001)
})

test('without a key the address is limited; IPv6 by its /64', () => {
  expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe(addressGroup('2001:db8:1:2::1'))
  expect(addressGroup('2001:db8:1:2::1')).not.toBe(addressGroup('2001:db8:1:3::1'))
  expect(addressGroup('::ffff:192.0.2.7')).toBe('192.0.2.7')
})

describe('a fast tier', () => {
  const named = ({ headers }: RateLimitResult) => Object.fromEntries(headers)

  /** Lets a node learn that the caller is busy, until it holds tokens. */
  async function warm(admit: () => MaybePromise<RateLimitResult>): Promise<RateLimitResult> {
    for (;;) {
      const admission = admit()
      if (!(admission instanceof Promise)) return admission
      await admission
    }
  }

  test('is admitted in the same turn of the loop where the node holds a token', async () => {
    const limits = createLimits(counters, tiers)
    const one = caller(randomUUID(), 'fast')
    const { refusal, headers } = await warm(() => limits.admit(one))
    expect(refusal).toBeUndefined()
    expect(headers[0]).toEqual(['RateLimit-Policy', '"default";q=4000;w=2'])
    expect(headers[1]?.[1]).toMatch(/^"default";r=3\d\d\d;t=1$/)
  })

  test('has its whole burst at once, and not a token more', async () => {
    const limits = createLimits(counters, { ...tiers, fast: { ...fast, rate_per_s: 200 } })
    const one = caller(randomUUID(), 'fast')
    const before = await redisMicros()
    const answers = await Promise.all(Array.from({ length: 6000 }, () => limits.admit(one)))
    const granted = answers.filter(({ refusal }) => !refusal).length
    const seconds = (await redisMicros() - before) / 1e6
    expect(granted).toBeGreaterThanOrEqual(4000)
    expect(granted).toBeLessThanOrEqual(4000 + 200 * seconds)
    const refused = answers.find(({ refusal }) => refusal) as RateLimitResult
    expect(refused.refusal?.detail).toEqual({ policy: 'default', retry_after_s: 1 })
    expect(named(refused)).toMatchObject({ 'RateLimit': '"default";r=0;t=1', 'Retry-After': '1' })
  })

  test('costs a busy caller a round trip for many calls', async () => {
    const limits = createLimits(counters, tiers)
    const one = caller(randomUUID(), 'fast')
    const evalsha = vi.spyOn(counters, 'evalsha')
    const clock = fakeMonotonicClock()
    let granted = 0
    for (let round = 0; round < 60; round += 1) {
      for (let n = 0; n < 20; n += 1) {
        const admission = limits.admit(one)
        if (!(await admission).refusal) granted += 1
      }
      clock.forward(10)
      // Behind what was asked for meanwhile, over the same connection.
      await counters.ping()
    }
    const trips = evalsha.mock.calls.length
    evalsha.mockRestore()
    expect(granted).toBe(1200)
    expect(trips).toBeLessThan(granted / 5)
  })
})

describe('the script', () => {
  const key = `test:${randomUUID()}`
  const take = (waiting: number, ahead: number) =>
    new Counters(counters, createLogger('silent')).take(key, fast, waiting, ahead, 100)

  test('serves those who wait to the last token, and leases nothing out of the top', async () => {
    expect(await take(1, 0)).toEqual({ granted: 1, left: 3999, waitMs: 1 })
    const before = await redisMicros()
    const { granted, left } = await take(1, 10)
    expect({ granted, left }).toEqual({ granted: 11, left: 3790 })
    const all = await take(5000, 10)
    expect(all.granted).toBeGreaterThanOrEqual(3790)
    const seconds = (await redisMicros() - before) / 1e6
    expect(all.granted).toBeLessThanOrEqual(3790 + fast.rate_per_s * seconds)
    expect(all.left).toBe(0)
  })

  test('an hour without a call leaves the bucket with its burst and no more', async () => {
    await counters.set(key, `3000 ${await redisMicros() - 3_600_000_000}`)
    expect(await take(5000, 0)).toMatchObject({ granted: 4000, left: 0 })
  })

  test('a clock that was set back neither opens the bucket nor holds up its callers', async () => {
    const now = await redisMicros()
    await counters.set(key, `10 ${now + 3_600_000_000}`)
    expect((await take(20, 0)).granted).toBe(10)
    await untilMicros(await redisMicros() + 20_000)
    expect((await take(20, 0)).granted).toBeGreaterThan(0)
  })

  test('an empty bucket fills again from the moment its clock is seen to be set back', async () => {
    const now = await redisMicros()
    await counters.set(key, `0 ${now + 3_600_000_000}`)
    expect((await take(1, 0)).granted).toBe(0)
    expect(await counters.pttl(key)).toBeLessThanOrEqual(2001)
    await untilMicros(await redisMicros() + 20_000)
    expect((await take(1, 0)).granted).toBe(1)
  })
})

test('an agent of a tier that this node does not know gets the least there is', async () => {
  const warnings: unknown[] = []
  const log = { warn: (fact: unknown) => { warnings.push(fact) } } as unknown as Logger
  const limits = createLimits(counters, tiers, log)
  const [one, other] = [randomUUID(), randomUUID()]
  for (const agent of [one, other, one]) {
    const { headers, refusal } = await limits.admit(caller(agent, 'constructor'))
    expect(refusal).toBeUndefined()
    expect(headers[0]).toEqual(['RateLimit-Policy', '"default";q=10;w=2'])
  }
  const answers = await Promise.all(Array.from({ length: 12 }, () =>
    limits.admit(caller(one, 'constructor'))))
  expect(answers.some(({ refusal }) => refusal)).toBe(true)
  expect((await limits.admit(caller(other, 'constructor'))).refusal).toBeUndefined()
  expect(warnings).toEqual([{ tier: 'constructor' }])
})

testOfDay('uses of a day are exact over nodes, and refused ones cost nothing', async () => {
  const nodes = [createLimits(counters, tiers), createLimits(counters, tiers)]
  const address = `2001:db8:${randomUUID().slice(0, 4)}::1`
  const answers = await Promise.all(Array.from({ length: 14 }, (_, n) =>
    nodes[n % 2]?.takeDaily('trial-keys', address, 10)))
  const refusals = answers.filter((refusal) => refusal !== undefined)
  expect(refusals.length).toBe(4)
  const untilMidnight = 86_400 - Math.floor(await redisMicros() / 1e6) % 86_400
  expect(refusals[0]?.detail).toMatchObject({ policy: 'trial-keys', limit: 10, window_s: 86_400 })
  expect(refusals[0]?.detail.retry_after_s).toBeGreaterThanOrEqual(untilMidnight - 1)
  expect(await nodes[0]?.takeDaily('trial-keys', '192.0.2.200', 0)).toBeInstanceOf(Refusal)
})

testOfDay('trial keys of a day: an address, its IPv6 site, and all together', async () => {
  const limits = createLimits(counters, tiers)
  const site = `2001:db8:${randomUUID().slice(0, 4)}`
  const policyOf = async (address: string, all = 1_000_000) => (await limits.takeTrial(address,
    { trialKeysPerDay: 2, trialKeysPerDayAll: all }))?.detail['policy']
  const policies = []
  for (let network = 0; network < 5; network += 1) {
    for (let key = 0; key < 2; key += 1) policies.push(await policyOf(`${site}:${network}::1`))
  }
  expect(policies).toEqual([...Array.from({ length: 8 }), 'trial-keys-site', 'trial-keys-site'])
  expect(await policyOf(`${site}:0::2`)).toBe('trial-keys')
  const fresh = `10.${randomUUID().split('-').map((part) => parseInt(part, 16) % 250)
    .slice(0, 3).join('.')}`
  expect(await policyOf(fresh, 0)).toBe('trial-keys-all')
})
