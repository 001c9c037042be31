/** Before the first node starts: the sandbox catalogue is there, and the shelf holds it. */
import { sleepUnless } from '../contract/time.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import type { Progress } from '../progress.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openPrimaryShelf, type RedisUrls } from '../redis/roles.ts'
import { generateCatalogue } from './generate.ts'
import { importCatalogue } from './import.ts'
import { countProducts, rebuildShelf } from './store.ts'
import { ensureIndexes, indexesAreCurrent } from './shelf-index.ts'
import { nameWeights } from '../language/choose-names.ts'
import { checkKindEncoder } from '../language/kind-encoder.ts'
import { checkValueEncoder } from '../language/value-encoder.ts'
import { kindWeights } from '../language/rank-kinds.ts'
import { checkSituations } from '../language/situations.ts'
import { checkTaxonomy } from './taxonomy.ts'
import { ChangeUnderWay, shelfIsCurrent, type Stores } from './version.ts'

interface PrepareOptions {
  readonly urls: RedisUrls
  readonly config: Pick<Config, 'catalogItems' | 'catalogSeed'>
  readonly log: Logger
  readonly progress: Progress
  /** Called once when another process changes the catalogue. */
  readonly onWait?: () => void
  /** Ends the work in order: what it holds is given back. */
  readonly signal?: AbortSignal
}

const WAITED_MS = 500
/** Raised when the same seed makes other items: what a node's simulators sell is on its shelf. */
const GENERATOR_VERSION = 4

/** Returns how many items the catalogue has. Work that was cut off is done again, harmlessly. */
export async function prepareCatalogue(options: PrepareOptions): Promise<number> {
  const { urls, log, progress } = options
  checkTaxonomy()
  checkSituations()
  kindWeights.check()
  nameWeights.check()
  checkKindEncoder()
  checkValueEncoder()
  const { shelf, close } = await openPrimaryShelf(urls, log, 'bulk')
  const ledger = openRedis(urls.ledger, log, 'bulk')
  const stores = { shelf, ledger }
  try {
    await untilReady(ledger, 'ledger')
    return await afterOthers(() => prepareStores(stores, options), options)
  } finally {
    progress.end()
    close()
    ledger.disconnect()
  }
}

async function prepareStores(stores: Stores, options: PrepareOptions): Promise<number> {
  const { shelf, ledger } = stores
  const { progress, signal } = options
  await generate(stores, options)
  const items = await countProducts(ledger)
  // Documents of another release are found by other tokens than this one asks for.
  const isOutdated = items > 0 && !await indexesAreCurrent(shelf)
  if (!isOutdated) await ensureIndexes(shelf)
  if (isOutdated || (items > 0 && !await shelfIsCurrent(stores))) {
    await rebuildShelf(stores, {
      onProgress: (done) => progress('Rebuilding the shelf', done, items), signal,
    })
  }
  return items
}

/** Waits for a change by another process; one that was killed is over within a minute. */
async function afterOthers<T>(
  work: () => Promise<T>, { onWait, signal = new AbortController().signal }: PrepareOptions,
): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ChangeUnderWay)) throw error
      if (isFirst) onWait?.()
      await sleepUnless(signal, WAITED_MS)
      signal.throwIfAborted()
    }
  }
}

async function generate(
  stores: Stores, { config: { catalogItems, catalogSeed }, progress, signal }: PrepareOptions,
): Promise<void> {
  const wanted = `${catalogSeed}:${catalogItems}:${GENERATOR_VERSION}`
  if (catalogItems === 0 || await stores.ledger.get(keys.catalogueGenerated) === wanted) return
  const lines = generateCatalogue({ items: catalogItems, seed: catalogSeed })
  const { refused, refusedLines } = await importCatalogue(stores, lines, {
    onProgress: ({ lines: done }) => progress('Making the catalogue', done, catalogItems), signal,
  })
  if (refused > 0) throw new Error(`A generated item was refused: ${refusedLines[0]?.reason}.`)
  await stores.ledger.set(keys.catalogueGenerated, wanted)
}
