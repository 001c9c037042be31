import { randomUUID } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { SourceError } from '../../adapters/index.ts'
import { Refusal } from '../contract/errors.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { Counters } from '../redis/counters.ts'
import { createSharedAnswers } from './shared-answers.ts'

const log = createLogger('silent')
const client = openRedis(inject('redis').countersUrl, log)
await untilReady(client, 'counters')
afterAll(() => client.disconnect())

/** What one node has: its memory is its own, counters are shared. */
const node = () => createSharedAnswers({ counters: new Counters(client, log), ttlMs: 60_000 })
const question = () => ({ q: randomUUID() })

/** A platform that answers when the test lets it. */
function platform() {
  let calls = 0
  let open!: (value: { calls: number }) => void
  let fail!: (error: Error) => void
  const answer = new Promise<{ calls: number }>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return {
    ask: () => {
      calls += 1
      return answer
    },
    answer: () => open({ calls }),
    fail,
    calls: () => calls,
  }
}

test('a flood of equal questions on three nodes is one call, and all get its answer', async () => {
  const [nodes, asked, mall] = [[node(), node(), node()], question(), platform()]
  const answers = Array.from({ length: 60 }, (_, n) =>
    nodes[n % 3]?.get('mall_b', 't1', asked, 5000, mall.ask))
  await expect.poll(mall.calls).toBe(1)
  mall.answer()
  expect(await Promise.all(answers)).toEqual(answers.map(() => ({ calls: 1 })))
  expect(mall.calls()).toBe(1)
  expect(await node().get('mall_b', 't1', asked, 5000, mall.ask)).toEqual({ calls: 1 })
})

test('another question, or another source, is asked by itself', async () => {
  const [shared, asked] = [node(), question()]
  const ask = (answer: string) => () => Promise.resolve(answer)
  expect(await shared.get('mall_b', 't1', asked, 1000, ask('b'))).toBe('b')
  expect(await shared.get('mall_c', 't1', asked, 1000, ask('c'))).toBe('c')
  expect(await shared.get('mall_b', 't1', question(), 1000, ask('d'))).toBe('d')
  expect(await shared.get('mall_b', 't1', asked, 1000, ask('e'))).toBe('b')
})

test('a failure reaches all who waited and is not kept', async () => {
  const [shared, asked, mall] = [node(), question(), platform()]
  const waiting = [1, 2, 3].map(() => shared.get('mall_b', 't1', asked, 1000, mall.ask))
  await expect.poll(mall.calls).toBe(1)
  mall.fail(new SourceError('mall_b', 'retryable'))
  for (const one of waiting) await expect(one).rejects.toMatchObject({ kind: 'retryable' })
  expect(await shared.get('mall_b', 't1', asked, 1000, () => Promise.resolve('well'))).toBe('well')
})

test('that one caller\'s quota is used up is not told to another', async () => {
  const [shared, asked] = [node(), question()]
  const refused = shared.get('mall_b', 't1', asked, 1000, () =>
    Promise.reject(new Refusal('quota_exhausted')))
  const other = shared.get('mall_b', 't1', asked, 1000, () => Promise.resolve('answer'))
  await expect(refused).rejects.toMatchObject({ error: 'quota_exhausted' })
  expect(await other).toBe('answer')
})

test('who waits for another node\'s call waits no longer than its own deadline', async () => {
  const [asked, mall] = [question(), platform()]
  const first = node().get('mall_b', 't1', asked, 5000, mall.ask)
  await expect.poll(mall.calls).toBe(1)
  await expect(node().get('mall_b', 't1', asked, 60, mall.ask))
    .rejects.toMatchObject({ kind: 'timeout' })
  expect(mall.calls()).toBe(1)
  mall.answer()
  await first
})

test('a paid caller does not wait for a free one whose call may be refused', async () => {
  const [shared, asked, mall] = [node(), question(), platform()]
  const free = shared.get('mall_b', 'trial', asked, 5000, mall.ask)
  await expect.poll(mall.calls).toBe(1)
  for (const one of [shared, node()]) {
    expect(await one.get('mall_b', 't2', asked, 5000, () => Promise.resolve('paid'))).toBe('paid')
  }
  mall.fail(new SourceError('mall_b', 'rate_limited'))
  await expect(free).rejects.toMatchObject({ kind: 'rate_limited' })
})

test('without counters each node asks by itself', async () => {
  const gone = openRedis('redis://127.0.0.1:1', log)
  const alone = createSharedAnswers({ counters: new Counters(gone, log) })
  expect(await alone.get('mall_b', 't1', question(), 1000, () => Promise.resolve(1))).toBe(1)
  gone.disconnect()
})
