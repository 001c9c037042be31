import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import { PATIENCE_MS } from '../testing/patience.ts'
import { openRedis, untilReady, type RedisClient } from './connect.ts'
import { assertDurable, type Promises } from './durability.ts'
import { ask } from '../dev/redis/server.ts'

const PROMISES: Promises = {
  ledgerReplicas: 0, ledgerReplicasMin: 0, ledgerFsync: 'always', ledgerMemoryLimit: 'required',
}
const ONE = { ...PROMISES, ledgerReplicas: 1, ledgerReplicasMin: 1 }
const said: string[] = []
const log = createLogger('silent')
log.warn = ((...given: unknown[]) => { said.push(String(given.at(-1))) }) as typeof log.warn

let own: OwnLedger
let ledger: RedisClient

beforeAll(async () => {
  own = await startLedger({ settings: 'repl-diskless-sync-delay 0' })
  ledger = openRedis(own.url, log)
  await untilReady(ledger, 'ledger')
})

afterAll(async () => {
  ledger.disconnect()
  await own.stop()
})

const set = (name: string, value: string) =>
  ask(own.server, (redis) => redis.config('SET', name, value))

/** What it says with one setting changed, and that it says nothing once it is changed back. */
async function refusal(name: string, value: string, promises = PROMISES): Promise<string> {
  const [, before] = await ask(own.server, (redis) => redis.config('GET', name)) as string[]
  await set(name, value)
  const sentence = await assertDurable(ledger, promises, log, 0).then(() => '', String)
  await set(name, before ?? '')
  await assertDurable(ledger, PROMISES, log, 0)
  return sentence
}

test('a ledger that would lose what was acknowledged keeps a node from starting', async () => {
  expect(await refusal('appendonly', 'no')).toMatch(/keeps no log of its writes .* appendonly yes/)
  expect(await refusal('appendfsync', 'everysec'))
    .toMatch(/appendfsync everysec, LEDGER_FSYNC asks for always/)
  expect(await refusal('maxmemory-policy', 'volatile-lru')).toMatch(/volatile-lru.* noeviction/)
  expect(await refusal('appendfsync', 'no', { ...PROMISES, ledgerFsync: 'everysec' }))
    .toMatch(/appendfsync no, LEDGER_FSYNC asks for everysec/)
})

test('a ledger without maxmemory keeps a node from starting, or is warned of', async () => {
  expect(await refusal('maxmemory', '0'))
    .toMatch(/has no maxmemory: .* at most half .* LEDGER_MEMORY_LIMIT=warn/)
  said.length = 0
  expect(await refusal('maxmemory', '0', { ...PROMISES, ledgerMemoryLimit: 'warn' })).toBe('')
  expect(said).toContainEqual(expect.stringMatching(/has no maxmemory/))
})

test('one that leaves its machine no room for a rewrite is warned of', async () => {
  said.length = 0
  expect(await refusal('maxmemory', '1000000gb')).toBe('')
  expect(said).toContainEqual(expect.stringMatching(/too little of its machine/))
})

test('a stronger ledger than was asked for is welcome', async () => {
  await assertDurable(ledger, { ...PROMISES, ledgerFsync: 'everysec' }, log, 0)
})

test('too few replicas are waited for, then refused by name and number', async () => {
  await expect(assertDurable(ledger, ONE, log, 50))
    .rejects.toThrow(/has 0 replicas in step, LEDGER_REPLICAS asks for 1/)
  const checked = assertDurable(ledger, ONE, log, PATIENCE_MS)
  const replica = await startLedger({ master: own })
  try {
    said.length = 0
    await checked
    expect(said).toEqual([expect.stringContaining('min-replicas-to-write')])
  } finally {
    await replica.stop()
  }
})

test('a server that does not tell its settings is warned of, and used', async () => {
  await ask(own.server, (redis) =>
    redis.call('ACL', 'SETUSER', 'tenant', 'on', '>tenant', '~*', '&*', '+@all', '-config'))
  const url = own.url.replace('redis://:one-test-only', 'redis://tenant:tenant')
  const managed = openRedis(url, log)
  try {
    await untilReady(managed, 'ledger')
    said.length = 0
    await assertDurable(managed, PROMISES, log, 0)
    expect(said).toEqual([expect.stringContaining('does not tell its settings')])
  } finally {
    managed.disconnect()
  }
})
