/** SECRET: kept in the data directory beside the embedded Redis, or given for an external one. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type Config } from './config.ts'
import type { Secrets } from './ids.ts'
import type { RedisClient } from './redis/connect.ts'
import { ledger as keys } from './redis/keys.ts'

type Settings = Pick<Config, 'secret' | 'dataDir'>

const fileOf = ({ dataDir }: Settings): string => join(dataDir, 'secret')

/** Undefined where none is given and the first start has not made one yet. */
export function keptSecret(config: Settings): string | undefined {
  if (config.secret) return config.secret
  const file = fileOf(config)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

export function readSecret(config: Settings): string {
  const kept = keptSecret(config)
  if (kept !== undefined) return kept
  const file = fileOf(config)
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
  if (!await isSameSecret(ledger, secrets)) {
    throw new ConfigError(
      'SECRET is not the one that this ledger was made with: every node must use the same.')
  }
}

/** Whether the ledger was made with it; a ledger that nothing was made on knows none. */
export async function isSameSecret(ledger: RedisClient, secrets: Secrets): Promise<boolean> {
  const known = await ledger.get(keys.secretFingerprint)
  return known === null || known === secrets.fingerprint
}
