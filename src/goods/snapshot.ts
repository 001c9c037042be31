/**
 * What a node remembers of the shelf, for one version of the catalogue. All that is in a snapshot
 * was read after its version was, and is kept only when the version is read again afterwards and
 * has not changed: so it is exactly what the shelf held at that version. While a change is under
 * way (an odd version) nothing is kept.
 */
import { LRUCache } from 'lru-cache'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { KeptAnswer } from './answers.ts'
import type { Result } from './search.ts'
import type { StoredDetail, StoredItem } from './stored.ts'
import { shelfVersion } from './version.ts'

export interface Snapshot {
  readonly version: number
  readonly isStable: boolean
  readonly results: LRUCache<string, Result>
  readonly items: LRUCache<number, StoredItem>
  readonly details: LRUCache<number, StoredDetail>
  readonly answers: LRUCache<string, KeptAnswer>
}

export interface Snapshots {
  readonly current: Snapshot
  /** Runs `keep` once the version is known to have been the snapshot's until now. */
  confirm(snapshot: Snapshot, keep: () => void): void
  stop(): void
}

interface Options {
  readonly shelf: RedisClient
  readonly log: Logger
  readonly pollMs: number
  /** Awaited before the first snapshot is given out, not later. */
  readonly onChange: (version: number) => Promise<void>
}

const RESULT_BYTES_MAX = 8_000_000
/** What an entry without ids takes, about. */
const RESULT_BYTES = 200
const ITEM_BYTES_MAX = 8_000_000
const ANSWER_BYTES_MAX = 16_000_000
/** Beyond it a result is not kept, which costs one more search and no more. */
const UNCONFIRMED_MAX = 10_000
/** Results of so long share one read of the version. */
const GATHER_MS = 2

function createSnapshot(version: number): Snapshot {
  return {
    version,
    isStable: version % 2 === 0,
    results: new LRUCache({
      maxSize: RESULT_BYTES_MAX,
      sizeCalculation: ({ productIds }) => RESULT_BYTES + 8 * productIds.length,
    }),
    items: new LRUCache({
      maxSize: ITEM_BYTES_MAX, sizeCalculation: ({ item, offer }) => item.length + offer.length,
    }),
    details: new LRUCache({
      maxSize: ITEM_BYTES_MAX,
      sizeCalculation: ({ detail, page }) => detail.length + page.length + 1,
    }),
    answers: new LRUCache({
      maxSize: ANSWER_BYTES_MAX, sizeCalculation: ({ text }) => text.bytes.length,
    }),
  }
}

export async function followCatalogue(
  { shelf, log, pollMs, onChange }: Options,
): Promise<Snapshots> {
  let current: Snapshot | undefined
  let waiting: { snapshot: Snapshot, keep: () => void }[] = []
  let gathering: NodeJS.Timeout | undefined
  let isPolling = false
  let connections = 0

  async function read(): Promise<Snapshot> {
    const connection = connections
    const version = Number(await shelfVersion(shelf) ?? 0)
    if (connection !== connections) throw new Error('The connection broke meanwhile.')
    if (current?.version !== version) current = createSnapshot(version)
    return current
  }

  async function confirmAll(): Promise<void> {
    const batch = waiting
    waiting = []
    gathering = undefined
    const snapshot = await read()
    for (const entry of batch) if (entry.snapshot === snapshot) entry.keep()
  }

  async function poll(): Promise<void> {
    const { version } = await read()
    await onChange(version)
  }

  const notRead = (error: Error): void =>
    log.warn({ error: error.message }, 'catalogue version not read')
  /** Another Redis may have taken over, with another history. */
  const forget = (): void => {
    connections += 1
    if (current) current = createSnapshot(current.version)
  }

  await poll()
  shelf.on('ready', forget)
  const timer = setInterval(() => {
    if (isPolling) return
    isPolling = true
    poll().catch(notRead).finally(() => { isPolling = false })
  }, pollMs)
  timer.unref()

  return {
    get current() { return current as Snapshot },
    confirm(snapshot, keep) {
      if (!snapshot.isStable || snapshot !== current || waiting.length >= UNCONFIRMED_MAX) return
      waiting.push({ snapshot, keep })
      gathering ??= setTimeout(() => { confirmAll().catch(notRead) }, GATHER_MS)
    },
    stop() {
      clearInterval(timer)
      clearTimeout(gathering)
      shelf.off('ready', forget)
    },
  }
}
