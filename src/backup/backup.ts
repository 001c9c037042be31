/** One backup of a ledger that is in use. */
import type { Secrets } from '../secrets/derive.ts'
import type { RedisClient } from '../redis/connect.ts'
import { readFormat } from '../redis/format.ts'
import { redisTimeMs, replyValues } from '../redis/replies.ts'
import { mastersOf } from '../redis/send.ts'
import { countKeys, scanNames } from '../redis/scan.ts'
import { VERSION } from '../version.ts'
import type { ArchiveRecord, ArchiveWriter, Manifest } from './archive.ts'
import { monotonicMs } from '../contract/time.ts'
import { ConfigError } from '../config.ts'
import { monthOf } from '../earnings/month.ts'
import { MODES } from '../contract/money.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { backupKinds, ledger as keys, notCopied, scans, together } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { tryMany } from '../redis/send.ts'
import { lastIds, STREAM_START } from '../redis/streams.ts'
import { CursorLost, entriesAfter } from '../verify/partition.ts'

export async function backupLedger(
  { ledger, secrets }: { ledger: RedisClient, secrets: Pick<Secrets, 'fingerprints'> },
  archive: ArchiveWriter,
  onProgress: (records: number, total: number) => void = () => {},
): Promise<Manifest> {
  const startedAt = await redisTimeMs(ledger)
  const total = await countKeys(ledger)
  const copied = await copyLedger({
    ledger, archive, onProgress: (records) => onProgress(records, total),
  })
  return await archive.finish({
    version: VERSION, redis: await versionOf(ledger), startedAt,
    finishedAt: await redisTimeMs(ledger), format: await readFormat(ledger),
    secretFingerprint: secrets.fingerprints[0], ...copied,
  })
}

/** RESTORE refuses values of a later version than its own. */
async function versionOf(ledger: RedisClient): Promise<string> {
  const info = await mastersOf(ledger)[0]?.info('server') ?? ''
  return /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown'
}

export interface Copied {
  readonly outboxes: readonly string[]
  readonly records: Record<string, number>
}

interface CopyOptions {
  readonly ledger: RedisClient
  readonly archive: Pick<ArchiveWriter, 'write'>
  readonly onProgress?: (records: number) => void
}

const KEYS_AT_ONCE = 500
/** Partitions, each at a moment of its own: little more waits behind them than behind one. */
const MOMENTS_AT_ONCE = 8
/** Accounts, each at a moment of its own. */
const BOOKS_AT_ONCE = 32
/** More keys that moved are copied before the moment, not in it: it holds up the partition. */
const MOVED_MAX = 300
/** Where orders come faster than this copies them, the moment takes what is left. */
const ROUNDS_MAX = 10
/** Well within the time that an outbox keeps what its consumers have done. */
const FOLLOW_MS = 60_000
const DAY_MS = 86_400_000
const ALL = /^(.*)$/s
const ORDER_KEY = /^\{p\d+\}:(order|after|payments):/
const PARTITION = /^\{p(\d+)\}/

const partitionCopy = defineScript('partition-copy', ['outbox'],
  ['place', 'shared', 'of_order'], (reply: unknown) => reply)

async function copyLedger(options: CopyOptions): Promise<Copied> {
  const { ledger, onProgress } = options
  const records: Record<string, number> = {}
  let total = 0
  let writing: Promise<void> = Promise.resolve()
  async function keep(kind: string, entries: readonly ArchiveRecord[]): Promise<void> {
    // One write after the other: several partitions are read at once.
    await (writing = writing.then(() => options.archive.write(entries)))
    records[kind] = (records[kind] ?? 0) + entries.length
    onProgress?.(total += entries.length)
  }
  let outboxes: string[] = []
  for (const { kind, match } of backupKinds) {
    const save = (entries: readonly ArchiveRecord[]): Promise<void> => keep(kind, entries)
    if (kind === 'books') {
      await copyBooks(ledger, save)
    } else if (kind === 'partitions') {
      outboxes = await copyPartitions(ledger, match, save)
    } else {
      for await (const names of scanNames(ledger, { match, name: ALL })) {
        await copyKeys(ledger, names.filter((key) => kindOf(key) === kind), save)
      }
    }
  }
  return { outboxes, records }
}

type Save = (entries: readonly ArchiveRecord[]) => Promise<void>

function kindOf(key: string): string | undefined {
  return notCopied.test(key) ? undefined : backupKinds.find(({ is }) => is.test(key))?.kind
}

async function copyKeys(
  ledger: RedisClient, names: readonly string[], save: Save,
): Promise<void> {
  for (let from = 0; from < names.length; from += KEYS_AT_ONCE) {
    const part = names.slice(from, from + KEYS_AT_ONCE)
    const replies = await tryMany(ledger, part.flatMap((key) =>
      [[key, ['dumpBuffer', key]], [key, ['pexpiretime', key]]] as const))
    const values = replies.map(([error, value]) => {
      if (error) throw error
      return value
    })
    await save(part.map((key, index) => entryOf(key, values[index * 2], values[index * 2 + 1]))
      .filter(({ value }) => value !== null))
  }
}

