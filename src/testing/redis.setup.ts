/** One embedded Redis pair for a whole test run, as durable as in production, in its own folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { cacheDir } from '../config.ts'
import { generateCatalogue } from '../goods/generate.ts'
import { importCatalogue } from '../goods/import.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { startEmbeddedRedis, type EmbeddedRedis } from '../redis/embedded.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    redis: { shelfUrl: string, ledgerUrl: string, countersUrl: string }
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-test-'))
  const removeData = (): Promise<void> => rm(dataDir, { recursive: true, force: true })
  try {
    const log = createLogger('info')
    const redis = await startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log })
    await seed(redis)
    const { shelfUrl, ledgerUrl, countersUrl } = redis
    project.provide('redis', { shelfUrl, ledgerUrl, countersUrl })
    return async () => {
      await redis.stop()
      await removeData()
    }
  } catch (error) {
    await removeData()
    throw error
  }
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
