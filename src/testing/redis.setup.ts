/** One embedded Redis pair for a whole test run, as durable as in production, in its own folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { cacheDir } from '../config.ts'
import { createLogger } from '../log.ts'
import { startEmbeddedRedis } from '../redis/embedded.ts'

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
