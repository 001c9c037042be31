/** How much memory the node and its Redis have come to use. */
import type { RedisClient } from '../../src/redis/connect.ts'
import { residentMb } from './processes.ts'
import type { Row } from './report.ts'
import type { Stand } from './stand.ts'

const REDIS_MB_MAX = 350
const NODE_MB_MAX = 200

/** Taken before the load, when Redis holds the catalogue and nothing else. */
export async function redisMb({ redis }: Stand): Promise<number> {
  return await usedMb(redis.shelf) + await usedMb(redis.ledger)
}

async function usedMb(redis: RedisClient): Promise<number> {
  const info = await redis.info('memory') as string
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1]) / 2 ** 20
}

export function memoryRows(stand: Stand, catalogueMb: number, items: number): Row[] {
  const before = stand.residentMbAtStart ?? NaN
  const after = residentMb(stand.node.pid) ?? NaN
  return [
    row(`Redis, shelf and ledger, ${items} items`, catalogueMb, REDIS_MB_MAX),
    row(`node under load (${before.toFixed(0)} MB before its first request)`, after, NODE_MB_MAX),
  ]
}

const row = (label: string, mb: number, max: number): Row => ({
  label, measured: `${mb.toFixed(0)} MB`, limit: '', ratio: '', target: `≤ ${max} MB`,
  verdict: mb <= max ? 'met' : 'missed',
})
