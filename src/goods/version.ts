/**
 * The catalogue's version: raised when a change begins (odd) and when it ends (even). The ledger
 * has the true one; the shelf's equals it when the shelf holds that catalogue.
 */
import { KnownFailure } from '../failure.ts'
import { randomId } from '../contract/ids.ts'
import { untilCopied } from '../redis/durable.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as ledgerKeys, shelf as shelfKeys } from '../redis/keys.ts'
import { leaseKeep } from '../redis/script.ts'

export interface Stores {
  readonly shelf: RedisClient
  readonly ledger: RedisClient
}

/** After this long without a sign of life a change counts as given up. */
const CHANGE_TTL_MS = 60_000
/** Longer than any change takes. */
const MARK_TTL_MS = 86_400_000

export class ChangeUnderWay extends KnownFailure {
  constructor() {
    super('Another change of the catalogue is under way: wait until it has ended.')
  }
}

/**
 * Whether the ledger has a catalogue and the shelf says nothing of any: it was flushed, or came
 * back empty. It says nothing until all of it is there again, so that nobody takes a part, or
 * nothing, for the whole.
 */
export const isEmptied = (ledgerVersion: string | null, shelfVersion: string | null): boolean =>
  Number(ledgerVersion ?? 0) > 0 && shelfVersion === null

export interface ChangeOptions {
  readonly makesWhole?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs a change of the catalogue, alone. `alive` must be called at least once a minute, and
 * throws when another change has taken over or `signal` ends this one. Only one that `makesWhole`
 * ends an empty shelf's silence.
 */
export async function changeCatalogue<T>(
  stores: Stores, work: (alive: () => Promise<void>) => Promise<T>,
  { makesWhole = false, signal }: ChangeOptions = {},
): Promise<T> {
  const { shelf, ledger } = stores
  const lease = ledgerKeys.catalogueChange
  const holder = randomId('change-')
  const got = await ledger.set(lease, holder, 'PX', CHANGE_TTL_MS, 'NX')
  if (got === null) throw new ChangeUnderWay()
  const keep = (ttl_ms: number): Promise<boolean> =>
    leaseKeep.run(ledger, { lease }, { holder, ttl_ms })
  try {
    const isSilent = isEmptied(
      await ledger.get(ledgerKeys.catalogueVersion), await shelfVersion(shelf))
    // A change that was cut off has left it odd; then two steps make it odd again.
    let version = await ledger.incr(ledgerKeys.catalogueVersion)
    if (version % 2 === 0) version = await ledger.incr(ledgerKeys.catalogueVersion)
    await shelf.set(shelfKeys.catalogueChange, holder, 'PX', MARK_TTL_MS)
    if (!isSilent) await shelf.set(shelfKeys.catalogueVersion, version)
    const result = await work(async () => {
      signal?.throwIfAborted()
      if (!await keep(CHANGE_TTL_MS)) throw new ChangeUnderWay()
    })
    version = await ledger.incr(ledgerKeys.catalogueVersion)
    await untilCopied(ledger)
    const wasFlushed = await shelf.get(shelfKeys.catalogueChange) !== holder
    if (wasFlushed && makesWhole) throw new Error('The shelf was flushed meanwhile: try again.')
    if (!wasFlushed && (!isSilent || makesWhole)) {
      await shelf.set(shelfKeys.catalogueVersion, version)
    }
    return result
  } finally {
    await keep(0).catch(() => false)
  }
}

export const shelfVersion = (shelf: RedisClient): Promise<string | null> =>
  shelf.get(shelfKeys.catalogueVersion)

/** Whether the shelf holds what the ledger says; false after a crash, or with a new shelf. */
export async function shelfIsCurrent({ shelf, ledger }: Stores): Promise<boolean> {
  const [held, truth] = await Promise.all([
    shelfVersion(shelf), ledger.get(ledgerKeys.catalogueVersion),
  ])
  return held === truth && Number(truth) % 2 === 0
}
