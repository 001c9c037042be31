/**
 * The three Redis roles of a process: opened together, closed together. The shelf may be several
 * servers: one takes writes, the others follow it, and each says which it is.
 */
import type { Logger } from '../log.ts'
import { withDeadline } from '../contract/time.ts'
import { openRedis, type Purpose, type RedisClient, untilReady } from './connect.ts'
import { shelf as keys } from './keys.ts'

export interface RedisUrls {
  readonly shelf: string
  /** Servers that follow the shelf, or take its place. */
  readonly shelfReplicas?: readonly string[] | undefined
  readonly ledger: string
  readonly counters: string
}

export interface RedisRoles {
  /** The one that takes writes, and its address. */
  readonly shelf: RedisClient
  readonly shelfUrl: string
  readonly ledger: RedisClient
  readonly counters: RedisClient
  close(): void
}

interface ReaderRoles extends Omit<RedisRoles, 'shelf' | 'shelfUrl'> {
  /** Every server of the shelf in the order of the settings, of which at least one answers. */
  readonly shelves: readonly RedisClient[]
}

/** What one of them says of itself. */
export interface ShelfLook {
  readonly isPrimary: boolean
  /** The catalogue's version that it holds. */
  readonly version: number
  /** Names the history of writes that its offset counts in; a promotion begins another. */
  readonly history: string
  readonly offset: number
}

/** A moment more for the others, so that the first requests find all that are well. */
const OTHERS_MS = 500
const LOOK_MS_MAX = 1000

/** Of a Redis that this machine brings along; empty without one. */
export const urlsOf = (
  own: { readonly [role in 'shelf' | 'ledger' | 'counters' as `${role}Url`]: string }
    | null | undefined,
): RedisUrls => ({
  shelf: own?.shelfUrl ?? '', ledger: own?.ledgerUrl ?? '', counters: own?.countersUrl ?? '',
})

/** For commands, which write to the shelf. */
export async function openRoles(
  urls: RedisUrls, log: Logger, purpose: Purpose = 'commands',
): Promise<RedisRoles> {
  const { shelves, ...roles } = await openReaders(urls, log, purpose)
  try {
    const shelf = await primaryShelf(shelves)
    return { ...roles, shelf, shelfUrl: urlOfShelf(urls, shelves.indexOf(shelf)) }
  } catch (error) {
    roles.close()
    throw error
  }
}

/** For nodes, which read the shelf and go on with what is left of it. */
export async function openReaders(
  urls: RedisUrls, log: Logger, purpose: Purpose = 'commands',
): Promise<ReaderRoles> {
  const shelves = openShelves(urls, log, purpose)
  const ledger = openRedis(urls.ledger, log, purpose, 'ledger')
  const counters = openRedis(urls.counters, log, purpose, 'counters')
  const close = (): void => [...shelves, ledger, counters].forEach((client) => client.disconnect())
  try {
    await Promise.all([
      anyReady(shelves), untilReady(ledger, 'ledger'), untilReady(counters, 'counters'),
    ])
    return { shelves, ledger, counters, close }
  } catch (error) {
    close()
    throw error
  }
}

/** The address of one of them, by its place in the order of the settings. */
export const urlOfShelf = (
  { shelf, shelfReplicas = [] }: Pick<RedisUrls, 'shelf' | 'shelfReplicas'>, at: number,
): string => [shelf, ...shelfReplicas][at] ?? shelf

/** The server of the shelf that takes writes, alone. */
export async function openPrimaryShelf(
  urls: Pick<RedisUrls, 'shelf' | 'shelfReplicas'>, log: Logger, purpose: Purpose,
): Promise<{ readonly shelf: RedisClient, close(): void }> {
  const shelves = openShelves(urls, log, purpose)
  const close = (): void => shelves.forEach((client) => client.disconnect())
  try {
    await anyReady(shelves)
    return { shelf: await primaryShelf(shelves), close }
  } catch (error) {
    close()
    throw error
  }
}

const openShelves = (
  { shelf, shelfReplicas = [] }: Pick<RedisUrls, 'shelf' | 'shelfReplicas'>, log: Logger,
  purpose: Purpose,
): RedisClient[] => [shelf, ...shelfReplicas].map((url) => openRedis(url, log, purpose, 'shelf'))

async function anyReady(shelves: readonly RedisClient[]): Promise<void> {
  await Promise.any(shelves.map((client) => untilReady(client, 'shelf')))
    .catch((error: AggregateError) => { throw error.errors[0] })
  await Promise.allSettled(shelves.map((client) => untilReady(client, 'shelf', OTHERS_MS)))
}

/** Rejects when it does not answer in time. */
export async function lookAtShelf(client: RedisClient): Promise<ShelfLook> {
  const asked = Promise.all([client.get(keys.catalogueVersion), client.info('replication')])
  const [version, info] = await withDeadline(asked, LOOK_MS_MAX, () => new Error('no answer yet'))
  const field = (name: string): string =>
    new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1] ?? ''
  const isPrimary = field('role') === 'master'
  return {
    isPrimary, version: Number(version ?? 0), history: field('master_replid'),
    offset: Number(field(isPrimary ? 'master_repl_offset' : 'slave_repl_offset')),
  }
}

/**
 * Whichever says that it takes writes. After a promotion the old one may come back and say so,
 * too: the catalogue went on without it, so the higher version is right; else the first.
 */
export function primaryOf<T extends { readonly look: ShelfLook | undefined }>(
  members: readonly T[],
): T | undefined {
  return members.filter(({ look }) => look?.isPrimary)
    .toSorted((a, b) => (b.look?.version ?? 0) - (a.look?.version ?? 0))[0]
}

/** The one of them to write to. A single one, or a cluster, is not asked. */
export async function primaryShelf(clients: readonly RedisClient[]): Promise<RedisClient> {
  const [only, ...others] = clients
  if (only && others.length === 0) return only
  const members = await Promise.all(clients.map(async (client) =>
    ({ client, look: await lookAtShelf(client).catch(() => undefined) })))
  const primary = primaryOf(members)
  if (!primary) {
    throw new Error('No Redis of the shelf takes writes: promote one with REPLICAOF NO ONE.')
  }
  return primary.client
}
