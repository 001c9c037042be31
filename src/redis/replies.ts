/** What flat replies of Redis mean. */
import type { RedisClient } from './connect.ts'

/** Names and values in turn, as a hash or an entry of a stream comes. */
export function fieldsOf(flat: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (let i = 0; i + 1 < flat.length; i += 2) fields[flat[i] ?? ''] = flat[i + 1] ?? ''
  return fields
}

export interface Scored {
  readonly member: string
  readonly score: number
}

/** Members and scores in turn, as WITHSCORES gives them. */
export function scoredOf(flat: readonly string[]): Scored[] {
  return Array.from({ length: flat.length / 2 }, (_, at) =>
    ({ member: flat[2 * at] ?? '', score: Number(flat[2 * at + 1]) }))
}

/** Redis's own clock in milliseconds; on a cluster that of one of its masters. */
export async function redisTimeMs(redis: RedisClient): Promise<number> {
  return timeMsOf(await redis.time())
}

/** What TIME answers, in milliseconds. */
export function timeMsOf(reply: unknown): number {
  const [seconds, microseconds] = reply as [string, string]
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
}

/** What the commands of a transaction answered; throws the first error among them. */
export function replyValues(
  replies: readonly (readonly [Error | null, unknown])[] | null,
): unknown[] {
  return (replies ?? []).map(([error, value]) => {
    if (error) throw error
    return value
  })
}
