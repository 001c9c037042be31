import { randomUUID } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { counters as keys } from '../redis/keys.ts'
import { addressGroup, createLimits, readTiers } from './limits.ts'

const counters = openRedis(inject('redis').countersUrl, createLogger('silent'))
await untilReady(counters, 'counters')
afterAll(() => counters.disconnect())

const slow = { rate_per_s: 1, burst: 5, daily_quota: 0, per: 'agent' } as const
const tiers = { ...readTiers(), slow }
const caller = (agent: string | null, tier = 'slow', address = '192.0.2.1') =>
  ({ agent, account: agent && 'ac', tier, address })

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
  expect(ttl).toBeLessThanOrEqual(1000)
})

test('without a key the address is limited; IPv6 by its /64', () => {
  expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe(addressGroup('2001:db8:1:2::1'))
  expect(addressGroup('2001:db8:1:2::1')).not.toBe(addressGroup('2001:db8:1:3::1'))
  expect(addressGroup('::ffff:192.0.2.7')).toBe('192.0.2.7')
})

test('with counters away a local bucket goes on limiting', async () => {
  const gone = openRedis('redis://127.0.0.1:1', createLogger('silent'))
  const limits = createLimits(gone, tiers)
  const agent = randomUUID()
  const answers = await Promise.all(Array.from({ length: 8 }, () => limits.admit(caller(agent))))
  expect(answers.filter(({ refusal }) => !refusal).length).toBe(5)
  gone.disconnect()
})
