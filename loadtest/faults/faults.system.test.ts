/** The short form of `npm run faults`: every fault that this machine allows, in a few runs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { seededRandom } from './random.ts'
import { chooseFaults, planFaults } from './schedule.ts'
import { faultTable, runLines } from './report.ts'
import { runOnce } from './run.ts'
import { findTools } from './tools.ts'

const SECONDS = 22
/** A bound for hangs: starting, ending and coming to rest take their time on a slow machine. */
const TIMEOUT_MS = 600_000
/** A run that gets a signal prints what it has seen before it ends. */
const ENDING_MS = 120_000
const tools = await findTools()

/** Of each ledger what breaks in one place only, and what the others see of it. */
const RUNS = [
  { kind: 'single', seed: 101, only: ['kill-node', 'kill-redis', 'lost-replies', 'power-loss',
    'full-disk', 'out-of-memory', 'torn-tail', 'clock-jump', 'flush-shelf'] },
  { kind: 'cluster', seed: 102, only: ['kill-redis', 'hang-redis', 'move-slots', 'hang-node',
    'stall-then-kill', 'lag-then-kill'] },
] as const

describe('random agents, while things break', () => {
  test.for(RUNS)('on $kind: nothing lost, doubled or oversold', {
    timeout: TIMEOUT_MS,
  }, async (run) => {
    const { kind, seed, only } = run
    const folder = await mkdtemp(join(tmpdir(), 'agentmall-faults-'))
    const { faults, notRun } = chooseFaults(kind, tools, only)
    for (const { name, why } of notRun) process.stderr.write(`not run: ${name}: ${why}\n`)
    const result = await runOnce({ kind, seed, seconds: SECONDS, nodes: 2, folder, faults, tools })
    expect(result.violations, runLines(result)).toEqual([])
    expect(result.applied.length, 'faults inflicted').toBeGreaterThan(0)
    expect(result.acknowledged, 'orders acknowledged').toBeGreaterThan(0)
    expect(faultTable([result])).toContain(`| ${kind} |`)
    await rm(folder, { recursive: true, force: true })
  })
})

/** In a network of its own, where the run cuts what it likes; elsewhere it says why not. */
test('a master that nodes still reach is cut off: books and lists are right afterwards', {
  timeout: TIMEOUT_MS + ENDING_MS,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import', 'tsx', fileURLToPath(new URL('main.ts', import.meta.url)), '--seeds', '1',
    '--first', '302', '--seconds', String(SECONDS), '--each', '--on', 'cluster',
    '--only', 'split-brain,lag-then-kill',
  ], { timeout: TIMEOUT_MS }).catch((error: Error & { stdout: string, stderr: string }) => {
    process.stderr.write(`${error.stdout}\n${error.stderr}\n`)
    throw new Error(`The fault run failed.\n${error.stdout}\n${error.stderr}`, { cause: error })
  })
  const notRun = /^not run on cluster: .*/m.exec(stdout)?.[0]
  if (notRun) process.stderr.write(`${notRun}\n`)
  expect(stdout).toMatch(/, 0 violations;/)
  expect(stdout).toContain(notRun ? 'lag-then-kill' : 'split-brain')
})

test('a seed gives the same faults at the same times', () => {
  const { faults } = chooseFaults('single', tools)
  const plan = (seed: number) => planFaults(seededRandom(seed, 'faults'), faults)
  expect(plan(7)).toEqual(plan(7))
  expect(plan(7)).not.toEqual(plan(8))
})

test('what this machine lacks is named, and the other faults are inflicted', () => {
  const why = 'there is none here'
  const { faults, notRun } = chooseFaults('single', { ...tools, toxiproxy: { missing: why } })
  expect(notRun).toContainEqual({ name: 'lost-replies', why })
  expect(faults.map(({ name }) => name)).toContain('kill-node')
  expect(faults.filter(({ needs }) => needs === 'proxy')).toEqual([])
})
