/** The catalogue that everything is measured on: made once, and copied for each run. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir, readConfig } from '../../src/config.ts'
import { skuFields } from '../../src/goods/document.ts'
import { generateCatalogue } from '../../src/goods/generate.ts'
import { prepareCatalogue } from '../../src/goods/prepare.ts'
import { shelfCommands } from '../../src/goods/store.ts'
import type { Logger } from '../../src/log.ts'
import { showProgress } from '../../src/progress.ts'
import { startEmbeddedRedis, urlsOf, type EmbeddedRedis } from '../../src/redis/embedded.ts'

export interface CatalogueOptions {
  readonly dataDir: string
  readonly items: number
  readonly seed: string
  readonly log: Logger
}

const SAMPLE = 240
const PREFIX = 'catalogue-'

/** Changes with what would be stored, so that yesterday's copy is never taken for today's. */
function fingerprintOf(items: number, seed: string): string {
  const hash = createHash('sha256').update(`${items} ${seed}`)
  for (const line of generateCatalogue({ items: Math.min(items, SAMPLE), seed })) {
    hash.update(JSON.stringify([shelfCommands(line), skuFields(line)]))
  }
  return hash.digest('hex').slice(0, 12)
}

/** A Redis pair over a fresh copy of the catalogue; what a run leaves behind dies with it. */
export async function startCatalogue(options: CatalogueOptions): Promise<EmbeddedRedis> {
  const { dataDir, items, seed, log } = options
  const kept = join(dataDir, `${PREFIX}${fingerprintOf(items, seed)}`)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(kept)) {
    removeOthers(dataDir)
    await make(`${kept}.draft`, options)
    renameSync(`${kept}.draft`, kept)
  }
  const copy = join(dataDir, 'run')
  rmSync(copy, { recursive: true, force: true })
  cpSync(kept, copy, { recursive: true })
  // It names the servers of the folder it was copied from.
  rmSync(join(copy, 'redis.json'), { force: true })
  const redis = await startEmbeddedRedis({ dataDir: copy, cacheDir: cacheDir(), log })
  return {
    ...redis,
    async stop() {
      await redis.stop()
      rmSync(copy, { recursive: true, force: true })
    },
  }
}

async function make(folder: string, { items, seed, log }: CatalogueOptions): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: cacheDir(), log })
  try {
    const config = { ...readConfig({}), catalogItems: items, catalogSeed: seed }
    await prepareCatalogue({ urls: urlsOf(redis), config, log, progress: showProgress() })
  } finally {
    await redis.stop()
  }
}

/** One catalogue is kept: several would fill a disk without anybody's notice. */
function removeOthers(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}
