/** Says which webhook endpoints have news. What is lost is found by the workers' sweep. */
import type { RedisClient } from '../redis/connect.ts'
import { channels, counters as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import { shardOf } from './endpoints.ts'

const NEWS_MS = 3_600_000

export type Ring = (ids: readonly string[]) => Promise<void>

/** Never rejects: who rings has done what it should already. */
export const createRing = (counters: RedisClient): Ring => async (ids) => {
  const shards = new Map<number, string[]>()
  for (const id of ids) shards.set(shardOf(id), [...shards.get(shardOf(id)) ?? [], id])
  await Promise.all([...shards].map(async ([shard, members]) => {
    const news = keys.webhookNews(shard)
    try {
      await runMany(counters, [['sadd', news, ...members], ['pexpire', news, NEWS_MS]])
      await counters.publish(channels.webhookNews, String(shard))
    } catch {
      // The sweep finds them.
    }
  }))
}
