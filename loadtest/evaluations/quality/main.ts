/**
 * `npm run quality`: scores the labelled queries and prints the figures. It searches the shelf at
 * SHELF_URL, which must hold the generated catalogue of the same seed and size, else one that it
 * makes in a temporary folder and removes again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cacheDir, readConfig, shelfUrl } from '../../../src/config.ts'
import { generateCatalogue, type GenerateOptions } from '../../../src/goods/generate.ts'
import { importCatalogue } from '../../../src/goods/import.ts'
import { createLogger, type Logger } from '../../../src/log.ts'
import { showProgress } from '../../../src/progress.ts'
import { openRedis, type RedisClient, untilReady } from '../../../src/redis/connect.ts'
import { startEmbeddedRedis } from '../../../src/dev/redis/embedded.ts'
import { allFacts } from './label.ts'
import { details, type Score, scoreQuery, table } from './measure.ts'
import { partOf, querySet } from './query-set.ts'

const { catalogItems, catalogSeed } = readConfig({})

const { values: options } = parseArgs({
  options: {
    items: { type: 'string', default: String(catalogItems) },
    seed: { type: 'string', default: catalogSeed },
    /** Scores the third that is held out, too; it is not there to tune by. */
    aside: { type: 'boolean', default: false },
    /** Prints each query of the tuned part that scores below this. */
    below: { type: 'string' },
  },
})

const log = createLogger('warn')
const items = Number(options.items)
const print = (text: string): void => { process.stdout.write(`${text}\n`) }

async function score(shelf: RedisClient): Promise<void> {
  const facts = allFacts(options.seed, items)
  const queries = querySet(options.seed)
  for (const part of options.aside ? ['tuned', 'held out'] as const : ['tuned'] as const) {
    const scores: Score[] = []
    for (const query of queries.filter((one) => partOf(one) === part)) {
      scores.push(await scoreQuery(shelf, facts, query))
    }
    if (part === 'tuned' && options.below) print(details(scores, Number(options.below)))
    print(table(`${part}, ${items} items`, scores))
  }
}

/** A shelf with a generated catalogue, in a folder that is removed afterwards. */
async function temporaryShelf(
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

const url = shelfUrl()
if (url) {
  const shelf = openRedis(url, log, 'bulk')
  await untilReady(shelf, 'shelf')
  await score(shelf).finally(() => shelf.disconnect())
} else {
  const shelf = await temporaryShelf({ items, seed: options.seed, log })
  await score(shelf.client).finally(() => shelf.close())
}
