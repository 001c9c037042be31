/**
 * SECRET: kept in the data directory beside the embedded Redis, or given for an external one. The
 * keys of keyed hashes are random and live on the ledger, sealed under each secret of SECRET: so
 * API keys, order numbers and fingerprints stay what they are when SECRET changes.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type Config } from '../config.ts'
import {
  createSecrets, hashKeysFrom, randomHashKeys, secretProblem, secretsIn, type HashKeys,
  type Secrets,
} from './derive.ts'
import { untilCopied, type Durable } from '../redis/durable.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

type Settings = Pick<Config, 'secret' | 'dataDir'>

const fileOf = ({ dataDir }: Settings): string => join(dataDir, 'secret')

/** Undefined where none is given and the first start has not made one yet. */
export function keptSecret(config: Settings): string | undefined {
  if (config.secret) return config.secret
  const file = fileOf(config)
  return existsSync(file) ? readKept(file) : undefined
}

function readKept(file: string): string {
  const text = readFileSync(file, 'utf8').trim()
  const problem = secretProblem(text)
  if (problem !== undefined) throw new ConfigError(`The secret in ${file} ${problem}`)
  return text
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readKept(file)
    throw error
  }
}

const hashKeysKeep = defineScript('hash-keys-keep', ['hash_keys'], ['envelopes', 'is_new'],
  (done: number) => done === 1)

/** Stands where older code looks for the fingerprint of its one secret. */
const KEPT = 'kept'
const BOUND = 'ledger'

/** Throws a ConfigError where none of the secrets in `text` opens the ledger's keys. */
export async function openSecrets(ledger: RedisClient, text: string): Promise<Secrets> {
  const own = createSecrets(text)
  const found = await findHashKeys(ledger, own, text)
  if (found.refusal !== undefined) throw new ConfigError(found.refusal)
  const hashKeys = found.hashKeys ?? randomHashKeys()
  const missing = secretsIn(text).filter((_, index) =>
    !Object.hasOwn(found.kept, own.ids[index] ?? ''))
  if (missing.length > 0) {
    const envelopes = Object.fromEntries(missing.map((secret): [string, string] => {
      const { ids: [id], seal } = createSecrets(secret)
      return [id, seal('hash-keys').seal(JSON.stringify(hashKeys), BOUND)]
    }))
    const isNew = Object.keys(found.kept).length === 0
    const isKept = await hashKeysKeep.run(ledger, { hash_keys: keys.hashKeys },
      { envelopes: JSON.stringify(envelopes), is_new: isNew ? 1 : 0 })
    if (!isKept) return await openSecrets(ledger, text)
    // Nothing may be hashed with keys that a failover could take away.
    await untilCopied(ledger)
  }
  if (found.madeWith === null) await ledger.setnx(keys.secretFingerprint, KEPT)
  return createSecrets(text, hashKeys)
}

/** Why SECRET does not fit the ledger; undefined when it does. Writes nothing. */
export const secretRefusal = async (
  ledger: RedisClient, text: string,
): Promise<string | undefined> => (await findHashKeys(ledger, createSecrets(text), text)).refusal

/** Ids of secrets that open the ledger's keys, of SECRET or not. */
export const openingIds = (ledger: RedisClient): Promise<string[]> => ledger.hkeys(keys.hashKeys)

/** From then on they open nothing but what was sealed under them; the keys must have others. */
export async function endSecrets(
  durable: Pick<Durable, 'send'>, ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await durable.send('hdel', keys.hashKeys, ...ids)
}

interface Found {
  /** By the ids of the secrets that they are sealed under. */
  readonly kept: Readonly<Record<string, string>>
  readonly madeWith: string | null
  /** Absent on a ledger that nothing was made on. */
  readonly hashKeys?: HashKeys
  readonly refusal?: string
}

async function findHashKeys(ledger: RedisClient, own: Secrets, text: string): Promise<Found> {
  const madeWith = await ledger.get(keys.secretFingerprint)
  const kept = await ledger.hgetall(keys.hashKeys)
  const found = { kept, madeWith }
  const envelope = own.ids.flatMap((id) => kept[id] ?? [])[0]
  if (envelope !== undefined) {
    const opened = own.seal('hash-keys').open(envelope, BOUND)
    return { ...found, hashKeys: JSON.parse(opened) as HashKeys }
  }
  if (Object.keys(kept).length > 0) return { ...found, refusal: OTHER }
  if (madeWith === null) return found
  if (madeWith === KEPT) return { ...found, refusal: LOST }
  const secret = secretsIn(text)[own.fingerprints.indexOf(madeWith)]
  return secret === undefined ? { ...found, refusal: OTHER }
    : { ...found, hashKeys: hashKeysFrom(secret) }
}

const OTHER = 'SECRET is not the one that this ledger was made with, nor one that it was rotated '
  + 'to: every node must use the same.'
const LOST = 'The ledger has lost the keys of its keyed hashes: restore a backup of it '
  + '(docs/operations.md). Without them no API key can be known again.'
