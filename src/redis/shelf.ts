/** The Redis servers of the shelf: one takes writes, the others follow it. Which one, they say. */
import { withDeadline } from '../contract/time.ts'
import type { RedisClient } from './connect.ts'
import { shelf as keys } from './keys.ts'

/** What one of them says of itself. */
export interface ShelfLook {
  readonly isPrimary: boolean
  /** The catalogue's version that it holds. */
  readonly version: number
  /** Names the history of writes that its offset counts in; a promotion begins another. */
  readonly history: string
  readonly offset: number
}

const LOOK_MS_MAX = 1000

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
