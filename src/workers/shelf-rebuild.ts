/** Fills a shelf that was flushed or came back empty: the ledger has all that stood on it. */
import { rebuildShelf } from '../goods/rebuild.ts'
import type { Goods } from '../goods/goods.ts'
import { ChangeUnderWay } from '../goods/version.ts'
import type { Logger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { openPrimaryShelf, type RedisUrls } from '../redis/roles.ts'
import type { Worker } from './lease.ts'

const EVERY_MS = 2000

/**
 * The rebuild outlasts a lease and many ticks; two nodes that try at once are kept apart by the
 * catalogue's own lock, which a node that died leaves behind for a minute.
 */
export function shelfWorker(
  { urls, goods, log }: { urls: RedisUrls, goods: Pick<Goods, 'isEmptied'>, log: Logger },
): Worker {
  let rebuilding: Promise<void> | undefined

  async function rebuild(): Promise<void> {
    const { shelf, close } = await openPrimaryShelf(urls, log, 'bulk')
    const ledger = openRedis(urls.ledger, log, 'bulk')
    try {
      await untilReady(ledger, 'ledger')
      log.warn('the shelf is empty: rebuilding it from the ledger')
      const { items } = await rebuildShelf({ shelf, ledger })
      log.warn({ items }, 'the shelf is rebuilt')
    } finally {
      close()
      ledger.disconnect()
    }
  }

  return {
    name: 'shelf-rebuild',
    everyMs: EVERY_MS,
    async tick() {
      if (rebuilding || !await goods.isEmptied()) return false
      rebuilding = rebuild().catch((error: Error) => {
        if (error instanceof ChangeUnderWay) log.info('the catalogue is being changed: waiting')
        else log.error({ error: error.message }, 'the shelf could not be rebuilt: trying again')
      }).finally(() => { rebuilding = undefined })
      return false
    },
  }
}
