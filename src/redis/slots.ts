/** Which commands may share one pipeline: those whose keys live on the same master. */
import { Cluster } from 'ioredis'
import type { RedisClient } from './connect.ts'

/** A command whose first argument is its key. */
export type KeyCommand = readonly [name: string, key: string, ...args: (string | number)[]]

/** A pipeline is never longer than this, so that no other caller waits long behind it. */
const PIPELINE_MAX = 256

/** CRC-16/XMODEM of the part in braces, as Redis Cluster computes it. */
export function slotOf(key: string): number {
  const open = key.indexOf('{')
  const close = open < 0 ? -1 : key.indexOf('}', open + 1)
  const tag = close > open + 1 ? key.slice(open + 1, close) : key
  let crc = 0
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
    }
  }
  return crc & 0x3fff
}

/** Names the master that holds a key, as far as the client knows; one name without a cluster. */
export function laneOf(client: RedisClient, key: string): string {
  if (!(client instanceof Cluster)) return 'single'
  return client.slots[slotOf(key)]?.join(';') ?? 'unknown'
}

/**
 * Runs many commands in as few round trips as their masters allow. Replies come in the order of
 * the commands; the first failure rejects.
 */
export async function runMany(
  client: RedisClient, commands: readonly KeyCommand[],
): Promise<unknown[]> {
  const groups = new Map<string, number[]>()
  for (const [index, [, key]] of commands.entries()) {
    const lane = laneOf(client, key)
    const group = groups.get(lane)
    if (group) group.push(index)
    else groups.set(lane, [index])
  }
  const replies: unknown[] = []
  await Promise.all([...groups.values()].map(async (indexes) => {
    for (let from = 0; from < indexes.length; from += PIPELINE_MAX) {
      const part = indexes.slice(from, from + PIPELINE_MAX)
      const results = await client.pipeline(part.map((index) => [...commands[index] ?? []])).exec()
      for (const [position, index] of part.entries()) {
        const [error, reply] = results?.[position] ?? [new Error('no reply'), undefined]
        if (error) throw error
        replies[index] = reply
      }
    }
  }))
  return replies
}
