import { randomUUID } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { nowMs } from '../clock.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { Counters } from '../redis/counters.ts'
import { createCallBudget } from './call-budget.ts'

const log = createLogger('silent')
const client = openRedis(inject('redis').countersUrl, log)
await untilReady(client, 'counters')
afterAll(() => client.disconnect())

const SHAPE = { rate_per_s: 1, burst: 5 }
const node = (source: string, counters = new Counters(client, log)) =>
  createCallBudget({ counters, source, shape: SHAPE, clock: { now: nowMs } })

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

test('what one node heard of a limit every node keeps to, for the longest time named', async () => {
  const source = randomUUID()
  const [first, second, third] = [node(source), node(source), node(source)]
  await Promise.all([first.limited(60_000), second.limited(30_000)])
  for (const one of [first, second, third]) {
    const wait = await one.take()
    expect(wait).toBeGreaterThan(50_000)
    expect(wait).toBeLessThanOrEqual(60_000)
  }
})

test('without counters a node keeps to the rate and to limits by itself', async () => {
  const gone = openRedis('redis://127.0.0.1:1', log)
  const alone = node(randomUUID(), new Counters(gone, log))
  for (let n = 0; n < 5; n += 1) expect(await alone.take()).toBe(0)
  expect(await alone.take()).toBeGreaterThan(0)
  await alone.limited(10_000)
  expect(await alone.take()).toBeGreaterThan(9000)
  gone.disconnect()
})
