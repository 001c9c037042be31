/** A flood of refused calls is answered late; who is granted, and who is refused seldom, is not. */
import { describe, expect, test } from 'vitest'
import type { Caller } from '../contract/caller.ts'
import type { Services } from '../services.ts'
import { fakeMonotonicClock } from '../testing/fake-clock.ts'
import { startListener } from '../testing/listener.ts'
import { openRaw, request } from '../testing/raw.ts'
import { createAnswers } from './headers.ts'
import { createGate } from '../gate/gate.ts'
import { RefusalPace } from './address-bucket.ts'
import { readTiers } from './tiers.ts'

const isLate = (wait: unknown): boolean => wait instanceof Promise
const NEVER = { rate_per_s: 0.001, burst: 3 }

test('an address is refused at once a few times, then late; others have their own', async () => {
  const pace = new RefusalPace(NEVER)
  const waits = [1, 2, 3, 4].map(() => pace.wait('192.0.2.1'))
  expect(waits.map(isLate)).toEqual([false, false, false, true])
  expect(isLate(pace.wait('192.0.2.2'))).toBe(false)
  // One /64 is one client.
  const site = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4']
  expect(site.map((address) => isLate(pace.wait(address)))).toEqual([false, false, false, true])
  await Promise.all(waits)
})

test('so many wait at a time and no more: on top of them it answers at once', async () => {
  const pace = new RefusalPace({ rate_per_s: 0.001, burst: 1 })
  const waits = Array.from({ length: 5000 }, () => pace.wait('192.0.2.1'))
  expect(waits.filter(isLate)).toHaveLength(4096)
  await Promise.all(waits)
  expect(isLate(pace.wait('192.0.2.1'))).toBe(true)
})

describe('the gate', () => {
  const refused = createAnswers({ name: 'default', limit: 1, window_s: 1 }).refused(1000)
  const granted = createAnswers({ name: 'default', limit: 1, window_s: 1 }).granted(1)
  function gateFor(tier: string, admission = refused) {
    const agent: Omit<Caller, 'client'> = { agent: 'ag_1', account: 'ac_1', tier }
    const services = { apiKeys: { lookup: () => agent, wasValid: () => true } }
    const gate = createGate(services as unknown as Services,
      { tiers: readTiers(), admit: () => admission } as never)
    return () => gate.admit({
      authorization: undefined, apiKey: `ak_${'x'.repeat(32)}`, client: { address: '192.0.2.1' },
    })
  }
  const lateOf = async (admit: () => unknown, times: number): Promise<number> => {
    const admissions = Array.from({ length: times }, admit)
    await Promise.all(admissions)
    return admissions.filter(isLate).length
  }

  test.each(['trial', 't1', 'keyless'])('is late to refuse a flood of tier %s', async (tier) => {
    // A slow machine's time would bring tokens back meanwhile.
    fakeMonotonicClock()
    expect(await lateOf(gateFor(tier), 100)).toBe(60)
  })

  test('never is for a tier that was granted by name', async () => {
    expect(await lateOf(gateFor('t2'), 100)).toBe(0)
  })

  test('lets in at once who is granted, whatever the address was refused', async () => {
    const flood = gateFor('trial')
    Array.from({ length: 100 }, flood)
    expect(await lateOf(gateFor('trial', granted), 100)).toBe(0)
  })
})

test('a pipeline of refused pages is cut off when the first of them is late', async () => {
  const { port, inFlight } = await startListener(
    { 'GET /docs': () => ({ status: 200, body: 'docs' }) },
    { pages: { rate_per_s: 1, burst: 5 }, trustedProxies: [] })
  const client = await openRaw(port)
  fakeMonotonicClock()
  await client.write(request('GET /docs').repeat(250))
  await expect.poll(() => client.isClosed).toBe(true)
  expect(client.rest.match(/HTTP\/1.1 200/g)).toHaveLength(5)
  expect(client.rest.match(/HTTP\/1.1 429/g)).toHaveLength(40)
  await expect.poll(inFlight).toBe(0)
})
