/** Before the first node starts: the sandbox catalogue is there, and the shelf holds it. */
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import type { Progress } from '../progress.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openPrimaryShelf, type RedisUrls } from '../redis/roles.ts'
import { generateCatalogue } from './generate.ts'
import { importCatalogue } from './import.ts'
import { countProducts, rebuildShelf } from './rebuild.ts'
import { ensureIndexes, indexesAreCurrent } from './shelf-index.ts'
import { checkTaxonomy } from './taxonomy.ts'
import { shelfIsCurrent, type Stores } from './version.ts'

interface PrepareOptions {
  readonly urls: RedisUrls
  readonly config: Pick<Config, 'catalogItems' | 'catalogSeed'>
  readonly log: Logger
  readonly progress: Progress
}

/** Returns how many items the catalogue has. Work that was cut off is done again, harmlessly. */
export async function prepareCatalogue(
  { urls, config, log, progress }: PrepareOptions,
): Promise<number> {
  checkTaxonomy()
  const { shelf, close } = await openPrimaryShelf(urls, log, 'bulk')
  const ledger = openRedis(urls.ledger, log, 'bulk')
  const stores = { shelf, ledger }
  try {
    await untilReady(ledger, 'ledger')
    await generate(stores, config, progress)
    const items = await countProducts(ledger)
    // Documents of another release are found by other tokens than this one asks for.
    const isOutdated = items > 0 && !await indexesAreCurrent(shelf)
    if (!isOutdated) await ensureIndexes(shelf)
    if (isOutdated || (items > 0 && !await shelfIsCurrent(stores))) {
      await rebuildShelf(stores, {
        onProgress: (done) => progress('Rebuilding the shelf', done, items),
      })
    }
    return items
  } finally {
    progress.end()
    close()
    ledger.disconnect()
  }
}

async function generate(
  stores: Stores, { catalogItems, catalogSeed }: PrepareOptions['config'], progress: Progress,
): Promise<void> {
  const wanted = `${catalogSeed}:${catalogItems}`
  if (catalogItems === 0 || await stores.ledger.get(keys.catalogueGenerated) === wanted) return
  const lines = generateCatalogue({ items: catalogItems, seed: catalogSeed })
  const { refused, refusedLines } = await importCatalogue(stores, lines, {
    onProgress: ({ lines: done }) => progress('Making the catalogue', done, catalogItems),
  })
  if (refused > 0) throw new Error(`A generated item was refused: ${refusedLines[0]?.reason}.`)
  await stores.ledger.set(keys.catalogueGenerated, wanted)
}
