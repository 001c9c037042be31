import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { joinTrial } from './binding.ts'
import { ADDRESS, before, newAccountId, openAccounts } from './testing/accounts.ts'

const [node, other] = await Promise.all([openAccounts(), openAccounts()])
const { ledger, agents, apiKeys } = node
afterAll(() => Promise.all([node.close(), other.close()]))

const merged: [trial: string, account: string][] = []
beforeEach(() => { merged.length = 0 })
const earnings = { merge: async (trial: string, account: string) => {
  merged.push([trial, account])
} }
const bindingOf = (parts: typeof node, given: object = {}) =>
  (...entered: [account: string, code: string, address: string]) => joinTrial({
    ...parts, throttle: { take: async () => {} }, earnings, ...given,
  }, ...entered)
const bind = bindingOf(node)
const nameOf = async (work: Promise<unknown>) =>
  await work.then(() => 'done', (error: unknown) => (error as Refusal).error)

async function newAccount(): Promise<string> {
  const account = newAccountId()
  await ledger.hset(keys.account(account), { kind: 'account', state: 'active' })
  return account
}
const membersOf = async (account: string): Promise<string[]> =>
  Object.keys(await ledger.hgetall(keys.account(account)))
    .filter((field) => field.startsWith('member:')).map((field) => field.slice(7))

test('the code brings agents, keys and earnings to the account, on every node within a second',
  async () => {
    const account = await newAccount()
    const trial = await apiKeys.createTrialKey(ADDRESS)
    expect(await other.apiKeys.lookup(trial.apiKey)).toMatchObject({ tier: 'trial' })
    expect(await bind(account, trial.bindingCode, ADDRESS)).toEqual([trial.agent])
    await expect.poll(() => other.apiKeys.lookup(trial.apiKey))
      .toEqual({ agent: trial.agent, account, tier: 't1' })
    expect(merged).toEqual([[trial.account, account]])
    expect(await ledger.hget(keys.account(trial.account), 'merged_into')).toBe(account)
    expect((await agents.list(account)).map(({ agent }) => agent)).toEqual([trial.agent])
    await expect(apiKeys.createKey({ tier: 't1', label: 'x', account: trial.account }))
      .rejects.toMatchObject({ error: 'not_found' })
  })

test('a tier that the operator gave stays', async () => {
  const trial = await apiKeys.createTrialKey(ADDRESS)
  await ledger.hset(keys.agent(trial.agent), { tier: 't2' })
  await bind(await newAccount(), trial.bindingCode, ADDRESS)
  expect(await ledger.hget(keys.agent(trial.agent), 'tier')).toBe('t2')
})

test('in another account afterwards it is refused like a code that never was', async () => {
  const [account, another] = [await newAccount(), await newAccount()]
  const { bindingCode } = await apiKeys.createTrialKey(ADDRESS)
  await bind(account, bindingCode, ADDRESS)
  const refusals = await Promise.all([bindingCode, '0'.repeat(16), '', 'x'].map((code) =>
    bind(another, code, ADDRESS).catch((error: unknown) => error)))
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ ...refusals[1] as Refusal })
  }
  expect(refusals[0]).toMatchObject({ error: 'not_found' })
  expect(await membersOf(another)).toEqual([])
  expect(merged).toHaveLength(1)
})

test('again in the same account it changes nothing, and brings no deleted agent back', async () => {
  const account = await newAccount()
  const trial = await apiKeys.createTrialKey(ADDRESS)
  await bind(account, trial.bindingCode, ADDRESS)
  await bind(account, trial.bindingCode, ADDRESS)
  expect(await membersOf(account)).toEqual([trial.agent])
  await agents.remove(account, trial.agent)
  await bind(account, trial.bindingCode, ADDRESS)
  expect(await membersOf(account)).toEqual([])
  expect(await apiKeys.lookup(trial.apiKey)).toBeUndefined()
})

test('an account without room refuses it, and the code is good for another one', async () => {
  const [full, free] = [await newAccount(), await newAccount()]
  for (let index = 0; index < 5; index += 1) await agents.create(full, 'full')
  const trial = await apiKeys.createTrialKey(ADDRESS)
  expect(await nameOf(bind(full, trial.bindingCode, ADDRESS))).toBe('agent_limit')
  expect(await ledger.hexists(keys.account(trial.account), 'merged_into')).toBe(0)
  expect(await apiKeys.lookup(trial.apiKey)).toMatchObject({ account: trial.account })
  expect(await nameOf(bind(free, trial.bindingCode, ADDRESS))).toBe('done')
})

test('a trial of several agents comes whole or not at all', async () => {
  const account = await newAccount()
  const trial = await apiKeys.createTrialKey(ADDRESS)
  await apiKeys.createKey({ tier: 'trial', label: 'second', account: trial.account })
  const mine = await Promise.all([1, 2, 3, 4].map(() => agents.create(account, 'mine')))
  expect(await nameOf(bind(account, trial.bindingCode, ADDRESS))).toBe('agent_limit')
  expect(await membersOf(account)).toHaveLength(4)
  await agents.remove(account, mine[0]?.agent ?? '')
  expect(await bind(account, trial.bindingCode, ADDRESS)).toHaveLength(2)
  expect(await membersOf(account)).toHaveLength(5)
})

