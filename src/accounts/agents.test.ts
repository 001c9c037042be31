import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { createDurable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { keyField } from './agent-records.ts'
import { Agents } from './agents.ts'
import { ApiKeys } from './api-keys.ts'
import { before } from './testing/accounts.ts'

const log = createLogger('silent')
const ledger = openRedis(inject('redis').ledgerUrl, log)
const durable = createDurable({
  client: openRedis(inject('redis').ledgerUrl, log), replicas: 0, log,
})
await untilReady(ledger, 'ledger')
afterAll(() => {
  ledger.disconnect()
  durable.close()
})
const secrets = createSecrets('agents-test'.repeat(4))

function node() {
  const apiKeys = new ApiKeys({
    ledger, durable, secrets, log, takeTrial: async () => undefined,
  })
  return { apiKeys, agents: new Agents({ ledger, durable, apiKeys }) }
}
function gate(): { open(): void, opened: Promise<void> } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => { open = resolve })
  return { open, opened }
}
const newAccount = () => `ac_${randomUUID()}`
const nameOf = async (work: Promise<unknown>) =>
  await work.then(() => 'done', (error: unknown) => (error as Refusal).error)
const keyOf = async (account: string, agent: string, apiKey: string) => {
  const found = (await node().agents.list(account)).find((view) => view.agent === agent)
  return found?.keys.find(({ prefix }) => prefix === apiKey.slice(0, 8))
}
const keyFieldOf = (apiKey: string) => keyField(secrets.keyHash(apiKey))

test('an owner sees label, tier, and of each key only its first 8 characters', async () => {
  const account = newAccount()
  const { agents } = node()
  const { apiKey, agent } = await agents.create(account, '  my   ｂｏｔ ')
  const [view, ...rest] = await agents.list(account)
  expect(rest).toEqual([])
  expect(view).toEqual({
    agent, label: 'my   bot', tier: 't1', limits: {}, created_at: expect.any(String),
    keys: [{
      key_id: expect.any(String), prefix: apiKey.slice(0, 8), state: 'active',
      created_at: expect.any(String),
    }],
  })
  expect(JSON.stringify(view)).not.toContain(apiKey.slice(8))
  await agents.rename(account, agent, 'another')
  expect((await agents.list(account))[0]?.label).toBe('another')
})

test('keys are listed newest first, those of one moment always in one order', async () => {
  const account = newAccount()
  const { agents } = node()
  const { apiKey, agent } = await agents.create(account, 'rotated')
  const rotated = [1, 2, 3].map(() => agents.rotate(account, agent, 600_000))
  const fresh = (await Promise.all(rotated)).map((key) => key.apiKey)
  const moments = ['2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z',
    '2026-01-01T00:00:00.002Z', '2026-01-01T00:00:00.003Z']
  for (const [index, key] of [apiKey, ...fresh].entries()) {
    await ledger.hset(keys.key(secrets.keyHash(key)), 'created_at', moments[index] ?? '')
  }
  const [view] = await agents.list(account)
  expect(view?.keys.map(({ created_at }) => created_at)).toEqual(moments.toReversed())
  const [, one = '', other = ''] = view?.keys.map(({ key_id }) => key_id) ?? []
  expect(one > other).toBe(true)
})

test.each(['', ' ', 'a\nb', 'x'.repeat(61), 'a\u202eb', '\u200b'])(
  'a label of %j is refused', async (label) => {
    const account = newAccount()
    expect(await nameOf(node().agents.create(account, label))).toBe('invalid_request')
    expect(await node().agents.list(account)).toEqual([])
  })

