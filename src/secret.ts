/** SECRET: kept in the data directory beside the embedded Redis, or given for an external one. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type Config } from './config.ts'
import type { Secrets } from './ids.ts'
import type { RedisClient } from './redis/connect.ts'
import { ledger as keys } from './redis/keys.ts'

export function readSecret(config: Config): string {
  if (config.secret) return config.secret
  const file = join(config.dataDir, 'secret')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const secret = randomBytes(32).toString('base64url')
  // wx: of two processes that start at once, one writes and the other reads.
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readFileSync(file, 'utf8').trim()
    throw error
  }
}

/** Another secret would make other hashes and order numbers over the same ledger. */
export async function assertSameSecret(ledger: RedisClient, secrets: Secrets): Promise<void> {
  await ledger.setnx(keys.secretFingerprint, secrets.fingerprint)
  if (await ledger.get(keys.secretFingerprint) !== secrets.fingerprint) {
    throw new ConfigError(
      'SECRET is not the one that this ledger was made with: every node must use the same.')
  }
}
