import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, vi } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { createDurable, type Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { eventually } from '../testing/eventually.ts'
import { fakeMonotonicClock } from '../testing/fake-clock.ts'
import { testOfDay } from '../testing/over-midnight.ts'
import { batchOf, createQuota, type Quota } from './quota.ts'
import { readTiers, type Tier } from './tiers.ts'

const log = createLogger('silent')
const DAY_S = 86_400
const client = openRedis(inject('redis').ledgerUrl, log)
const reader = openRedis(inject('redis').ledgerUrl, log)
let durable: Durable
beforeAll(async () => {
  await Promise.all([client, reader].map((one) => untilReady(one, 'ledger')))
  durable = createDurable({ client, replicas: 0, log })
})
afterAll(() => {
  durable.close()
  reader.disconnect()
})

const tier = (daily_quota: number): Tier =>
  ({ rate_per_s: 10, burst: 20, daily_quota, per: 'agent' })
const tiers = {
  ...readTiers(), small: tier(30), middle: tier(2000), none: tier(0), less: tier(10),
}
const agentOf = (name = 'middle') => ({
  agent: `ag_${randomUUID()}`, account: 'ac_1', tier: name, client: { address: '192.0.2.1' },
})

function openQuota(): Quota {
  const quota = createQuota({ durable, tiers, log })
  onTestFinished(() => quota.close())
  return quota
}

/** Takes until refused or done; the number granted. */
async function takeAll(nodes: readonly Quota[], calls: number, caller: ReturnType<typeof agentOf>) {
  const answers = await Promise.allSettled(Array.from({ length: calls }, async (_, n) =>
    await nodes[n % nodes.length]?.take(caller, 'mall_a')))
  const refusals = answers.flatMap((answer) =>
    (answer.status === 'rejected' ? [answer.reason as Refusal] : []))
  return { granted: calls - refusals.length, refusals }
}

async function today(): Promise<{ day: number, leftS: number }> {
  const seconds = Number((await reader.time())[0])
  return { day: Math.floor(seconds / DAY_S), leftS: DAY_S - seconds % DAY_S }
}

const usedBy = async (agent: string): Promise<number> =>
  Number(await reader.get(keys.quota(agent, (await today()).day)) ?? 0)

describe('the daily quota', () => {
  testOfDay('is granted to the last unit over three nodes, and not one unit more', async () => {
    const caller = agentOf()
    const nodes = [openQuota(), openQuota(), openQuota()]
    let granted = 0
    await eventually(async () => {
      granted += (await takeAll(nodes, 900, caller)).granted
      expect(granted).toBeGreaterThanOrEqual(2000)
    })
    for (const node of nodes) await node.close()
    expect(granted).toBe(2000)
    expect(await usedBy(caller.agent)).toBe(2000)
  })

  testOfDay('of nodes that crash loses at most a batch each: the rest is granted exactly',
    async () => {
      const caller = agentOf()
      // Their ledger gets no returned calls, as after a crash.
      const cut: Durable = {
        ...durable,
        run: (script, ...operands) => (script.name === 'quota-return'
          ? new Promise(() => {}) : durable.run(script, ...operands)),
      }
      const crashed = [0, 1].map(() => createQuota({ durable: cut, tiers, log }))
      // No time passes for them, so that they give nothing back for having held it too long.
      const clock = fakeMonotonicClock()
      let granted = 0
      for (let n = 0; n < 64; n += 1) granted += (await takeAll(crashed, 2, caller)).granted
      for (const node of crashed) void node.close()
      const held = await usedBy(caller.agent) - granted
      clock.restore()
      const node = openQuota()
      await eventually(async () => {
        granted += (await takeAll([node], 900, caller)).granted
        expect(granted).toBeGreaterThanOrEqual(2000 - held)
      })
      await node.close()
      expect(granted).toBe(2000 - held)
      expect(held).toBeGreaterThan(0)
      expect(held).toBeLessThanOrEqual(2 * batchOf(2000))
    })

  testOfDay('that is used up refuses until midnight, and says which policy it was', async () => {
    const caller = agentOf('small')
    const quota = openQuota()
    const before = await today()
    const { granted, refusals } = await takeAll([quota], 35, caller)
    const after = await today()
    expect(granted).toBe(30)
    expect(refusals.length).toBe(5)
    for (const { error, detail } of refusals) {
      expect(error).toBe('quota_exhausted')
      expect(detail).toMatchObject({
        policy: 'daily', limit: 30, window_s: DAY_S, source: 'mall_a',
      })
      expect(detail.retry_after_s).toBeLessThanOrEqual(before.leftS + 1)
      expect(detail.retry_after_s).toBeGreaterThanOrEqual(after.leftS - 1)
    }
    expect(quota.standing(caller)).toMatchObject({ limit: 30, remaining: 0 })
  })

  testOfDay('gets back what never reached the platform, once for each unit', async () => {
    const caller = agentOf('small')
    const quota = openQuota()
    const units = await Promise.all(Array.from({ length: 30 }, () => quota.take(caller, 'food')))
    await expect(quota.take(caller, 'food')).rejects.toMatchObject({ error: 'quota_exhausted' })
    for (const unit of units.slice(0, 3)) {
      unit.giveBack()
      unit.giveBack()
    }
    await eventually(async () => { expect(await usedBy(caller.agent)).toBe(27) })
    let granted = 0
    await eventually(async () => {
      granted += (await takeAll([quota], 30, caller)).granted
      expect(granted).toBeGreaterThanOrEqual(3)
    })
    expect(granted).toBe(3)
    expect((await takeAll([quota], 30, caller)).granted).toBe(0)
  })

  testOfDay('that a node does not use goes back within a second or so', async () => {
    const caller = agentOf()
    const quota = openQuota()
    await takeAll([quota], 30, caller)
    await takeAll([quota], 1, caller)
    await eventually(async () => { expect(await usedBy(caller.agent)).toBe(31) })
  })

  testOfDay('is taken unit by unit at first, in batches by those who go on', async () => {
    const caller = agentOf()
    const quota = openQuota()
    const run = vi.spyOn(durable, 'run')
    const clock = fakeMonotonicClock()
    await quota.take(caller, 'mall_a')
    expect(await usedBy(caller.agent)).toBe(1)
    for (let n = 0; n < 99; n += 1) {
      clock.forward(10)
      await quota.take(caller, 'mall_a')
    }
    const trips = run.mock.calls.length
    run.mockRestore()
    expect(trips).toBeLessThan(50)
  })

  testOfDay('of another tier is in force with the next call', async () => {
    const caller = agentOf('small')
    const quota = openQuota()
    await takeAll([quota], 12, caller)
    await expect(quota.take({ ...caller, tier: 'less' }, 'food'))
      .rejects.toMatchObject({ error: 'quota_exhausted', detail: { limit: 10 } })
    expect((await takeAll([quota], 5, caller)).granted).toBe(5)
  })

  testOfDay('leaves a key that ends by itself', async () => {
    const caller = agentOf()
    await openQuota().take(caller, 'mall_a')
    const { day, leftS } = await today()
    const ttl = await reader.ttl(keys.quota(caller.agent, day))
    expect(ttl).toBeGreaterThan(leftS)
    expect(ttl).toBeLessThanOrEqual(leftS + DAY_S + 1)
  })

  testOfDay('is nothing without a key, and nothing for a tier without one', async () => {
    const quota = openQuota()
    const nobody = { agent: null, account: null, tier: 'keyless', client: { address: '192.0.2.1' } }
    await expect(quota.take(nobody, 'mall_a')).rejects.toMatchObject({ error: 'key_required' })
    expect(quota.standing(nobody)).toBeUndefined()
    for (const name of ['none', 'unknown']) {
      await expect(quota.take(agentOf(name), 'mall_a'))
        .rejects.toMatchObject({ error: 'quota_exhausted' })
    }
  })
})