test('another account\'s agent is refused like one that does not exist', async () => {
  const { agents } = node()
  const { agent } = await agents.create(newAccount(), 'mine')
  const [other, nobody] = [newAccount(), `ag_${randomUUID()}`]
  for (const name of [agent, nobody]) {
    expect(await nameOf(agents.rename(other, name, 'x'))).toBe('not_found')
    expect(await nameOf(agents.remove(other, name))).toBe('not_found')
    expect(await nameOf(agents.rotate(other, name, 0))).toBe('not_found')
    expect(await nameOf(agents.revokeKey(other, name, 'x'))).toBe('not_found')
    expect(await nameOf(agents.setLimits(other, name, {}))).toBe('not_found')
  }
})

describe('deleting', () => {
  test('ends the keys on every node, frees the place and keeps the history', async () => {
    const account = newAccount()
    const { agents, apiKeys } = node()
    const made = []
    for (let index = 0; index < 5; index += 1) made.push(await agents.create(account, 'full'))
    expect(await nameOf(agents.create(account, 'sixth'))).toBe('agent_limit')
    const [first] = made
    const elsewhere = node().apiKeys
    expect(await elsewhere.lookup(first?.apiKey ?? '')).toMatchObject({ account })
    await agents.remove(account, first?.agent ?? '')
    expect(await apiKeys.lookup(first?.apiKey ?? '')).toBeUndefined()
    await expect.poll(() => elsewhere.lookup(first?.apiKey ?? ''))
      .toBeUndefined()
    expect(await agents.list(account)).toHaveLength(4)
    expect(await ledger.zscore(keys.formerAgents(account), first?.agent ?? '')).not.toBeNull()
    expect(await ledger.hget(keys.agent(first?.agent ?? ''), 'state')).toBe('deleted')
    expect(await nameOf(agents.create(account, 'again'))).toBe('done')
    expect(await nameOf(agents.remove(account, first?.agent ?? ''))).toBe('not_found')
  })

  test('a place that a crash left taken is free again a minute later', async () => {
    const account = newAccount()
    const { agents } = node()
    for (const joined of ['2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']) {
      await ledger.hset(keys.account(account), `member:ag_${randomUUID()}`, joined)
    }
    const made = await Promise.all([1, 2, 3].map(() => agents.create(account, 'x')))
    expect(made).toHaveLength(3)
    expect(await nameOf(agents.create(account, 'in the old place'))).toBe('done')
    expect(await nameOf(agents.create(account, 'none left'))).toBe('agent_limit')
  })

  test.each([
    ['ten minutes behind', -600_000, 0], ['right, the other\'s ten minutes ahead', 0, 600_000],
    ['an hour behind, the other\'s an hour ahead', -3_600_000, 3_600_000],
  ])('an agent that is just being made keeps its place: its node\'s clock is %s',
    async (_, ownSkewMs, otherSkewMs) => {
      const [account, right] = [newAccount(), Date.now]
      const skewed = vi.spyOn(Date, 'now')
      onTestFinished(() => { skewed.mockRestore() })
      await Promise.all([1, 2, 3, 4].map(() => node().agents.create(account, 'old')))
      const [begun, goOn] = [gate(), gate()]
      const slow = new ApiKeys({
        ledger, secrets, log, takeTrial: async () => undefined,
        durable: { run: durable.run, async send(...command) {
          if (command[1].startsWith('agent:')) {
            begun.open()
            await goOn.opened
          }
          return await durable.send(...command)
        } },
      })
      skewed.mockImplementation(() => right() + ownSkewMs)
      const making = slow.createKey({ tier: 't1', label: 'slow', account })
      await begun.opened
      skewed.mockImplementation(() => right() + otherSkewMs)
      expect(await nameOf(node().agents.create(account, 'other'))).toBe('agent_limit')
      goOn.open()
      const { agent, apiKey } = await making
      expect((await node().agents.list(account)).map((view) => view.agent)).toContain(agent)
      expect(await node().apiKeys.lookup(apiKey)).toMatchObject({ account })
    })

  test('an agent that is deleted before its record is there never comes to life', async () => {
    const { apiKeys } = node()
    const agent = `ag_${randomUUID()}`
    const { apiKey, hash } = await apiKeys.prepareKey(agent)
    expect(await apiKeys.end(agent, 'delete')).toBe(0)
    await ledger.hset(keys.agent(agent), {
      account: newAccount(), tier: 't1', [`hash:${hash}`]: 'active',
    })
    expect(await apiKeys.lookup(apiKey)).toBeUndefined()
  })

  test('of an agent and creating under concurrency never leaves more than five', async () => {
    const account = newAccount()
    const nodes = [node(), node()]
    const made = await Promise.all([1, 2, 3, 4, 5].map(() =>
      node().agents.create(account, 'old')))
    await Promise.allSettled(made.flatMap(({ agent }, index) => [
      nodes[index % 2]?.agents.remove(account, agent),
      ...[1, 2, 3].map(() => nodes[(index + 1) % 2]?.agents.create(account, 'new')),
    ]))
    const members = Object.keys(await ledger.hgetall(keys.account(account)))
      .filter((field) => field.startsWith('member:'))
    expect(members.length).toBeLessThanOrEqual(5)
    expect((await nodes[0]?.agents.list(account))?.length).toBe(members.length)
  })
})

