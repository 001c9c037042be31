import { randomBytes } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { openRedis, untilReady } from '../redis/connect.ts'
import { ledger as keys, shelf as shelfKeys } from '../redis/keys.ts'
import { joinTrial } from './binding.ts'
import { ADDRESS, newEmail, openAccounts, PASSWORD } from './testing/accounts.ts'
import { AccountViews } from './views.ts'

const node = await openAccounts()
const { ledger, secrets, log, accounts, apiKeys, durable } = node
const shelf = openRedis(inject('redis').shelfUrl, log)
await untilReady(shelf, 'shelf')
const views = new AccountViews({ ledger, shelf, shelfUrl: inject('redis').shelfUrl, secrets, log })
afterAll(async () => {
  await views.close()
  shelf.disconnect()
  await node.close()
})
const word = (): string => `w${randomBytes(6).toString('hex')}`
const find = async (label: string) => await views.search({ label, limit: 10 })

async function ownerWithAgent(label: string) {
  const email = newEmail()
  await accounts.register(email, PASSWORD, ADDRESS)
  const { account = '' } = await accounts.signIn(email, PASSWORD, ADDRESS) ?? {}
  const { agent } = await node.agents.create(account, label)
  return { email, account, agent }
}

test('an account is found by its agents\' label and tier, with its address masked', async () => {
  const label = word()
  const { email, account, agent } = await ownerWithAgent(`my ${label} bot`)
  await views.refresh(account)
  const [found, ...others] = await find(label)
  expect(others).toEqual([])
  expect(found).toMatchObject({
    account, kind: 'account', state: 'active', email: 'u***@mail.example', agent_count: 1,
    agents: [{ agent, account, label: `my ${label} bot`, tier: 't1', live_keys: 1 }],
  })
  expect(await views.search({ label, tier: 't1', limit: 10 })).toHaveLength(1)
  expect(await views.search({ label, tier: 't2', limit: 10 })).toEqual([])
  expect(await views.search({ label, state: 'deleted', limit: 10 })).toEqual([])
  const stored = await shelf.hgetall(`${shelfKeys.accountView}:${account}`)
  expect(JSON.stringify(stored)).not.toContain(email)
})

test('a change is seen soon after it, without anybody waiting for it', async () => {
  const label = word()
  const { account, agent } = await ownerWithAgent('before')
  await node.agents.rename(account, agent, label)
  views.touch(account)
  await expect.poll(async () => (await find(label)).length).toBe(1)
})

test('a trial is seen soon after its key was given out', async () => {
  const { account, agent } = await apiKeys.createTrialKey(ADDRESS)
  await expect.poll(async () => [
    await shelf.hget(`${shelfKeys.accountView}:${account}`, 'kind'),
    await shelf.hget(`${shelfKeys.agentView}:${agent}`, 'tier'),
  ]).toEqual(['trial', 'trial'])
})

test('a trial that was bound is found under the account', async () => {
  const label = word()
  const { account } = await ownerWithAgent(label)
  const trial = await apiKeys.createTrialKey(ADDRESS)
  await views.refresh(trial.account)
  await joinTrial({
    ledger, durable, secrets, apiKeys, throttle: { take: async () => {} },
    earnings: { merge: async () => {} }, onChange: (changed) => views.touch(changed),
  }, account, trial.bindingCode, ADDRESS)
  await expect.poll(async () => await shelf.hget(
    `${shelfKeys.agentView}:${trial.agent}`, 'account')).toBe(account)
  await expect.poll(async () => await shelf.hget(
    `${shelfKeys.accountView}:${trial.account}`, 'state')).toBe('merged')
})

test('a rebuild makes what is missing and takes away what is no more', async () => {
  const label = word()
  const { account, agent } = await ownerWithAgent(label)
  await shelf.hset(`${shelfKeys.accountView}:ac_gone`, { account: 'ac_gone', state: 'active' })
  await shelf.hset(`${shelfKeys.agentView}:ag_gone`, { agent: 'ag_gone', label })
  const { accounts: count, removed } = await views.rebuild()
  expect(count).toBeGreaterThan(0)
  expect(removed).toBeGreaterThanOrEqual(2)
  expect(await views.search({ limit: 1 })).toHaveLength(1)
  expect(await find(label)).toMatchObject([{ account, agents: [{ agent }] }])
  expect(await shelf.exists(`${shelfKeys.accountView}:ac_gone`)).toBe(0)
})

test('an account whose address cannot be opened is found all the same', async () => {
  const label = word()
  const { account } = await ownerWithAgent(label)
  await ledger.hset(keys.login(account), 'email', 'e1.of-another-secret')
  await views.refresh(account)
  expect(await find(label)).toMatchObject([{ account, email: '?' }])
})

test('a deleted account is shown without its address and without agents', async () => {
  const { account } = await ownerWithAgent(word())
  await views.refresh(account)
  await accounts.close(account)
  await views.refresh(account)
  const found = await views.search({ state: 'deleted', limit: 1000 })
  const mine = found.find((one) => one.account === account)
  expect(mine).toMatchObject({ state: 'deleted', agent_count: 0, agents: [] })
  expect(mine).not.toHaveProperty('email')
})

test('a shelf that is down delays no change', async () => {
  const cut = new AccountViews({ ledger, shelf, shelfUrl: 'redis://127.0.0.1:1', secrets, log })
  await ledger.hset(keys.account('ac_cut'), { kind: 'account' })
  expect(cut.touch('ac_cut')).toBeUndefined()
  await expect(cut.refresh('ac_cut')).rejects.toThrow(Error)
  await cut.close()
})
