import { randomUUID } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import type { ApiKeys } from '../accounts/api-keys.ts'
import { Refusal } from '../contract/errors.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import type { Services } from '../services.ts'
import { createGate } from './gate.ts'
import { createLimits } from '../limits/limits.ts'

const log = createLogger('silent')
const counters = openRedis(inject('redis').countersUrl, log)
await untilReady(counters, 'counters')
afterAll(() => counters.disconnect())

const GOOD = `ak_${'g'.repeat(32)}`
const OTHER = `ak_${'h'.repeat(32)}`
const BURST = 20

/** A gate over the real limits, and the keys that it looked up. */
function openGate() {
  const lookups: string[] = []
  const agents = new Map([GOOD, OTHER].map((key) =>
    [key, { agent: `ag_${randomUUID()}`, account: 'ac_1', tier: 't1' }]))
  const good = new Set<string>()
  const apiKeys = {
    lookup(key: string) {
      lookups.push(key)
      if (agents.has(key)) good.add(key)
      else good.delete(key)
      return Promise.resolve(agents.get(key))
    },
    wasValid: (key: string) => good.has(key),
  } as unknown as ApiKeys
  const gate = createGate({ apiKeys, log } as unknown as Services, createLimits(counters))
  const admit = async (apiKey: string | undefined, address: string) =>
    await gate.admit({ authorization: undefined, apiKey, client: { address } })
  return { admit, lookups, revoke: (key: string) => { agents.delete(key) } }
}

/** An IPv6 network of its own, written by host. */
const network = () => {
  const [a, b] = randomUUID().split('-')
  return (host: number) => `2001:db8:${a?.slice(0, 4)}:${b}::${host.toString(16)}`
}
const wrong = () => `ak_${randomUUID().replaceAll('-', '')}`

test('a flood of wrong keys is 429 by its own policy, and loads the ledger no more', async () => {
  const { admit, lookups } = openGate()
  const at = network()
  let unauthorized = 0
  for (let n = 0; n < 60; n += 1) {
    const { refusal, headers, caller } = await admit(wrong(), at(n))
    expect(caller.agent).toBeNull()
    const named = Object.fromEntries(headers)
    expect(named['RateLimit-Policy']).toBe('"auth";q=20;w=20')
    const isWrong = refusal?.error === 'key_invalid'
    const limited = { error: 'rate_limited', detail: { policy: 'auth' } }
    unauthorized += isWrong ? 1 : 0
    expect(refusal).toMatchObject(isWrong ? { error: 'key_invalid' } : limited)
    expect(named['RateLimit']).toMatch(isWrong ? /^"auth";r=\d+;t=\d+$/ : /^"auth";r=0;t=1$/)
    expect(isWrong || named['Retry-After'] === '1').toBe(true)
  }
  expect(unauthorized).toBeGreaterThanOrEqual(BURST)
  expect(unauthorized).toBeLessThan(30)
  expect(lookups.length).toBeLessThan(40)
})

test('it costs neither callers without a key nor agents of other networks anything', async () => {
  const { admit } = openGate()
  const at = network()
  for (let n = 0; n < 40; n += 1) await admit(wrong(), at(1))
  const keyless = await admit(undefined, at(1))
  expect(keyless.refusal).toBeUndefined()
  expect(Object.fromEntries(keyless.headers)['RateLimit']).toBe('"default";r=9;t=1')
  const neighbour = await admit(wrong(), network()(1))
  expect(neighbour.refusal?.error).toBe('key_invalid')
})

test('a key that was good here is served from the address of a flood', async () => {
  const { admit } = openGate()
  const at = network()
  expect((await admit(GOOD, at(1))).refusal).toBeUndefined()
  for (let n = 0; n < 40; n += 1) await admit(wrong(), at(2))
  const { refusal, caller } = await admit(GOOD, at(3))
  expect(refusal).toBeUndefined()
  expect(caller.agent).toMatch(/^ag_/)
})

test('a good key that the node has not seen gets through a flood soon', async () => {
  const { admit } = openGate()
  const at = network()
  for (let n = 0; n < 40; n += 1) await admit(wrong(), at(2))
  await expect.poll(async () => (await admit(OTHER, at(3))).refusal)
    .toBeUndefined()
})

test('a key that was revoked is wrong again', async () => {
  const { admit, revoke } = openGate()
  const at = network()
  await admit(GOOD, at(1))
  for (let n = 0; n < 40; n += 1) await admit(wrong(), at(2))
  revoke(GOOD)
  expect((await admit(GOOD, at(1))).refusal).toBeDefined()
  expect((await admit(GOOD, at(1))).refusal?.error).toBe('rate_limited')
})

test('two different keys at once are as wrong as a wrong one, and are limited, too', async () => {
  const gate = createGate({
    apiKeys: { wasValid: () => false }, log,
  } as unknown as Services, createLimits(counters))
  const address = network()(1)
  const errors = []
  for (let n = 0; n < 40; n += 1) {
    const { refusal } = await gate.admit({
      authorization: `Bearer ${GOOD}`, apiKey: OTHER, client: { address },
    })
    errors.push(refusal?.error)
  }
  expect(new Set(errors)).toEqual(new Set(['key_invalid', 'rate_limited']))
})

test('that the ledger is down counts against nobody, and the answer has its headers', async () => {
  const apiKeys = {
    lookup: () => Promise.reject(new Refusal('unavailable')), wasValid: () => false,
  }
  const gate = createGate({ apiKeys, log } as unknown as Services, createLimits(counters))
  const address = network()(1)
  for (let n = 0; n < 40; n += 1) {
    const { refusal, headers } =
      await gate.admit({ authorization: `Bearer ${GOOD}`, apiKey: undefined, client: { address } })
    expect(refusal?.error).toBe('unavailable')
    expect(headers.map(([name]) => name)).toEqual(['RateLimit-Policy', 'RateLimit'])
  }
})