describe('rotating', () => {
  test('both keys are good for the overlap, and then only the new one, on every node', async () => {
    const account = newAccount()
    const { agents } = node()
    const { apiKey, agent } = await agents.create(account, 'rotated')
    const elsewhere = node().apiKeys
    await elsewhere.lookup(apiKey)
    const { apiKey: fresh, oldKeysEndAt } = await agents.rotate(account, agent, 600_000)
    expect(await elsewhere.lookup(fresh)).toMatchObject({ agent })
    expect(await node().apiKeys.lookup(apiKey)).toMatchObject({ agent })
    expect(await keyOf(account, agent, apiKey)).toMatchObject({
      state: 'ending', ends_at: oldKeysEndAt,
    })
    // The overlap is over.
    const now = await redisTimeMs(ledger)
    await ledger.hset(keys.agent(agent), keyFieldOf(apiKey), `until:${now}`)
    expect(await node().apiKeys.lookup(apiKey)).toBeUndefined()
    await expect.poll(() => elsewhere.lookup(apiKey)).toBeUndefined()
    expect(await elsewhere.lookup(fresh)).toMatchObject({ agent })
    expect(await keyOf(account, agent, apiKey)).toMatchObject({ state: 'revoked' })
  })

  test('without an overlap the old key ends at once', async () => {
    const account = newAccount()
    const { agents, apiKeys } = node()
    const { apiKey, agent } = await agents.create(account, 'rotated')
    await apiKeys.lookup(apiKey)
    const { apiKey: fresh } = await agents.rotate(account, agent, 0)
    expect(await apiKeys.lookup(apiKey)).toBeUndefined()
    expect(await apiKeys.lookup(fresh)).toMatchObject({ agent })
  })

  test('a later rotation never lengthens an earlier end', async () => {
    const account = newAccount()
    const { agents } = node()
    const { apiKey, agent } = await agents.create(account, 'rotated')
    const { oldKeysEndAt } = await agents.rotate(account, agent, 600_000)
    await agents.rotate(account, agent, 6_000_000)
    expect(await keyOf(account, agent, apiKey)).toMatchObject({ ends_at: oldKeysEndAt })
  })

  test('at most five keys are good at a time, and an overlap has at most 7 days', async () => {
    const account = newAccount()
    const { agents } = node()
    const { agent } = await agents.create(account, 'rotated')
    const tries = await Promise.all(Array.from({ length: 8 }, () =>
      nameOf(agents.rotate(account, agent, 60_000))))
    expect(tries.filter((name) => name === 'done')).toHaveLength(4)
    for (const overlap of [-1, 0.5, 7 * 86_400_000 + 1, NaN]) {
      expect(await nameOf(agents.rotate(account, agent, overlap))).toBe('invalid_request')
    }
  })

  test('a record of many rotations does not grow for ever', async () => {
    const account = newAccount()
    const { agents, apiKeys } = node()
    const { agent } = await agents.create(account, 'rotated')
    const dead = Array.from({ length: 60 }, (_, index) =>
      [`hash:dead${index}`, 'revoked', `used:dead${index}`, '1']).flat()
    await ledger.hset(keys.agent(agent), ...dead as [string, string])
    const { apiKey } = await agents.rotate(account, agent, 60_000)
    expect(await apiKeys.lookup(apiKey)).toMatchObject({ agent })
    const fields = await ledger.hkeys(keys.agent(agent))
    expect(fields.filter((field) => field.includes('dead'))).toEqual([])
    expect(fields.filter((field) => field.startsWith('hash:'))).toHaveLength(2)
  })

  test('a revoked key stays revoked, whatever overlap a later rotation has', async () => {
    const account = newAccount()
    const { agents, apiKeys } = node()
    const { apiKey, agent } = await agents.create(account, 'rotated')
    const { key_id: id } = await keyOf(account, agent, apiKey) ?? { key_id: '' }
    await agents.revokeKey(account, agent, id)
    const { apiKey: fresh } = await agents.rotate(account, agent, 60_000)
    expect((await agents.list(account))[0]?.keys).toContainEqual(
      expect.objectContaining({ key_id: id, state: 'revoked' }))
    expect(await node().apiKeys.lookup(apiKey)).toBeUndefined()
    expect(await apiKeys.lookup(fresh)).toMatchObject({ agent })
  })

  test('an agent that is deleted meanwhile gets no key', async () => {
    const account = newAccount()
    const { agents, apiKeys } = node()
    const { agent } = await agents.create(account, 'rotated')
    const late = new Agents({
      ledger, apiKeys, durable: before('key-rotate', () => agents.remove(account, agent))(durable),
    })
    expect(await nameOf(late.rotate(account, agent, 60_000))).toBe('not_found')
    const states = (await ledger.hvals(keys.agent(agent))).filter((value) =>
      /^(active|until:.*)$/.test(value))
    expect(states).toEqual([])
  })

  test('one key is revoked at once, and the other goes on', async () => {
    const account = newAccount()
    const { agents, apiKeys } = node()
    const { apiKey, agent } = await agents.create(account, 'rotated')
    const { apiKey: fresh } = await agents.rotate(account, agent, 60_000)
    await apiKeys.lookup(apiKey)
    const old = await keyOf(account, agent, apiKey)
    await agents.revokeKey(account, agent, old?.key_id ?? '')
    expect(await apiKeys.lookup(apiKey)).toBeUndefined()
    expect(await apiKeys.lookup(fresh)).toMatchObject({ agent })
    expect(await nameOf(agents.revokeKey(account, agent, 'unknown'))).toBe('not_found')
  })
})

test('the last use is noted once a minute and key, also over two nodes', async () => {
  const account = newAccount()
  const { agents, apiKeys } = node()
  const { apiKey, agent } = await agents.create(account, 'used')
  expect(await keyOf(account, agent, apiKey)).not.toHaveProperty('last_used_at')
  await apiKeys.lookup(apiKey)
  await expect.poll(() => keyOf(account, agent, apiKey)).toHaveProperty('last_used_at')
  const field = `used:${secrets.keyHash(apiKey)}`
  const noted = await ledger.hget(keys.agent(agent), field)
  await node().apiKeys.lookup(apiKey)
  await node().apiKeys.lookup(apiKey)
  expect(await ledger.hget(keys.agent(agent), field)).toBe(noted)
  await ledger.hset(keys.agent(agent), field, Number(noted) - 60_001)
  await node().apiKeys.lookup(apiKey)
  await expect.poll(async () => Number(await ledger.hget(keys.agent(agent), field)))
    .toBeGreaterThanOrEqual(Number(noted))
})
