/** `npm run demo` as a person runs it: with no node there it starts one, shops, and stops it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../dev/redis/server.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const DEMO_MS_MAX = 900_000

async function demo(...options: string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'agentmall-demo-'))
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...options], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()) },
  })
  onTestFinished(() => {
    child.kill()
    rmSync(dataDir, { recursive: true, force: true })
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => { text += chunk })
  }
  const [status] = await once(child, 'close') as [number | null]
  return { status, text }
}

test('it shops from a wish to the refund, on a node of its own', async () => {
  const { status, text } = await demo('--fast')
  expect(status, text).toBe(0)
  const story = [
    'starting one of the demo\'s own', 'ak_trial_', '20 tools', 'at most ¥200.00; without 塑料',
    'cheapest', 'freight = ', 'pending_payment', 'duplicate: true', 'idempotency_mismatch',
    '/pay/AM', 'merchant_accepted', 'shipped', 'delivered', 'after-sale  requested', 'are back',
    'pending +', 'pending -', 'is stopped',
  ]
  const places = story.map((words) => text.indexOf(words))
  expect(story.filter((_, at) => places[at] === -1), text).toEqual([])
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  // No colours where nobody looks at a terminal, and no key that works afterwards.
  expect(text).not.toContain('\u001b')
  expect(text).not.toMatch(/ak_trial_\w{20}/)
}, DEMO_MS_MAX)

test('an address where no node answers is said in one sentence', async () => {
  const { status, text } = await demo('--url', 'http://127.0.0.1:1')
  expect(status).toBe(1)
  expect(text.trim()).toBe('No node that is ready answers at http://127.0.0.1:1.')
})
