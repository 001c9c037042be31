import { Cluster, Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { runMany } from './slots.ts'
import { isAway } from './verdict.ts'

const NOBODY = 'redis://127.0.0.1:1'
const errorOf = (call: Promise<unknown>): Promise<unknown> => call.then(
  () => 'an answer', (error: unknown) => error)

test('a Redis that cannot be reached is away, by whatever words', { timeout: 30_000 }, async () => {
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0 }
  const clients = [new Redis(NOBODY, options), new Cluster([NOBODY], { enableOfflineQueue: false })]
  for (const client of clients) {
    client.on('error', () => undefined)
    expect(isAway(await errorOf(client.get('key')))).toBe(true)
    expect(isAway(await errorOf(runMany(client, [['get', 'key']])))).toBe(true)
    client.disconnect()
    expect(isAway(await errorOf(client.get('key')))).toBe(true)
  }
})

test.each(['LOADING', 'OOM', 'CLUSTERDOWN', 'READONLY', 'MISCONF'])('%s: it is away', (word) => {
  const error = Object.assign(new Error(`${word} of some kind`), { name: 'ReplyError' })
  expect(isAway(error)).toBe(true)
})

test('a defect of ours is none of it', () => {
  const reply = Object.assign(new Error('WRONGTYPE of key'), { name: 'ReplyError' })
  for (const error of [reply, new TypeError('x is not a function'), 'text', undefined]) {
    expect(isAway(error)).toBe(false)
  }
})
