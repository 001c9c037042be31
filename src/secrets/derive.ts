/** What derives from SECRET: keyed hashes, order numbers, tokens and the keys of seals. */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { base32, partitionText } from '../contract/ids.ts'
import { partitionOf } from '../redis/keys.ts'
import { createSeal, type Seal } from './seal.ts'
import { createSigningKey, type SigningKey } from './signing-key.ts'

/**
 * What SECRET protects. It is one secret, or several with commas: the first seals and signs, all
 * open and verify. Keyed hashes have keys of their own, which stay when SECRET changes.
 */
export interface Secrets {
  /** Stored form of an API key or binding code, base64url. */
  keyHash(key: string): string
  /** The same attempt always has the same order number. */
  orderNo(agent: string, idempotencyKey: string, productId: number): string
  /** 80 bits in base32 that the same parts always have. */
  id(purpose: string, ...parts: string[]): string
  /** 128 bits in base64url that the same subject always has: what is kept is found by it. */
  keyedHash(purpose: string, subject: string): string
  keyedHashMatches(purpose: string, subject: string, hash: string): boolean
  /** Short authenticator for links and cookies that the service hands out. */
  token(purpose: string, subject: string): string
  tokenMatches(purpose: string, subject: string, token: string): boolean
  seal(kind: SealedKind): Seal
  readonly passwordPepper: Buffer
  /** What others verify with a published key: the first signs, all are published. */
  readonly signingKeys: readonly [SigningKey, ...SigningKey[]]
  /** One for each secret, which tells it from others without telling it. */
  readonly fingerprints: readonly [string, ...string[]]
  /** The same in short: they stand in envelopes. */
  readonly ids: readonly [string, ...string[]]
}

/** The letter of its envelopes, and the use that its key is derived for. */
const SEALS = {
  receiver: ['r', 'receiver'],
  payee: ['p', 'key-for:payee'],
  email: ['e', 'key-for:email'],
  'mail-proof': ['m', 'key-for:mail-proof'],
  'hash-keys': ['h', 'key-for:hash-keys'],
  webhook: ['w', 'key-for:webhook'],
} as const
export type SealedKind = keyof typeof SEALS

/** Keyed hashes that are kept, and the use that code without kept keys derived theirs for. */
const HASH_USES = {
  apiKey: 'api-key', orderNo: 'order-no', id: 'id', kept: 'token', password: 'key-for:password',
} as const
type HashUse = keyof typeof HASH_USES
/** 32 bytes each, base64url. */
export type HashKeys = Readonly<Record<HashUse, string>>

const SECRET_LENGTH_MIN = 32
const SECRETS_MAX = 4
const KEY_ID_LENGTH = 8

/** The secrets of a value of SECRET. */
export const secretsIn = (text: string): string[] => text.split(',').map((one) => one.trim())

/** What is wrong with a value of SECRET, as the end of a sentence; undefined where nothing is. */
export function secretProblem(text: string): string | undefined {
  const secrets = secretsIn(text)
  if (secrets.some((one) => one.length < SECRET_LENGTH_MIN)) {
    return `must have at least ${SECRET_LENGTH_MIN} characters, each of several.`
  }
  if (new Set(secrets).size < secrets.length) return 'must not name a secret twice.'
  return secrets.length > SECRETS_MAX ? `may name at most ${SECRETS_MAX} secrets.` : undefined
}

type Derive = (use: string) => Buffer

/** Every use of a secret has its own key, so that one value can never pass for another. */
const derivation = (secret: string): Derive => (use) =>
  Buffer.from(hkdfSync('sha256', secret, 'agentmall', use, 32))

const fingerprintOf = (derive: Derive): string =>
  createHash('sha256').update(derive('fingerprint')).digest('base64url')

const hashKeys = (keyFor: (use: HashUse) => Buffer): HashKeys =>
  Object.fromEntries((Object.keys(HASH_USES) as HashUse[])
    .map((use) => [use, keyFor(use).toString('base64url')])) as HashKeys

export const randomHashKeys = (): HashKeys => hashKeys(() => randomBytes(32))

/** Those of a ledger that keeps none: its one secret was all there was. */
export const hashKeysFrom = (secret: string): HashKeys =>
  hashKeys((use) => derivation(secret)(HASH_USES[use]))

const hmac = (key: Buffer, ...parts: string[]): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest()

const tokenWith = (key: Buffer, purpose: string, subject: string): string =>
  hmac(key, purpose, subject).subarray(0, 16).toString('base64url')

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** `text` is a value of SECRET, `kept` what its ledger keeps: see `openSecrets`. */
export function createSecrets(
  text: string, kept: HashKeys = hashKeysFrom(secretsIn(text)[0] ?? ''),
): Secrets {
  const derivations = secretsIn(text).map(derivation) as [Derive, ...Derive[]]
  const fingerprints = mapAll(derivations, fingerprintOf)
  const ids = mapAll(fingerprints, (one) => one.slice(0, KEY_ID_LENGTH))
  const tokenKeys = mapAll(derivations, (derive) => derive('token'))
  const keyFor = (use: HashUse): Buffer => Buffer.from(kept[use], 'base64url')
  const [keyHashKey, orderKey, idKey, keptKey] =
    [keyFor('apiKey'), keyFor('orderNo'), keyFor('id'), keyFor('kept')]
  const seals = Object.fromEntries(Object.entries(SEALS).map(([kind, [letter, use]]) =>
    [kind, createSeal(letter, mapAll(derivations, (derive, index) =>
      ({ id: ids[index] ?? '', key: derive(use) })))])) as Record<SealedKind, Seal>
  const signingKeys = mapAll(derivations, (derive, index) =>
    createSigningKey(derive, ids[index] ?? ''))
  const keyedHash = (purpose: string, subject: string): string =>
    tokenWith(keptKey, purpose, subject)
  return {
    keyHash: (key) => hmac(keyHashKey, key).toString('base64url'),
    orderNo(agent, idempotencyKey, productId) {
      const partition = partitionOf(productId)
      const digest = hmac(orderKey, agent, idempotencyKey.toLowerCase(), String(productId))
      return `AM${partitionText(partition)}${base32(digest.subarray(0, 10))}`
    },
    id: (purpose, ...parts) => base32(hmac(idKey, purpose, ...parts).subarray(0, 10)),
    keyedHash,
    keyedHashMatches: (purpose, subject, given) => isSame(keyedHash(purpose, subject), given),
    token: (purpose, subject) => tokenWith(tokenKeys[0], purpose, subject),
    tokenMatches: (purpose, subject, given) =>
      tokenKeys.some((key) => isSame(tokenWith(key, purpose, subject), given)),
    seal: (kind) => seals[kind],
    passwordPepper: keyFor('password'),
    signingKeys,
    fingerprints,
    ids,
  }
}

const mapAll = <T, R>(
  [first, ...rest]: readonly [T, ...T[]], change: (one: T, index: number) => R,
): [R, ...R[]] => [change(first, 0), ...rest.map((one, index) => change(one, index + 1))]
