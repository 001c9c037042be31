import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { createSecrets, type Secrets } from './derive.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { keptSecret, openSecrets, secretRefusal } from './open.ts'
import { emptyLedger } from '../testing/spare.ts'

const ledger = openRedis(await emptyLedger(), createLogger('silent'))
await untilReady(ledger, 'ledger')
afterAll(async () => {
  ledger.disconnect()
})
beforeEach(async () => { await ledger.flushall() })

const [OLD, NEXT, STRANGE] = ['o', 'n', 's'].map((letter) => letter.repeat(32)) as
  [string, string, string]
const open = (text: string): Promise<Secrets> => openSecrets(ledger, text)
const hashOf = ({ keyedHash }: Secrets): string => keyedHash('email', 'somebody')
/** As code left it that knew one secret and kept no keys. */
const madeBefore = (text: string) =>
  ledger.set(keys.secretFingerprint, createSecrets(text).fingerprints[0])

test('keys of keyed hashes are random, and one set for all who start at once', async () => {
  const hashes = (await Promise.all([OLD, OLD, `${OLD},${NEXT}`, `${NEXT},${OLD}`].map(open)))
    .map(hashOf)
  expect(new Set(hashes).size).toBe(1)
  expect(hashes[0]).not.toBe(hashOf(createSecrets(OLD)))
  expect(JSON.stringify(await ledger.hgetall(keys.hashKeys))).not.toContain(hashes[0])
})

test.each(['a ledger of this code', 'a ledger of code that kept no keys'])(
  '%s keeps its hashes when SECRET is replaced', async (which) => {
    if (which.includes('no keys')) await madeBefore(OLD)
    const hash = hashOf(await open(OLD))
    const derived = hashOf(createSecrets(OLD))
    expect(which.includes('no keys') ? hash : derived).toBe(derived)
    for (const text of [`${OLD},${NEXT}`, `${NEXT},${OLD}`, NEXT, OLD]) {
      expect(hashOf(await open(text)), text).toBe(hash)
    }
    expect(hashOf(await open(`${STRANGE},${NEXT}`))).toBe(hash)
    expect(hashOf(await open(STRANGE))).toBe(hash)
  })

test('a ledger of code that kept no keys opens with a list at once', async () => {
  await madeBefore(OLD)
  expect(hashOf(await open(`${NEXT},${OLD}`))).toBe(hashOf(createSecrets(OLD)))
})

test.each([['with keys', false], ['without keys', true]])(
  'another secret is refused, and nothing is written: a ledger %s', async (_, isOlder) => {
    if (isOlder) await madeBefore(OLD)
    else await open(OLD)
    const before = [await ledger.hgetall(keys.hashKeys), await ledger.get(keys.secretFingerprint)]
    await expect(open(STRANGE)).rejects.toThrow(ConfigError)
    expect(await secretRefusal(ledger, STRANGE)).toMatch(/^SECRET is not the one that this ledger/)
    expect(await secretRefusal(ledger, `${STRANGE},${OLD}`)).toBeUndefined()
    expect([await ledger.hgetall(keys.hashKeys), await ledger.get(keys.secretFingerprint)])
      .toEqual(before)
  })

test('a ledger that lost its keys is refused, and gets no others', async () => {
  await open(OLD)
  await ledger.del(keys.hashKeys)
  await expect(open(OLD)).rejects.toThrow(/lost the keys of its keyed hashes: restore a backup/)
  expect(await ledger.exists(keys.hashKeys)).toBe(0)
})

test('code that knows one secret alone does not take a new ledger for its own', async () => {
  await open(OLD)
  expect(await ledger.get(keys.secretFingerprint)).not.toBe(createSecrets(OLD).fingerprints[0])
})

describe('the file in the data directory', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agentmall-secret-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = { dataDir, secret: undefined }

  test('may name several secrets, and none that is cut off', () => {
    writeFileSync(join(dataDir, 'secret'), `${NEXT},${OLD}\n`)
    expect(keptSecret(config)).toBe(`${NEXT},${OLD}`)
    writeFileSync(join(dataDir, 'secret'), `${NEXT},\n`)
    expect(() => keptSecret(config)).toThrow(/The secret in .*secret must have at least 32/)
  })
})
