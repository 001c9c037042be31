/** The three Redis roles of a process: opened together, closed together. */
import type { Logger } from '../log.ts'
import { openRedis, untilReady, type Purpose, type RedisClient } from './connect.ts'
import { primaryShelf } from './shelf.ts'

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

export interface ReaderRoles extends Omit<RedisRoles, 'shelf' | 'shelfUrl'> {
  /** Every server of the shelf in the order of the settings, of which at least one answers. */
  readonly shelves: readonly RedisClient[]
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

/** A moment more for the others, so that the first requests find all that are well. */
const OTHERS_MS = 500

async function anyReady(shelves: readonly RedisClient[]): Promise<void> {
  await Promise.any(shelves.map((client) => untilReady(client, 'shelf')))
    .catch((error: AggregateError) => { throw error.errors[0] })
  await Promise.allSettled(shelves.map((client) => untilReady(client, 'shelf', OTHERS_MS)))
}
