/** Fills a ledger from a backup, and makes again what follows from it. */
import { ConfigError } from '../config.ts'
import { rebuildShelf } from '../goods/store.ts'
import { shelfVersion } from '../goods/version.ts'
import { createSecrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import { type Durable, untilCopied } from '../redis/durable.ts'
import type { RedisClient } from '../redis/connect.ts'
import { beginRestore, endRestore, FORMAT, formatRefusal } from '../redis/format.ts'
import { leases, ledger as keys, notCopied } from '../redis/keys.ts'
import { mastersOf, tryMany } from '../redis/send.ts'
import type { OrderArchive } from '../orders/archive/archive.ts'
import { countKeys, scanNames } from '../redis/scan.ts'
import { reloadViews } from '../redis/streams.ts'
import { openSecrets } from '../secrets/open.ts'
import { verifyLedger, type VerifyReport } from '../verify/verify.ts'
import { rebuildEarnings, rebuildOrders } from '../workers/rebuild.ts'
import { resetProgress } from '../workers/outboxes.ts'
import { checkFiles, readArchive, type ArchiveRecord, type Manifest } from './archive.ts'

export interface RestoreTarget {
  readonly ledger: RedisClient
  /** Where orders are that had left the ledger. */
  readonly archive?: OrderArchive | undefined
  readonly shelf: RedisClient
  readonly counters: RedisClient
  readonly durable: Durable
  /** A value of SECRET. */
  readonly secret: string
  readonly log: Logger
}

interface RestoreOptions {
  /** Removes what the ledger holds; without it a ledger that holds anything is refused. */
  readonly isToReplace: boolean
  /** For orders that older code closed unpaid and gave no end. */
  readonly unpaidKeptMs?: number
  readonly onRecords?: (records: number, total: number) => void
}

interface Restored {
  readonly records: number
  /** Consumers' places that were beyond the end of their outbox. */
  readonly placesReset: number
  readonly orders: object
  readonly earnings: object
  readonly shelf: object
  /** As of the moment of the backup. */
  readonly report: VerifyReport
}

const KEYS_AT_ONCE = 500
/** Of a second each. */
const COPY_TRIES_MAX = 60

/** Throws a ConfigError before anything is written where the backup or the ledger is not fit. */
export async function restoreLedger(
  place: RestoreTarget, directory: string, manifest: Manifest, options: RestoreOptions,
): Promise<Restored> {
  const { ledger, shelf, log, secret } = place
  await checkFiles(directory, manifest)
  assertUsable(manifest, secret)
  await assertNoNodes(place.counters)
  await makeRoom(ledger, options.isToReplace)
  await beginRestore(ledger)
  const records = await fill(ledger, directory, manifest, options)
  const placesReset = await resetProgress(ledger)
  const orders = await rebuildOrders(ledger, options)
  const earnings = await rebuildEarnings(place)
  await raiseCatalogueVersion(ledger, shelf)
  const items = await rebuildShelf({ ledger, shelf })
  await reloadViews(ledger)
  await untilReplicated(ledger)
  const secrets = await openSecrets(ledger, secret)
  await endRestore(ledger, {
    format: Math.max(manifest.format.format, FORMAT.format),
    readerMin: Math.max(manifest.format.readerMin, FORMAT.readerMin),
  })
  const report = await verifyLedger(
    { ledger, archive: place.archive, secrets, log }, { now: manifest.finishedAt })
  return { records, placesReset, orders, earnings, shelf: items, report }
}

export function assertUsable(manifest: Manifest, secret: string): void {
  if (!createSecrets(secret).fingerprints.includes(manifest.secretFingerprint)) {
    throw new ConfigError('The backup was made with another SECRET: set the one of that ledger, '
      + 'or put it into DATA_DIR/secret; after a rotation behind the new one, with a comma. '
      + 'Without it keys and receivers are unreadable.')
  }
  const refusal = formatRefusal(manifest.format)
  if (refusal !== undefined) throw new ConfigError(`The backup is too new. ${refusal}`)
}

/** A node would write to the ledger while it is filled. */
async function assertNoNodes(counters: RedisClient): Promise<void> {
  for await (const held of scanNames(counters, leases)) {
    throw new ConfigError(`A node is running (it holds the lease ${held[0]}): stop every node, `
      + 'wait ten seconds, and run this again.')
  }
}

async function makeRoom(ledger: RedisClient, isToReplace: boolean): Promise<void> {
  const own = await ledger.exists(keys.format)
  const secret = await ledger.exists(keys.secretFingerprint) + await ledger.exists(keys.hashKeys)
  const others = await countKeys(ledger) - own - secret
  if (others > 0 && !isToReplace) {
    throw new ConfigError(`The ledger holds ${others} keys: restore into an empty one, or repeat `
      + 'with --replace-ledger, which removes them.')
  }
  if (others + secret + own > 0) {
    await Promise.all(mastersOf(ledger).map((master) => master.flushall('ASYNC')))
  }
}

async function fill(
  ledger: RedisClient, directory: string, manifest: Manifest, { onRecords }: RestoreOptions,
): Promise<number> {
  const total = manifest.files.reduce((sum, { records }) => sum + records, 0)
  let done = 0
  for await (const entries of readArchive(directory, manifest)) {
    for (let from = 0; from < entries.length; from += KEYS_AT_ONCE) {
      const part = entries.slice(from, from + KEYS_AT_ONCE)
      // Of one key the last record counts; commands of a batch may be sent again out of order.
      const last = new Map(part.filter(({ key }) => !notCopied.test(key))
        .map((entry) => [entry.key, entry]))
      const replies = await tryMany(ledger, [...last.values()].map((entry) =>
        [entry.key, commandOf(entry)] as const))
      for (const [error] of replies) if (error) throw error
      onRecords?.(done += part.length, total)
    }
  }
  return done
}

const commandOf = ({ key, value, expiresAt }: ArchiveRecord) => (value === null
  ? ['del', key] as const
  : ['restore', key, Math.max(expiresAt, 0), value, 'REPLACE', 'ABSTTL'] as const)

/** Replicas that took a whole ledger in may be behind for a while. */
async function untilReplicated(ledger: RedisClient): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await untilCopied(ledger)
    } catch (error) {
      if (tried === COPY_TRIES_MAX) throw error
    }
  }
}

/** A version stands for one content, and the shelf may have seen later ones than the backup. */
async function raiseCatalogueVersion(ledger: RedisClient, shelf: RedisClient): Promise<void> {
  const seen = Math.max(Number(await ledger.get(keys.catalogueVersion)),
    Number(await shelfVersion(shelf)))
  await ledger.set(keys.catalogueVersion, seen + seen % 2)
}
