/** A shelf with a generated catalogue, in a folder that is removed afterwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheDir } from '../../config.ts'
import type { Logger } from '../../log.ts'
import { showProgress } from '../../progress.ts'
import { openRedis, untilReady, type RedisClient } from '../../redis/connect.ts'
import { startEmbeddedRedis } from '../../redis/embedded.ts'
import { generateCatalogue, type GenerateOptions } from '../generate.ts'
import { importCatalogue } from '../import.ts'

export async function temporaryShelf(
  { items, seed, log }: GenerateOptions & { log: Logger },
): Promise<{ client: RedisClient, close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-quality-'))
  const redis = await startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log })
  const shelf = openRedis(redis.shelfUrl, log, 'bulk')
  const ledger = openRedis(redis.ledgerUrl, log, 'bulk')
  const progress = showProgress()
  async function close(): Promise<void> {
    shelf.disconnect()
    ledger.disconnect()
    await redis.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await Promise.all([untilReady(shelf, 'shelf'), untilReady(ledger, 'ledger')])
    await importCatalogue({ shelf, ledger }, generateCatalogue({ items, seed }), {
      onProgress: ({ lines }) => progress('Making the catalogue', lines, items),
    })
    progress.end()
    return { client: shelf, close }
  } catch (error) {
    await close()
    throw error
  }
}
