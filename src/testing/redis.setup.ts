/**
 * One embedded Redis pair for a whole test run, as durable as in production, in its own folder. A
 * run ends what it began: what its tests left behind is killed, and the run fails.
 */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { cacheDir } from '../config.ts'
import { generateCatalogue } from '../goods/generate.ts'
import { importCatalogue } from '../goods/import.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { startEmbeddedRedis, type EmbeddedRedis } from '../dev/redis/embedded.ts'
import { signal } from '../dev/redis/process.ts'
import { endProcesses, processesOf, RUN, type TestRun } from './processes.ts'
import { spareServers } from './spare.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    redis: { shelfUrl: string, ledgerUrl: string, countersUrl: string }
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'agentmall-test-'))
  const run: TestRun = { name: randomUUID(), folder }
  // Workers have both from here: what they start, and where.
  Object.assign(process.env, { [RUN]: run.name, TMPDIR: folder })
  const dataDir = join(folder, 'redis')
  const removeData = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const log = createLogger('info')
    const redis = await startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log })
    await seed(redis)
    const { shelfUrl, ledgerUrl, countersUrl } = redis
    project.provide('redis', { shelfUrl, ledgerUrl, countersUrl })
    // A run that gets a signal has no teardown.
    process.once('SIGTERM', () => {
      for (const one of processesOf(run)) signal(one, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
      process.exit(143)
    })
    return async () => {
      for (const one of spareServers(folder)) signal(one, 'SIGKILL')
      await redis.stop()
      const left = await endLeft(run)
      await removeData()
      if (left === '') return
      process.exitCode = 1
      throw new Error('Tests left processes behind, which were killed: end them where they are '
        + `started.\n${left}`)
    }
  } catch (error) {
    await removeData()
    throw error
  }
}

/** Servers that got SIGTERM write their files first. */
const ENDING_MS_MAX = 60_000

async function endLeft(run: TestRun): Promise<string> {
  // The workers, which are ours, end after this.
  const left = await endProcesses(
    () => processesOf(run).filter(({ parent }) => parent !== process.pid), ENDING_MS_MAX)
  return left.map(({ pid, command }) => `${pid} ${command}`).join('\n')
}

/** A few of each kind of goods: what the tests of whole nodes search and buy. */
const ITEMS = 2400

async function seed({ shelfUrl, ledgerUrl }: EmbeddedRedis): Promise<void> {
  const log = createLogger('warn')
  const shelf = openRedis(shelfUrl, log, 'bulk')
  const ledger = openRedis(ledgerUrl, log, 'bulk')
  await Promise.all([untilReady(shelf, 'shelf'), untilReady(ledger, 'ledger')])
  const { refused } = await importCatalogue({ shelf, ledger },
    generateCatalogue({ items: ITEMS, seed: 'test' }))
  shelf.disconnect()
  ledger.disconnect()
  if (refused > 0) throw new Error(`${refused} generated items were refused.`)
}
