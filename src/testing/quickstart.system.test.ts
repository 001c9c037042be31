/** Every sample of docs/quickstart.md and the README's first order, run as a reader would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { cacheDir } from '../config.ts'
import { createLogger } from '../log.ts'
import { hostsOf } from '../plugin/hosts.ts'
import { startEmbeddedRedis } from '../dev/redis/embedded.ts'
import { urlsOf } from '../redis/roles.ts'
import { freePort } from '../dev/redis/server.ts'
import { fillStores } from './goods.ts'
import { startTestMalls } from './malls.ts'
import { startTestNode } from './node.ts'
import { PATIENCE_MS } from './patience.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The address of the documents, which the running node's takes the place of. */
const WRITTEN = 'http://localhost:8080'
const RUN_MS_MAX = 2 * PATIENCE_MS
const ITEMS = 2400

interface Sample {
  readonly language: string
  readonly text: string
}

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const malls = await startTestMalls()
const log = createLogger('warn')
const dataDir = mkdtempSync(join(tmpdir(), 'agentmall-quickstart-redis-'))
const redis = await startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log })
await fillStores(urlsOf(redis), ITEMS)
// Patient with the platforms: what is slow here is a shared machine. Parcels are quick, and leave
// the time for a return that a reader has.
const node = await startTestNode({
  port, publicUrl: url, fanOutMs: 8000, redis: urlsOf(redis),
  sandboxStepMs: 100, sandboxCompleteMs: 600_000,
}, undefined, malls.settings)
afterAll(async () => {
  await node.stop()
  await malls.close()
  await redis.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const samplesOf = (file: string): Sample[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .map(([, language = '', text = '']) => ({ language, text: text.trimEnd() }))
const quickstart = samplesOf('docs/quickstart.md')
const of = (language: string): Sample[] =>
  quickstart.filter((sample) => sample.language === language)
const here = (text: string): string => text.replaceAll(WRITTEN, url)

/** Runs a program that reads its source from standard input; what it printed. */
async function run(command: readonly string[], source: string, cwd: string): Promise<string> {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd, env: { ...process.env, AGENTMALL_API_KEY: await node.newKey('t1'), PYTHONUTF8: '1' },
    signal: AbortSignal.timeout(RUN_MS_MAX),
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => { text += chunk })
  }
  child.stdin.end(source)
  const [status] = await once(child, 'close') as [number | null]
  expect(status, `${source}\n---\n${text}`).toBe(0)
  return text
}

const shell = (source: string, cwd: string): Promise<string> =>
  run(['bash', '-euo', 'pipefail'], source, cwd)

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'agentmall-quickstart-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

describe('docs/quickstart.md', () => {
  test('the shell: a trial key, an order that is paid and arrives, the plugin', async () => {
    const receiver = String(await freePort())
    const printed = await shell(of('sh').map(({ text }) =>
      here(text).replaceAll(/(localhost:|listen\()3000/g, `$1${receiver}`)).join('\n'), folder())
    expect(printed).toMatch(/^ak_trial_\w{32}$/m)
    expect(printed).toMatch(/^AM\w{18} http:\/\/127\.0\.0\.1:\d+\/pay\/AM/m)
    expect(printed).toMatch(/^true\npaid: 200$/m)
    expect(printed).toMatch(/^(delivered|completed)$/m)
    expect(printed).toMatch(/^快件已签收$/m)
    expect(printed).toMatch(/^Keep the goods and their packing/m)
    // A busy machine may read it only after the sandbox's bank has paid.
    expect(printed).toMatch(/goes back the way it was paid|has arrived where it was paid from/)
    expect(printed).toMatch(/^SX\d{12}$/m)
    expect(printed).toMatch(/^whsec_[\w+/=]{44}$/m)
    expect(printed).toMatch(/^told of order\.created AM\w{18}$/m)
    expect(printed).toContain('name: agentmall-shopping')
  }, 2 * RUN_MS_MAX)

  test('JavaScript, with the official SDK: an order, once', async () => {
    const [sample, ...others] = of('js')
    expect(others).toEqual([])
    const printed = await run(
      [process.execPath, '--input-type=module'], here(sample?.text ?? ''), ROOT)
    expect(printed).toMatch(/AM\w{18} \d+ fen, to be paid at http/)
    expect(printed).toContain('sent again: duplicate true')
    expect(printed).toContain('pending_payment')
  })

  test('Python, with its standard library: a ranked search', async () => {
    const [sample, ...others] = of('python')
    expect(others).toEqual([])
    const printed = await run(['python3', '-'], here(sample?.text ?? ''), folder())
    expect(printed.trim().split('\n')).toHaveLength(3)
    expect(printed).toMatch(/^\d+\.\d+ \d+(\.\d+)? \S+/)
  })

  test('what is pasted into a host is what the service gives out', () => {
    const given = hostsOf(`${WRITTEN}/mcp`).map(({ text }) => text)
    const pasted = [...of('json'), ...of('toml')].map(({ text }) => text)
    expect(pasted).toHaveLength(2)
    expect(pasted.filter((text) => !given.includes(text))).toEqual([])
  })

  test('nothing is left out: every other block only calls somebody else\'s program', () => {
    const others = quickstart
      .filter(({ language }) => !['sh', 'js', 'python', 'json', 'toml'].includes(language))
    expect(others.map(({ language }) => language)).toEqual(['console'])
    for (const line of others.flatMap(({ text }) => text.split('\n'))) {
      expect(line).toMatch(/^(claude|gemini) /)
    }
  })
})

test('README.md: its first order', async () => {
  const samples = samplesOf('README.md')
    .filter(({ language, text }) => language === 'sh' && text.includes(WRITTEN))
  expect(samples.length).toBeGreaterThan(0)
  // The key that `npm start` keeps is there for whoever started it.
  const source = here(samples.map(({ text }) => text).join('\n'))
    .replace('$(cat .data/sandbox-key)', '$AGENTMALL_API_KEY')
  expect(await shell(source, folder())).toMatch(/"pay_url":"http/)
})
