/** The two Redis of a growth run: started, measured, stopped and started again on their data. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBase62 } from '../../src/contract/ids.ts'
import { monotonicMs } from '../../src/contract/time.ts'
import { cacheDir } from '../../src/config.ts'
import { ledgerSettings, provisionRedis, shelfSettings } from '../../src/dev/redis/provision.ts'
import { startOnFreePort, stopServer, type RunningServer } from '../../src/dev/redis/server.ts'
import type { RedisClient } from '../../src/redis/connect.ts'

export interface GrowthServer {
  readonly url: string
  readonly pid: number
  /** Seconds until it served, from the moment of its start. */
  readonly seconds: number
  /** Its data stay. */
  stop(): Promise<void>
}

type Role = 'ledger' | 'shelf'

/** A million orders are loaded in less. */
const READY_MS_MAX = 900_000
const MEMORY = 'maxmemory 14gb'

export async function startGrowthServer(role: Role, folder: string): Promise<GrowthServer> {
  const redis = await provisionRedis({ cacheDir: cacheDir() })
  const password = randomBase62(24)
  const began = monotonicMs()
  const server: RunningServer = await startOnFreePort({
    program: redis.server, directory: join(folder, role), password, readyWithinMs: READY_MS_MAX,
    // Rewriting by itself would come in the middle of what is measured.
    settings: role === 'shelf' ? `${shelfSettings(redis)}\n${MEMORY}`
      : `${ledgerSettings()}\n${MEMORY}\nauto-aof-rewrite-percentage 0`,
  })
  return {
    url: `redis://:${password}@127.0.0.1:${server.port}`,
    pid: server.pid,
    seconds: (monotonicMs() - began) / 1000,
    stop: () => stopServer(server, role === 'shelf' ? ['SHUTDOWN', 'SAVE'] : ['SHUTDOWN']),
  }
}

export const removeData = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true })

export async function infoOf(redis: RedisClient, section: string): Promise<Map<string, number>> {
  const text = await redis.info(section)
  return new Map([...text.matchAll(/^(\w+):(-?[\d.]+)\r?$/gm)]
    .map(([, name = '', value]) => [name, Number(value)]))
}

export const usedMb = async (redis: RedisClient): Promise<number> =>
  ((await infoOf(redis, 'memory')).get('used_memory') ?? NaN) / 2 ** 20
