/** How much memory a Redis may hold and holds. */
import { totalmem } from 'node:os'
import type { Redis } from 'ioredis'

export interface MemoryUse {
  /** Bytes; 0 where there is no limit. */
  readonly max: number
  readonly used: number
  /** Bytes of the machine that it runs on. */
  readonly machine: number
  /** Whether its last write to the disk, and its last rewrite or snapshot, went well. */
  readonly isPersisting: boolean
}

const MIB = 2 ** 20
/** Below it a catalogue of the sandbox does not fit. */
const SHARE_MIB_MIN = 256
const SERVERS = 2

/**
 * Bytes for each server of the embedded Redis: half of what both may hold. By itself that is half
 * of the machine's memory, or its container's, so that a rewrite and the nodes have the other half.
 */
export function embeddedShare(megabytes: number): number {
  const contained = process.constrainedMemory()
  const machine = contained > 0 ? Math.min(contained, totalmem()) : totalmem()
  const both = megabytes > 0 ? megabytes : machine / MIB / 2
  return Math.max(SHARE_MIB_MIN, Math.floor(both / SERVERS)) * MIB
}

/** What INFO says, which a managed Redis tells, too. */
export async function memoryUse(redis: Redis): Promise<MemoryUse> {
  const [memory, persistence] = await Promise.all([
    redis.info('memory'), redis.info('persistence'),
  ])
  const number = (name: string): number =>
    Number(RegExp(`^${name}:(\\d+)`, 'm').exec(memory)?.[1] ?? 0)
  return {
    max: number('maxmemory'), used: number('used_memory'),
    machine: number('total_system_memory'),
    isPersisting: !/^(aof_last_write_status|aof_last_bgrewrite_status|rdb_last_bgsave_status):err/m
      .test(persistence),
  }
}
