/** Texts of the shelf, many at once. */
import { Cluster } from 'ioredis'
import { Refusal } from '../contract/errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import { runMany } from '../redis/slots.ts'

/** One command where one server has all keys; null for what is not there. */
export async function readMany(
  shelf: RedisClient, names: readonly string[],
): Promise<(Buffer | null)[]> {
  if (names.length === 0) return []
  try {
    if (!(shelf instanceof Cluster)) return await shelf.mgetBuffer(...names)
    return await runMany(shelf, names.map((name) => ['getBuffer', name])) as (Buffer | null)[]
  } catch (cause) {
    throw new Refusal('unavailable', {}, cause)
  }
}
