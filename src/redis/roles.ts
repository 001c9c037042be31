/** The three Redis roles of a process: opened together, closed together. */
import type { Logger } from '../log.ts'
import { openRedis, untilReady, type Purpose, type RedisClient } from './connect.ts'

export interface RedisUrls {
  readonly shelf: string
  readonly ledger: string
  readonly counters: string
}

export interface RedisRoles {
  readonly shelf: RedisClient
  readonly ledger: RedisClient
  readonly counters: RedisClient
  close(): void
}

export async function openRoles(
  urls: RedisUrls, log: Logger, purpose: Purpose = 'commands',
): Promise<RedisRoles> {
  const shelf = openRedis(urls.shelf, log, purpose, 'shelf')
  const ledger = openRedis(urls.ledger, log, purpose, 'ledger')
  const counters = openRedis(urls.counters, log, purpose, 'counters')
  const roles = { shelf, ledger, counters }
  const close = (): void => Object.values(roles).forEach((client) => client.disconnect())
  try {
    await Promise.all(Object.entries(roles).map(([name, client]) => untilReady(client, name)))
    return { ...roles, close }
  } catch (error) {
    close()
    throw error
  }
}