function entryOf(key: string, value: unknown, expiresAt: unknown): ArchiveRecord {
  return { key, value: value as Buffer | null, expiresAt: Number(expiresAt) }
}

/** Keys of one slot as they are at one moment. */
async function copyTogether(
  ledger: RedisClient, names: readonly string[],
): Promise<ArchiveRecord[]> {
  const multi = ledger.multi()
  for (const key of names) multi.dumpBuffer(key).pexpiretime(key)
  const values = replyValues(await multi.exec())
  return names.map((key, index) => entryOf(key, values[index * 2], values[index * 2 + 1]))
}

async function copyBooks(ledger: RedisClient, save: Save): Promise<void> {
  const now = await redisTimeMs(ledger)
  const months = new Set([monthOf(now), monthOf(now + DAY_MS)])
  for await (const found of scanNames(ledger, scans.earnedMonths)) {
    for (const month of found) months.add(month)
  }
  for (const mode of MODES) {
    for await (const accounts of scanNames(ledger, scans.earners[mode])) {
      for (let from = 0; from < accounts.length; from += BOOKS_AT_ONCE) {
        const part = accounts.slice(from, from + BOOKS_AT_ONCE)
        const books = await Promise.all(part.map((account) =>
          copyTogether(ledger, together.books(account, mode, months))))
        await save(books.flat().filter(({ value }) => value !== null))
      }
    }
  }
}

/**
 * First every order as it is found, then of each partition, at one moment, what all its orders
 * share and the orders that moved since. The outbox tells which: every change appends to it in its
 * own call.
 */
async function copyPartitions(
  ledger: RedisClient, match: string, save: Save,
): Promise<string[]> {
  const places = await lastIds(ledger, everyPartition())
  const shared = everyPartition().map((partition) => new Set(together.partition(partition)))
  let followedAt = monotonicMs()
  for await (const names of scanNames(ledger, { match, name: ALL })) {
    const own = names.filter((key) => kindOf(key) === 'partitions')
    await copyKeys(ledger, own.filter((key) => ORDER_KEY.test(key)), save)
    for (const key of own.filter((name) => !ORDER_KEY.test(name))) {
      shared[Number(PARTITION.exec(key)?.[1])]?.add(key)
    }
    if (monotonicMs() - followedAt < FOLLOW_MS) continue
    // Outboxes are trimmed: what moved is copied before it is forgotten.
    for (const partition of everyPartition()) {
      const moved = await movedSince(ledger, partition, places[partition] ?? STREAM_START)
      await copyKeys(ledger, moved.keys, save)
      places[partition] = moved.place
    }
    followedAt = monotonicMs()
  }
  const lasts: string[] = []
  const partitions = everyPartition()
  for (let from = 0; from < partitions.length; from += MOMENTS_AT_ONCE) {
    lasts.push(...await Promise.all(partitions.slice(from, from + MOMENTS_AT_ONCE)
      .map((partition) => copyMoment(ledger, partition, places[partition] ?? STREAM_START,
        [...shared[partition] ?? []], save))))
  }
  return lasts
}

/** The partition's last event that is in the copy. */
async function copyMoment(
  ledger: RedisClient, partition: number, from: string, shared: readonly string[], save: Save,
): Promise<string> {
  let seen = from
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { keys: moved, place } = await movedSince(ledger, partition, seen)
    if (moved.length <= MOVED_MAX) break
    await copyKeys(ledger, moved, save)
    seen = place
  }
  const outbox = keys.outbox(partition)
  const operands = partitionCopy.operands({ outbox }, {
    place: seen, shared: JSON.stringify(shared),
    of_order: JSON.stringify(together.order(partition, '%s')),
  })
  const [[error, reply] = [null, []]] = await tryMany(ledger,
    [[outbox, ['evalBuffer', partitionCopy.source, ...operands]]])
  if (error) throw error
  const [last, ...flat] = reply as [Buffer, ...unknown[]]
  await save(Array.from({ length: flat.length / 3 }, (_, at) =>
    entryOf(String(flat[at * 3]), flat[at * 3 + 1], flat[at * 3 + 2]))
    // Only an order's key may stand in the copy already.
    .filter(({ key, value }) => value !== null || ORDER_KEY.test(key)))
  return String(last) || STREAM_START
}

/** What belongs to the orders that moved after a place in the outbox, and where they end. */
async function movedSince(
  ledger: RedisClient, partition: number, from: string,
): Promise<{ keys: string[], place: string }> {
  const events = await entriesAfter(ledger, partition, from).catch((error: Error) => {
    throw error instanceof CursorLost ? new ConfigError(`The outbox of partition ${partition} was `
      + 'trimmed before the backup had read it: make the backup at a calmer time.') : error
  })
  const moved = new Set(events.flatMap(({ orderNo }) => orderNo ?? []))
  return {
    keys: [...moved].flatMap((orderNo) => together.order(partition, orderNo)),
    place: events.at(-1)?.id ?? from,
  }
}
