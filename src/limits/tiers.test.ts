import { describe, expect, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { assertTiers, readTiers, tierOf, tiersFor } from './tiers.ts'

const keyless = { rate_per_s: 5, burst: 10, daily_quota: 0, per: 'address' }
const agents = { rate_per_s: 20, burst: 40, daily_quota: 100, per: 'agent' }

test('the tiers that are shipped are those of the service', () => {
  expect(readTiers()).toMatchObject({
    keyless: { rate_per_s: 5, burst: 10, daily_quota: 0, per: 'address' },
    trial: { rate_per_s: 10, burst: 20, daily_quota: 2000, per: 'agent' },
    t1: { rate_per_s: 20, burst: 40, daily_quota: 20_000, per: 'agent', platform_share: 0.15 },
    t2: {
      rate_per_s: 2000, burst: 4000, daily_quota: 5_000_000, per: 'agent', platform_share: 0.5,
    },
  })
})

test('who pays nothing may have few orders unpaid, by agent, account and address', () => {
  const { keyless, trial, t1, t2 } = readTiers()
  const cap = { open: expect.any(Number), units: expect.any(Number), per_day: expect.any(Number) }
  for (const tier of [keyless, trial, t1]) {
    expect(tier?.orders).toMatchObject({ agent: cap, account: cap, address: cap })
  }
  expect(trial?.orders).toMatchObject({ agent: { open: 5 }, stock_percent: 5 })
  // An agent of an unknown tier has keyless's row.
  expect(keyless?.orders).toEqual(trial?.orders)
  // The operator grants it by name; a reservation would cost each of its orders a fifth.
  expect(t2?.orders).toBeUndefined()
})

const OWN = {
  sandbox: true, host: '127.0.0.1', publicUrl: 'http://localhost:8080', trustedProxies: [],
}

test('on its developer\'s machine a sandbox is generous without a key, and nowhere else', () => {
  const shipped = readTiers()
  expect(tiersFor(OWN)).toMatchObject({
    keyless: { rate_per_s: 100, burst: 1000 }, t1: { rate_per_s: 20, burst: 40 },
  })
  const trustedProxies = [['10.0.0.0', 8]] as never
  for (const change of [{ sandbox: false }, { host: '0.0.0.0' }, { trustedProxies },
    { publicUrl: 'https://shop.example' }]) {
    expect(tiersFor({ ...OWN, ...change })).toEqual(shipped)
  }
})

describe('a table that cannot be right stops the start', () => {
  test.each([
    ['no keyless', { t1: agents }, 'keyless is missing'],
    ['affiliate calls without a key', { keyless: { ...keyless, daily_quota: 1 } }, 'must be 0'],
    ['keyless by agent', { keyless: { ...keyless, per: 'agent' } }, 'keyless.per must be address'],
    ['a tier by address', { keyless, t1: { ...agents, per: 'address' } }, 't1.per must be agent'],
    ['a broken window', { keyless, t1: { ...agents, burst: 41 } }, 'multiple of rate_per_s'],
    ['no rate', { keyless, t1: { ...agents, rate_per_s: 0 } }, 't1.rate_per_s'],
    ['shares of everything', { keyless, t1: { ...agents, platform_share: 0.5 },
      t2: { ...agents, platform_share: 0.4 } }, 'platform_share of all may be 0.8'],
    ['an unknown field', { keyless, t1: { ...agents, colour: 1 } }, 'colour'],
    ['a name that could be code', { keyless, 'T 1': agents }, 'is no name of a tier'],
    ['no table', [], 'config/tiers.json'],
  ])('%s', (_, tiers, problem) => {
    expect(() => { assertTiers(tiers) }).toThrow(ConfigError)
    expect(() => { assertTiers(tiers) }).toThrow(problem)
  })
})

test('whoever has no tier that is known here is limited as one without a key', () => {
  const tiers = readTiers()
  expect(tierOf(tiers, 'ag_1', 't2')[0]).toBe('t2')
  for (const [agent, tier] of [['ag_1', 'gone'], ['ag_1', '__proto__'], [null, 't2']] as const) {
    expect(tierOf(tiers, agent, tier)).toEqual(['keyless', tiers['keyless']])
  }
})
