/** What every Redis has of its memory, and what is left of the disk of the data directory. */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Cluster, type Redis } from 'ioredis'
import { monotonicMs, withDeadline } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import { memoryUse, type MemoryUse } from '../redis/durability.ts'
import type { MetricFamily, MetricSample } from './families.ts'

export interface MemoryOptions {
  readonly redis: Readonly<Record<'ledger' | 'shelf' | 'counters', RedisClient>>
  readonly dataDir: string
}

interface Look extends MemoryUse {
  readonly labels: { readonly role: string, readonly address: string }
}

const CACHE_MS = 5000
const LOOK_MS_MAX = 1000

export function createMemoryLook(place: MemoryOptions): () => Promise<MetricFamily[]> {
  let looked: { readonly at: number, readonly families: Promise<MetricFamily[]> } | undefined
  return async () => {
    if (!looked || monotonicMs() - looked.at >= CACHE_MS) {
      looked = { at: monotonicMs(), families: lookAt(place) }
    }
    return await looked.families
  }
}

/** One that does not answer has no series: others tell of it. */
async function lookAt({ redis, dataDir }: MemoryOptions): Promise<MetricFamily[]> {
  const asked = await Promise.all(Object.entries(redis).flatMap(([role, client]) =>
    nodesOf(client).map((node) => lookAtOne(role, node).catch(() => undefined))))
  const looks = asked.filter((look) => look !== undefined)
  const gauge = (name: string, help: string, values: readonly MetricSample[]): MetricFamily =>
    ({ name: `agentmall_${name}`, help, type: 'gauge', values })
  const of = (value: (look: Look) => number): MetricSample[] =>
    looks.map((look) => ({ labels: look.labels, value: value(look) }))
  const { free, size } = await diskOf(dataDir)
  return [
    gauge('redis_memory_used_bytes', 'Memory that a Redis holds', of(({ used }) => used)),
    gauge('redis_memory_max_bytes', 'Its maxmemory; 0 where it has none', of(({ max }) => max)),
    gauge('redis_persistence_ok', 'Whether its last write to the disk and last rewrite went well',
      of(({ isPersisting }) => Number(isPersisting))),
    gauge('data_disk_free_bytes', 'Left of the file system of DATA_DIR',
      [{ labels: {}, value: free }]),
    gauge('data_disk_size_bytes', 'Size of that file system', [{ labels: {}, value: size }]),
  ]
}

const nodesOf = (client: RedisClient): Redis[] =>
  (client instanceof Cluster ? client.nodes('master') : [client])

async function lookAtOne(role: string, node: Redis): Promise<Look> {
  const { host = '', port = 0 } = node.options
  const use = await withDeadline(memoryUse(node), LOOK_MS_MAX, () => new Error('it is late'))
  return { ...use, labels: { role, address: `${host}:${port}` } }
}

async function diskOf(dataDir: string): Promise<{ free: number, size: number }> {
  let there = dataDir
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  const { bavail, blocks, bsize } = await statfs(there)
  return { free: bavail * bsize, size: blocks * bsize }
}
