import { randomUUID } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { channels, ledger as ledgerKeys } from '../redis/keys.ts'
import { ApiKeys } from './api-keys.ts'

const log = createLogger('silent')
const ledger = openRedis(inject('redis').ledgerUrl, log)
const bell = openRedis(inject('redis').ledgerUrl, log, 'subscribe')
await untilReady(ledger, 'ledger')
await untilReady(bell, 'ledger')
afterAll(() => {
  ledger.disconnect()
  bell.disconnect()
})

const secrets = createSecrets('keys-test'.repeat(4))
const node = (takeTrial = async (): Promise<Refusal | undefined> => undefined) =>
  new ApiKeys({ ledger, secrets, log, takeTrial })

test('a new key is known on every node at once, an unknown one on none', async () => {
  const { apiKey, agent, account } = await node().createKey({ tier: 't1', label: 'test' })
  expect(await node().lookup(apiKey)).toEqual({ agent, account, tier: 't1' })
  expect(await node().lookup(`${apiKey.slice(0, -1)}!`)).toBeUndefined()
  expect(await node().lookup(`ak_${'0'.repeat(32)}`)).toBeUndefined()
})

test('only the hash of a key and its first eight characters are stored', async () => {
  const { apiKey, agent } = await node().createKey({ tier: 't1', label: randomUUID() })
  const stored = JSON.stringify([
    await ledger.hgetall(ledgerKeys.agent(agent)),
    await ledger.hgetall(ledgerKeys.key(secrets.keyHash(apiKey))),
  ])
  expect(stored).toContain(apiKey.slice(0, 8))
  expect(stored).not.toContain(apiKey.slice(0, 12))
})

test('a revoked key is refused here at once, and elsewhere when the message arrives', async () => {
  const [here, elsewhere] = [node(), node()]
  const { apiKey } = await here.createKey({ tier: 't1', label: 'test' })
  await elsewhere.lookup(apiKey)
  await bell.subscribe(channels.keyChanged)
  const heard = new Promise<void>((resolve) => {
    bell.on('message', (_, hash: string) => {
      if (hash !== secrets.keyHash(apiKey)) return
      elsewhere.forget(hash)
      resolve()
    })
  })
  expect(await here.revoke(apiKey)).toBe(1)
  expect(await here.lookup(apiKey)).toBeUndefined()
  await heard
  expect(await elsewhere.lookup(apiKey)).toBeUndefined()
})

test('a lost message changes nothing for long: a cached key lives under a second', async () => {
  const [here, deaf] = [node(), node()]
  const { apiKey } = await here.createKey({ tier: 't1', label: 'test' })
  await deaf.lookup(apiKey)
  await here.revoke(apiKey)
  await expect.poll(() => deaf.lookup(apiKey)).toBeUndefined()
})

test('revoking an agent revokes all its keys, once', async () => {
  const apiKeys = node()
  const { apiKey, agent } = await apiKeys.createKey({ tier: 't1', label: 'test' })
  expect(await apiKeys.revoke(agent)).toBe(1)
  expect(await apiKeys.revoke(agent)).toBe(0)
  expect(await apiKeys.lookup(apiKey)).toBeUndefined()
})

test('of forty at once an account takes five agents, on two nodes, and refuses the others',
  async () => {
    const nodes = [node(), node()]
    const { account } = await node().createTrialKey('192.0.2.9')
    const results = await Promise.allSettled(Array.from({ length: 40 }, (_, index) =>
      nodes[index % 2]?.createKey({ tier: 't1', label: 'herd', account })))
    const made = results.filter(({ status }) => status === 'fulfilled')
    const refusals = results.flatMap((result) =>
      (result.status === 'rejected' ? [(result.reason as Refusal).error] : []))
    // The trial's own agent is one of the five.
    expect(made).toHaveLength(4)
    expect(refusals).toEqual(Array.from({ length: 36 }, () => 'agent_limit'))
    expect((await ledger.hkeys(ledgerKeys.account(account)))
      .filter((field) => field.startsWith('member:'))).toHaveLength(5)
  })

test('a trial key waits in its own account behind a binding code', async () => {
  const apiKeys = node()
  const { apiKey, account, bindingCode } = await apiKeys.createTrialKey('192.0.2.1')
  expect(apiKey).toMatch(/^ak_trial_/)
  expect(await apiKeys.lookup(apiKey)).toMatchObject({ account, tier: 'trial' })
  expect(await ledger.get(ledgerKeys.binding(secrets.keyHash(bindingCode)))).toBe(account)
})

test('an address that has had its trial keys gets no more, and none is made', async () => {
  const refusal = new Refusal('rate_limited')
  await expect(node(async () => refusal).createTrialKey('192.0.2.1')).rejects.toBe(refusal)
})

test('while the ledger is down a key that was known stays known, an unknown one is not judged',
  async () => {
    const line = openRedis(inject('redis').ledgerUrl, log)
    await untilReady(line, 'ledger')
    const apiKeys = new ApiKeys({
      ledger: line, secrets, log, takeTrial: async () => undefined,
    })
    const { apiKey, agent } = await apiKeys.createKey({ tier: 't1', label: 'test' })
    await apiKeys.lookup(apiKey)
    line.disconnect()
    expect(await apiKeys.lookup(apiKey)).toMatchObject({ agent })
    await expect(apiKeys.lookup(`ak_${'1'.repeat(32)}`))
      .rejects.toMatchObject({ error: 'unavailable' })
  })
