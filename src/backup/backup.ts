/** One backup of a ledger that is in use. */
import type { Secrets } from '../secrets/derive.ts'
import type { RedisClient } from '../redis/connect.ts'
import { readFormat } from '../redis/format.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { mastersOf } from '../redis/route.ts'
import { countKeys } from '../redis/scan.ts'
import { VERSION } from '../version.ts'
import type { ArchiveWriter, Manifest } from './archive.ts'
import { copyLedger } from './copy.ts'

export async function backupLedger(
  { ledger, secrets }: { ledger: RedisClient, secrets: Pick<Secrets, 'fingerprints'> },
  archive: ArchiveWriter,
  onProgress: (records: number, total: number) => void = () => {},
): Promise<Manifest> {
  const startedAt = await redisTimeMs(ledger)
  const total = await countKeys(ledger)
  const copied = await copyLedger({
    ledger, archive, onProgress: (records) => onProgress(records, total),
  })
  return await archive.finish({
    version: VERSION, redis: await versionOf(ledger), startedAt,
    finishedAt: await redisTimeMs(ledger), format: await readFormat(ledger),
    secretFingerprint: secrets.fingerprints[0], ...copied,
  })
}

/** RESTORE refuses values of a later version than its own. */
async function versionOf(ledger: RedisClient): Promise<string> {
  const info = await mastersOf(ledger)[0]?.info('server') ?? ''
  return /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown'
}
