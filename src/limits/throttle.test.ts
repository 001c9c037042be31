import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { createThrottle } from './throttle.ts'

const log = createLogger('silent')
const counters = openRedis(inject('redis').countersUrl, log)
await untilReady(counters, 'counters')
afterAll(() => counters.disconnect())
const [node, other] = [createThrottle(counters, log), createThrottle(counters, log)]
const newAddress = (): string => [10, ...randomBytes(3)].join('.')

const tries = async (count: number, address: () => string, subject: () => string) =>
  await Promise.all(Array.from({ length: count }, async (_, index) =>
    await (index % 2 ? node : other).take('sign-in', address(), subject())
      .then(() => undefined, (error: Refusal) => error)))

test('an account is tried ten times and no more, from however many addresses and nodes',
  async () => {
    const subject = randomUUID()
    const refused = (await tries(30, newAddress, () => subject)).filter((one) => one !== undefined)
    expect(refused).toHaveLength(20)
    for (const { error, detail } of refused) {
      expect([error, detail['policy']]).toEqual(['rate_limited', 'sign-in-subject'])
      expect(detail.retry_after_s).toBeGreaterThan(0)
      expect(detail.retry_after_s).toBeLessThanOrEqual(50)
    }
  })

test('an address tries twenty times, and what it is refused costs no account anything',
  async () => {
    const [address, subject] = [newAddress(), randomUUID()]
    const before = await tries(20, () => address, randomUUID)
    expect(before.filter(Boolean)).toEqual([])
    const refused = await tries(40, () => address, () => subject)
    expect(new Set(refused.map((one) => one?.detail['policy']))).toEqual(
      new Set(['sign-in-address']))
    const elsewhere = await tries(10, newAddress, () => subject)
    expect(elsewhere.filter(Boolean)).toEqual([])
  })

test('one purpose does not use up another', async () => {
  const [address, subject] = [newAddress(), randomUUID()]
  await tries(30, () => address, () => subject)
  await expect(node.take('binding', address, subject)).resolves.toBeUndefined()
})
