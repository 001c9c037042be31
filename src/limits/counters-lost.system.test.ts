/** What is limited how while a Redis does not answer: hung, so that every question is a wait. */
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { monotonicMs } from '../contract/time.ts'
import { createLogger, type Logger } from '../log.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { createDurable } from '../redis/durable.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import { createLimits, readTiers, type RateLimitResult, type Limits } from './limits.ts'
import { createQuota } from './quota.ts'

const log = createLogger('silent')
/** The client's own deadline for a command. */
const WAIT_MS = 1500
/** As long as ten of them take one after the other at least, on any machine: nothing here may. */
const TEN_WAITS_MS = 10 * WAIT_MS
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function openOwn(): Promise<{ server: OwnLedger, client: RedisClient }> {
  const server = await startLedger()
  const client = openRedis(server.url, log)
  closing.push(() => server.stop(), () => client.disconnect())
  await untilReady(client, 'own')
  return { server, client }
}

const caller = (tier: string) =>
  ({ agent: `ag_${randomUUID()}`, account: 'ac_1', tier, client: { address: '192.0.2.1' } })

/** The commands that it is asked from now on, but for those that ask whether it is back. */
function questionsOf(client: RedisClient): () => string[] {
  const sent = vi.spyOn(client, 'sendCommand')
  closing.push(() => sent.mockRestore())
  return () => sent.mock.calls.map(([{ name }]) => name).filter((name) => name !== 'ping')
}

async function admitAll(limits: Limits, calls: number, one: ReturnType<typeof caller>) {
  const startedMs = monotonicMs()
  const answers: RateLimitResult[] = await Promise.all(
    Array.from({ length: calls }, () => limits.admit(one)))
  return {
    granted: answers.filter(({ refusal }) => !refusal).length,
    headers: answers.map(({ headers }) => headers[0]?.[1]),
    ms: monotonicMs() - startedMs,
  }
}

describe.each(['t1', 't2'])('with counters hung, tier %s', (tier) => {
  const { burst } = readTiers()[tier] as { burst: number }

  test('is limited by the node itself after one wait, by the bucket once it is back', async () => {
    const { server, client } = await openOwn()
    const warnings: unknown[] = []
    const loud = { warn: (fact: unknown) => { warnings.push(fact) } } as unknown as Logger
    const limits = createLimits(client, readTiers(), loud)
    const one = caller(tier)
    await limits.admit(one)
    process.kill(server.server.pid, 'SIGSTOP')

    const first = await admitAll(limits, 10, one)
    expect(first.granted).toBe(10)
    expect(first.ms).toBeLessThan(TEN_WAITS_MS)
    const questions = questionsOf(client)
    for (let n = 0; n < 5; n += 1) await admitAll(limits, 1, caller(tier))
    expect(questions()).toEqual([])
    const next = await admitAll(limits, 3 * burst, one)
    expect(next.granted).toBeGreaterThan(0)
    expect(next.granted).toBeLessThanOrEqual(2 * burst)
    expect(new Set(next.headers)).toEqual(new Set([`"default";q=${burst};w=2`]))
    expect(warnings.length).toBe(1)

    process.kill(server.server.pid, 'SIGCONT')
    const other = caller(tier)
    await expect.poll(async () => {
      await limits.admit(other)
      return await client.keys(`*${other.agent}`).catch(() => [])
    }).toHaveLength(1)
  })
})

test('with counters gone the next call is limited at once', async () => {
  const gone = openRedis('redis://127.0.0.1:1', log)
  closing.push(() => gone.disconnect())
  const limits = createLimits(gone)
  const questions = questionsOf(gone)
  for (const [tier, burst] of [['t1', 40], ['t2', 4000]] as const) {
    const { granted } = await admitAll(limits, burst + 20, caller(tier))
    expect(granted).toBe(burst)
  }
  const takes = await Promise.all(Array.from({ length: 5 }, () =>
    limits.takeDaily('trial-keys', '192.0.2.9', 3)))
  expect(questions()).toEqual([])
  expect(takes.filter((refusal) => refusal === undefined).length).toBe(3)
})

describe('with the ledger away', () => {
  async function openQuota() {
    const { server, client } = await openOwn()
    const durable = createDurable({ client, replicas: 0, log })
    const quota = createQuota({ durable, tiers: readTiers(), log })
    closing.push(() => durable.close(), () => quota.close())
    return { quota, server }
  }

  test('hung, no affiliate call is made: unavailable, in time', async () => {
    const { quota, server } = await openQuota()
    const one = caller('t1')
    await quota.take(one, 'mall_a')
    process.kill(server.server.pid, 'SIGSTOP')
    const startedMs = monotonicMs()
    const takes = await Promise.allSettled(Array.from({ length: 50 }, () =>
      quota.take(one, 'mall_a')))
    expect(monotonicMs() - startedMs).toBeLessThan(TEN_WAITS_MS)
    for (const take of takes) {
      expect(take).toMatchObject({ status: 'rejected', reason: { error: 'unavailable' } })
    }
    process.kill(server.server.pid, 'SIGCONT')
  })

  test('back again, the quota goes on where it was', async () => {
    const { quota, server } = await openQuota()
    const one = caller('t1')
    await quota.take(one, 'mall_a')
    process.kill(server.server.pid, 'SIGSTOP')
    await expect(quota.take(one, 'mall_a')).rejects.toMatchObject({ error: 'unavailable' })
    process.kill(server.server.pid, 'SIGCONT')
    await expect.poll(() => quota.take(one, 'mall_a').then(() => 'taken', () => 'refused'))
      .toBe('taken')
    expect(quota.standing(one)?.remaining).toBeLessThanOrEqual(20_000 - 2)
  })
})