test('an agent that joins the trial meanwhile needs room like the others', async () => {
  const account = await newAccount()
  const trial = await apiKeys.createTrialKey(ADDRESS)
  await Promise.all([1, 2, 3, 4].map(() => agents.create(account, 'mine')))
  const joined = before('trial-merge', () =>
    apiKeys.createKey({ tier: 'trial', label: 'second', account: trial.account }))
  const late = await openAccounts({ wrap: joined })
  expect(await nameOf(bindingOf(late)(account, trial.bindingCode, ADDRESS))).toBe('agent_limit')
  await late.close()
  expect(await ledger.hget(keys.account(trial.account), 'merged_into')).toBeNull()
  expect(await membersOf(account)).toHaveLength(4)
  expect(merged).toEqual([])
})

test('a code of what is no trial binds nothing', async () => {
  const account = await newAccount()
  const trial = await apiKeys.createTrialKey(ADDRESS)
  await ledger.hset(keys.account(trial.account), 'kind', 'account')
  expect(await nameOf(bind(account, trial.bindingCode, ADDRESS))).toBe('not_found')
  expect(await ledger.hget(keys.account(trial.account), 'merged_into')).toBeNull()
  expect(await membersOf(account)).toEqual([])
})

test('of two accounts that enter it at once one gets it, the other keeps its room', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await newAccount(), await newAccount()]
    const trial = await apiKeys.createTrialKey(ADDRESS)
    const answers = await Promise.all([
      nameOf(bind(one, trial.bindingCode, ADDRESS)),
      nameOf(bindingOf(other)(two, trial.bindingCode, ADDRESS)),
    ])
    expect(answers.toSorted()).toEqual(['done', 'not_found'])
    const [winner, loser] = answers[0] === 'done' ? [one, two] : [two, one]
    expect(await membersOf(winner)).toEqual([trial.agent])
    expect(await membersOf(loser)).toEqual([])
  }
})

/** A node that dies at a script, before or after it ran. */
const dyingAt = (script: string, isAfter: boolean) => (durable: Durable): Durable => ({
  ...durable,
  async run(named, ...rest) {
    if (named.name === script && !isAfter) throw new Refusal('unavailable')
    const reply = await durable.run(named, ...rest)
    if (named.name === script) throw new Refusal('unavailable')
    return reply
  },
})

describe('a crash is mended by entering the code again', () => {
  test.each([
    ['agent-join', true], ['trial-merge', false], ['trial-merge', true],
    ['agent-move', false], ['agent-move', true],
  ])('at %s (after: %s)', async (script, isAfter) => {
    const dying = await openAccounts({ wrap: dyingAt(script, isAfter) })
    const account = await newAccount()
    const trial = await apiKeys.createTrialKey(ADDRESS)
    expect(await nameOf(bindingOf(dying)(account, trial.bindingCode, ADDRESS)))
      .toBe('unavailable')
    await dying.close()
    expect(merged).toEqual([])
    expect(await nameOf(bind(account, trial.bindingCode, ADDRESS))).toBe('done')
    expect(merged).toEqual([[trial.account, account]])
    expect(await membersOf(account)).toEqual([trial.agent])
    await expect.poll(() => apiKeys.lookup(trial.apiKey))
      .toMatchObject({ account })
  })

  test('in the merge of earnings', async () => {
    const account = await newAccount()
    const { bindingCode } = await apiKeys.createTrialKey(ADDRESS)
    const failing = bindingOf(node, {
      earnings: { merge: async () => { throw new Refusal('unavailable') } },
    })
    expect(await nameOf(failing(account, bindingCode, ADDRESS))).toBe('unavailable')
    expect(await nameOf(bind(account, bindingCode, ADDRESS))).toBe('done')
    expect(merged).toHaveLength(1)
  })

  test('a place that it took for a code that went elsewhere is free again', async () => {
    const dying = await openAccounts({ wrap: dyingAt('trial-merge', false) })
    const [account, winner] = [await newAccount(), await newAccount()]
    const trial = await apiKeys.createTrialKey(ADDRESS)
    for (let index = 0; index < 4; index += 1) await agents.create(account, 'mine')
    await nameOf(bindingOf(dying)(account, trial.bindingCode, ADDRESS))
    await dying.close()
    await bind(winner, trial.bindingCode, ADDRESS)
    expect(await nameOf(agents.create(account, 'fifth'))).toBe('agent_limit')
    await ledger.hset(keys.account(account), `member:${trial.agent}`, '2026-01-01T00:00:00.000Z')
    expect(await nameOf(agents.create(account, 'fifth'))).toBe('done')
    expect(await apiKeys.lookup(trial.apiKey)).toMatchObject({ account: winner })
  })
})

test('every try is counted, right or wrong, before the code is looked at', async () => {
  const tries: unknown[] = []
  const counted = bindingOf(node, { throttle: { take: async (...args: unknown[]) => {
    tries.push(args)
    throw new Refusal('rate_limited')
  } } })
  const { bindingCode } = await apiKeys.createTrialKey(ADDRESS)
  const account = await newAccount()
  expect(await nameOf(counted(account, bindingCode, ADDRESS))).toBe('rate_limited')
  expect(await nameOf(counted(account, 'wrong', ADDRESS))).toBe('rate_limited')
  expect(tries).toEqual([['binding', ADDRESS, account], ['binding', ADDRESS, account]])
  expect(await ledger.hexists(keys.account(account), `member:`)).toBe(0)
})
