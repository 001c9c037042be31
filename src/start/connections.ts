/** A node's connections to Redis, by what they carry. */
import type { Logger } from '../log.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { openReaders, urlOfShelf, type RedisUrls, primaryShelf } from '../redis/roles.ts'
import type { Traces } from '../traces/traces.ts'

export interface Connections {
  /** As configured: the primary first, as far as anybody knew then. */
  readonly shelves: readonly [RedisClient, ...RedisClient[]]
  /** The one that takes writes now, and its address. */
  readonly shelf: RedisClient
  readonly shelfUrl: string
  readonly ledger: RedisClient
  readonly counters: RedisClient
  /** Order writes and nothing else: a WAIT holds up whatever stands behind it. */
  readonly writes: RedisClient
  /** The large pieces that boards and workers read: they must not delay anybody's request. */
  readonly following: RedisClient
}

/** What a node opened, to be closed in the opposite order. */
export type OnStop = (close: () => unknown) => void

export async function openConnections(
  urls: RedisUrls, traces: Traces | undefined, log: Logger, onStop: OnStop,
): Promise<Connections> {
  const { ledger, counters, ...roles } = await openReaders(urls, log)
  onStop(roles.close)
  const shelves = roles.shelves as [RedisClient, ...RedisClient[]]
  for (const client of shelves) traces?.redis(client, 'shelf')
  traces?.redis(ledger, 'ledger')
  traces?.redis(counters, 'counters')
  // Without one that takes writes a node still reads.
  const shelf = await primaryShelf(shelves).catch(() => shelves[0])
  const writes = openRedis(urls.ledger, log, 'commands', 'ledger')
  const following = openRedis(urls.ledger, log, 'bulk', 'ledger')
  onStop(() => [writes, following].forEach((client) => client.disconnect()))
  await Promise.all([writes, following].map((client) => untilReady(client, 'ledger')))
  return {
    shelves, shelf, shelfUrl: urlOfShelf(urls, shelves.indexOf(shelf)), ledger, counters, writes,
    following,
  }
}
