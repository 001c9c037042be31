import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cacheDir } from '../../config.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { provisionRedis } from './provision.ts'
import { ask, startOnFreePort, stopServer, type RunningServer } from './server.ts'

const KEYS = 100
const VALUE_BYTES = 4096
const PASSWORD = 'one-test-only'
/** How far it is becomes visible after so many bytes. */
const VISIBLE = 'loading-process-events-interval-bytes 1024'

let directory: string
let server: RunningServer | undefined

beforeEach(async () => { directory = await mkdtemp(join(tmpdir(), 'agentmall-server-')) })
afterEach(async () => {
  if (server) await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
  server = undefined
  await rm(directory, { recursive: true, force: true })
})

async function start(settings: string, readyWithinMs = PATIENCE_MS): Promise<RunningServer> {
  const { server: program } = await provisionRedis({ cacheDir: cacheDir() })
  return server = await startOnFreePort({
    program, directory, password: PASSWORD, readyWithinMs, settings: `appendonly no\n${settings}`,
  })
}

async function leaveData(): Promise<void> {
  const first = await start('')
  await ask(first, async (redis) => {
    for (let key = 0; key < KEYS; key += 1) await redis.set(`key-${key}`, 'x'.repeat(VALUE_BYTES))
  }, PATIENCE_MS)
  await stopServer(first, ['SHUTDOWN', 'SAVE'])
  server = undefined
}

describe('a server with much to load', () => {
  test('is waited for as long as it goes on loading', async () => {
    await leaveData()
    const withinMs = 1000
    // Four times as long in all as it may stand still.
    const microseconds = withinMs * 1000 * 4 / KEYS
    const again = await start(`${VISIBLE}\nkey-load-delay ${microseconds}`, withinMs)
    expect(await ask(again, (redis) => redis.dbsize())).toBe(KEYS)
  })

  test('that stands still is late', async () => {
    await leaveData()
    await expect(start(`${VISIBLE}\nkey-load-delay 60000000`, 1000))
      .rejects.toThrow('it was not ready after 1000 ms')
  })
})
