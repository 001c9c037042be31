/** Makes the shelf again from the ledger, while searches go on. */
import { Cluster } from 'ioredis'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { ledgerLines } from './ledger-lines.ts'
import { ensureIndexes, renewIndexes } from './shelf-index.ts'
import { removal, shelfCommands } from './store.ts'
import { changeCatalogue, type Stores } from './version.ts'

export { countProducts } from './ledger-lines.ts'

export interface RebuildReport {
  /** Items on the shelf afterwards. */
  readonly items: number
  /** Items that stood on the shelf and are not in the catalogue. */
  readonly removed: number
}

interface RebuildOptions {
  readonly onProgress?: (done: number) => void
  readonly signal?: AbortSignal | undefined
}

const SCAN_COUNT = 1000
const PREFIXES = [keys.ownPrefix, keys.offerPrefix, keys.itemPrefix, keys.detailPrefix]

export async function rebuildShelf(
  stores: Stores, { onProgress, signal }: RebuildOptions = {},
): Promise<RebuildReport> {
  const { shelf, ledger } = stores
  return await changeCatalogue(stores, async (alive) => {
    await ensureIndexes(shelf)
    const onShelf = new Set<number>()
    let done = 0
    await shelf.del(keys.listedNext)
    for await (const lines of ledgerLines(ledger)) {
      await alive()
      await runMany(shelf, lines.flatMap((line) => shelfCommands(line, keys.listedNext)))
      for (const line of lines) if (!line.delisted) onShelf.add(line.product_id)
      onProgress?.(done += lines.length)
    }
    if (await shelf.exists(keys.listedNext)) await shelf.rename(keys.listedNext, keys.listed)
    else await shelf.del(keys.listed)
    const removed = await removeOthers(shelf, onShelf)
    await alive()
    await renewIndexes(shelf)
    return { items: onShelf.size, removed }
  }, { makesWhole: true, signal })
}

async function removeOthers(shelf: RedisClient, onShelf: ReadonlySet<number>): Promise<number> {
  const removed = new Set<number>()
  for (const node of shelf instanceof Cluster ? shelf.nodes('master') : [shelf]) {
    for (const prefix of PREFIXES) {
      let cursor = '0'
      do {
        const [next, found] = await node.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', SCAN_COUNT)
        const others = found.map((key) => Number(key.slice(prefix.length)))
          .filter((productId) => !onShelf.has(productId))
        await runMany(shelf, others.flatMap(removal))
        for (const productId of others) removed.add(productId)
        cursor = next
      } while (cursor !== '0')
    }
  }
  return removed.size
}
