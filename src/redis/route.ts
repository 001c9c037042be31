/** Which master holds a key, and the connection to it. */
import { Cluster, type Redis } from 'ioredis'
import { monotonicMs } from '../contract/time.ts'
import type { RedisClient } from './connect.ts'

/** The name of the only master where there is no cluster. */
const SINGLE = 'single'
const LEARN_EVERY_MS = 200
const learnt = new WeakMap<Cluster, number>()

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

/** The only one where there is no cluster. */
export const mastersOf = (client: RedisClient): Redis[] =>
  (client instanceof Cluster ? client.nodes('master') : [client])

/** As `laneOf` names a master. */
export const addressOf = (client: RedisClient, { options: { host, port } }: Redis): string =>
  (client instanceof Cluster ? `${host}:${port}` : SINGLE)

/** The address of the master that holds a key, as far as the client knows. */
export function laneOf(client: RedisClient, key: string): string {
  if (!(client instanceof Cluster)) return SINGLE
  return client.slots[slotOf(key)]?.[0] ?? 'unknown'
}

/**
 * Replicas of the key's master that the cluster counts as available, as the client last learnt: a
 * cluster leaves those out that a majority of its masters has marked as failed. Infinity where
 * there is no cluster, or where the client knows nothing yet.
 */
export function replicasFor(client: RedisClient, key: string): number {
  if (!(client instanceof Cluster)) return Infinity
  const members = client.slots[slotOf(key)]
  return members ? members.length - 1 : Infinity
}

/** Masters with fewer available replicas than `wanted`; 0 where there is no cluster. */
export function mastersShortOf(client: RedisClient, wanted: number): number {
  if (!(client instanceof Cluster)) return 0
  const shards = new Map(client.slots.filter(Boolean).map((members) => [members[0], members]))
  return [...shards.values()].filter((members) => members.length - 1 < wanted).length
}

/**
 * The connection to a master, when it stands: what is sent over any other may or may not arrive.
 * The cluster client would follow redirections by itself, but not those of a pipeline of which a
 * part succeeded; so batches go to a node's own connection and are redirected one by one.
 */
export function connectionTo(client: RedisClient, address: string): Redis | undefined {
  const node = client instanceof Cluster
    ? client.nodes().find(({ options: { host, port } }) => `${host}:${port}` === address)
    : client
  if (node?.status === 'ready') return node
  // A node's connection is opened by its first command.
  if (node?.status === 'wait') node.connect().catch(() => {})
  return undefined
}

/** Asks who owns which slot now: at once, but not for each of a thousand calls that failed. */
export function learn(client: RedisClient): void {
  if (!(client instanceof Cluster) || client.status !== 'ready') return
  const now = monotonicMs()
  if (now - (learnt.get(client) ?? -Infinity) < LEARN_EVERY_MS) return
  learnt.set(client, now)
  client.refreshSlotsCache(() => {})
}
