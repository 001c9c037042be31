/** A whole service of a test's own, to back up, lose and restore. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RestoreTarget } from '../backup/restore.ts'
import { cacheDir } from '../config.ts'
import { createLogger } from '../log.ts'
import { openRedis } from '../redis/connect.ts'
import { createDurable } from '../redis/durable.ts'
import { startEmbeddedRedis } from '../dev/redis/embedded.ts'
import { openRoles, type RedisUrls, urlsOf } from '../redis/roles.ts'
import { TEST_SECRET } from './node.ts'

export interface OwnRedis {
  readonly urls: RedisUrls
  readonly place: RestoreTarget
  stop(): Promise<void>
}

/** An embedded pair, with the ledger elsewhere where `ledger` names one. */
export async function startOwnRedis(
  { ledger, secret = TEST_SECRET }: { ledger?: string, secret?: string } = {},
): Promise<OwnRedis> {
  const log = createLogger('silent')
  const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-recovery-'))
  const pair = await startEmbeddedRedis({
    dataDir, cacheDir: cacheDir(), log, user: 'operator',
  })
  const urls = { ...urlsOf(pair), ...(ledger !== undefined && { ledger }) }
  const roles = await openRoles(urls, log, 'bulk')
  const durable = createDurable({ client: openRedis(urls.ledger, log), replicas: 0, log })
  return {
    urls,
    place: { ...roles, durable, log, secret },
    async stop() {
      durable.close()
      roles.close()
      await pair.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
