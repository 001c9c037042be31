import { Cluster, Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { runMany } from './send.ts'
import { isUnanswered, isUnavailable } from './command-errors.ts'

const NOBODY = 'redis://127.0.0.1:1'
const errorOf = (call: Promise<unknown>): Promise<unknown> => call.then(
  () => 'an answer', (error: unknown) => error)

const reply = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' })

test('a Redis that cannot be reached is down, by whatever words', async () => {
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0 }
  const clients = [new Redis(NOBODY, options), new Cluster([NOBODY], { enableOfflineQueue: false })]
  for (const client of clients) {
    client.on('error', () => undefined)
    expect(isUnavailable(await errorOf(client.get('key')))).toBe(true)
    expect(isUnavailable(await errorOf(runMany(client, [['get', 'key']])))).toBe(true)
    client.disconnect()
    expect(isUnavailable(await errorOf(client.get('key')))).toBe(true)
  }
})

test.each(['LOADING', 'OOM', 'CLUSTERDOWN', 'READONLY', 'MISCONF'])('%s: it is away', (word) => {
  expect(isUnavailable(reply(`${word} of some kind`))).toBe(true)
})

test('a defect of ours is none of it', () => {
  const defect = new TypeError('x is not a function')
  for (const error of [reply('WRONGTYPE of key'), defect, 'text', undefined]) {
    expect(isUnavailable(error)).toBe(false)
  }
})

test('a moment later a call may succeed that had no answer, and none that was refused', () => {
  for (const message of ['Command timed out', 'Connection is closed.', 'LOADING its data']) {
    expect(isUnanswered(new Error(message)) || isUnanswered(reply(message)), message).toBe(true)
  }
  const taken = Object.assign(new Error('listen EADDRINUSE'), { syscall: 'listen' })
  for (const error of [reply('OOM of memory'), reply('NOAUTH'), taken, new TypeError('x')]) {
    expect(isUnanswered(error), error.message).toBe(false)
  }
})
