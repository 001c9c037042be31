/** What the figures were measured on and with. */
import { availableParallelism, cpus } from 'node:os'
import type { RedisClient } from '../../src/redis/connect.ts'

export async function machineFacts(shelf: RedisClient): Promise<string> {
  const modules = JSON.stringify(await shelf.call('MODULE', 'LIST'))
  const search = /"(?:search|searchlight|ft)","ver",(\d+)/.exec(modules)?.[1]
  const redis = /^redis_version:(\S+)/m.exec(await shelf.info('server') as string)?.[1]
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    `Redis ${redis ?? 'unknown'}`,
    ...(search ? [`RediSearch ${moduleVersion(Number(search))}`] : []),
  ].join(', ')
}

/** 21005 is 2.10.5. */
export const moduleVersion = (number: number): string =>
  [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100].join('.')
