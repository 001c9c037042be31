/** What goes wrong in a known way is said in one sentence, and the exit code is 1. */
import { afterAll, describe, expect, test } from 'vitest'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { sentenceOf } from './failure.ts'
import { freePort } from './dev/redis/server.ts'
import { install } from './testing/service.ts'

const place = await install()
const other = await install()
afterAll(async () => {
  await other.remove()
  await place.remove()
})

/** What it said to standard error, when that was one line. */
async function sentence(settings: Record<string, string>): Promise<string> {
  const run = place.run({ PORT: String(await freePort()), ...settings })
  expect(await run.ended()).toBe(1)
  expect(run.out().split('\n').filter((line) => line.includes('"level"')).length)
    .toBeLessThanOrEqual(1)
  expect(run.err()).toMatch(/^[^\n]+\.\n$/)
  return run.err()
}

describe('a start', () => {
  test('with data that another service uses', async () => {
    await place.run().says(/agentmall is ready/)
    expect(await sentence({})).toMatch(/is in use by another agentmall \(process \d+\): stop/)
  })

  test('with a Redis that is not there', async () => {
    const address = `127.0.0.1:${await freePort()}`
    const said = await sentence({
      REDIS_URL: `redis://shop:a-password@${address}`, SECRET: 's'.repeat(32),
    })
    expect(said).toContain(`Redis at ${address} (from REDIS_URL) does not answer, connect ECONNREF`)
    expect(said).toContain('start it, or correct REDIS_URL.')
    expect(said).not.toContain('a-password')
  })

  test('without a Redis of its own and without what fetches one', async () => {
    const run = other.run({
      PATH: '/nonexistent', XDG_CACHE_HOME: await mkdtemp(join(tmpdir(), 'agentmall-cache-')),
    })
    expect(await run.ended()).toBe(1)
    expect(run.err()).toMatch(/No Redis with search was found.*python3 is not installed.*\n$/)
    expect(run.err()).not.toMatch(/^\s+at /m)
  })
})

test('a full disk and a foreign folder are the operator\'s to mend, a defect is not', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC', syscall: 'write',
  })
  expect(sentenceOf(full)).toMatch(/^The disk is full: make room there, or set DATA_DIR/)
  expect(sentenceOf(Object.assign(new Error(), { code: 'EACCES', path: '/data' })))
    .toBe('Permission is denied (/data): give this user the right to, or set DATA_DIR to a folder '
      + 'of its own.')
  expect(sentenceOf(new ConfigError('PORT must be a number.'))).toBe('PORT must be a number.')
  expect(sentenceOf(new TypeError('x is not a function'))).toBeUndefined()
})
