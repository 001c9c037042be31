import { spawn, type SpawnOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endProcesses, processesOf, RUN, type TestRun } from './processes.ts'

const isLinux = process.platform === 'linux'

/** As tests start servers: of a session of its own, so that it outlives whoever started it. */
async function startDetached(options: SpawnOptions, seconds = 600) {
  const child = spawn('sleep', [String(seconds)], { detached: true, stdio: 'ignore', ...options })
  onTestFinished(() => { child.kill('SIGKILL') })
  await once(child, 'spawn')
  return child
}

function newRun(): TestRun {
  const folder = mkdtempSync(join(tmpdir(), 'agentmall-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { name: randomUUID(), folder }
}

const named = ({ name }: TestRun): SpawnOptions => ({ env: { ...process.env, [RUN]: name } })

test.runIf(isLinux)('what a run began and did not end is found and killed', async () => {
  const run = newRun()
  const [one, other, foreign] = await Promise.all([
    startDetached(named(run)), startDetached({ cwd: run.folder }), startDetached(named(newRun()))])
  rmSync(run.folder, { recursive: true })
  const ours = [one, other].map(({ pid }) => pid)
  await expect.poll(() => processesOf(run).map(({ pid }) => pid)).toEqual(ours)
  expect(processesOf(run)[0]).toMatchObject({ parent: process.pid, command: 'sleep 600' })
  const ended = Promise.all([once(one, 'exit'), once(other, 'exit')])
  expect(await endProcesses(() => processesOf(run), 0)).toHaveLength(2)
  await ended
  expect(foreign.exitCode ?? foreign.signalCode).toBeNull()
})

test.runIf(isLinux)('a process that is about to end is waited for', async () => {
  const run = newRun()
  await startDetached(named(run), 1)
  expect(await endProcesses(() => processesOf(run), 60_000)).toEqual([])
})
