/** The operator's commands on accounts, tiers, terms and keys. */
import { afterAll, expect, inject, test, vi } from 'vitest'
import type { Command } from 'commander'
import { ApiKeys } from '../accounts/api-keys.ts'
import { ADDRESS, newEmail, openAccounts, PASSWORD } from '../accounts/testing/accounts.ts'
import { readConfig } from '../config.ts'
import { ledger as keys, shelf as shelfKeys } from '../redis/keys.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { accountCommands, keyCommands, termsCommand, tierCommands } from './account.ts'
import type { CommandContext, WithLedger } from './context.ts'
import { rebuildCommands } from './repair.ts'

const node = await openAccounts()
const { ledger, secrets, log, accounts, agents } = node
const shelf = openRedis(inject('redis').shelfUrl, log)
await untilReady(shelf, 'shelf')
afterAll(async () => {
  shelf.disconnect()
  await node.close()
})

async function run(make: (withLedger: WithLedger) => Command, ...words: string[]) {
  const { shelfUrl, ledgerUrl, countersUrl } = inject('redis')
  const place = {
    ledger, shelf, shelfUrl, log, secrets, config: readConfig({}),
    urls: { shelf: shelfUrl, ledger: ledgerUrl, counters: countersUrl },
  } as unknown as CommandContext
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await make((work) => work(place)).parseAsync(words, { from: 'user' })
    return printed.mock.calls.map(([text]) => JSON.parse(String(text)) as Record<string, unknown>)
  } finally {
    printed.mockRestore()
  }
}

async function ownerWithAgent(label = 'x') {
  const email = newEmail()
  await accounts.register(email, PASSWORD, ADDRESS)
  const { account = '' } = await accounts.signIn(email, PASSWORD, ADDRESS) ?? {}
  return { email, ...await agents.create(account, label) }
}

test('a tier is in force on every node within a second', async () => {
  const { apiKey, agent, account } = await ownerWithAgent()
  const elsewhere = new ApiKeys({ ledger, secrets, log, takeTrial: async () => undefined })
  expect(await elsewhere.lookup(apiKey)).toMatchObject({ tier: 't1' })
  expect(await run(tierCommands, 'set', agent, 't2'))
    .toEqual([{ agent_ref: agent, account, tier: 't2' }])
  await expect.poll(() => elsewhere.lookup(apiKey))
    .toMatchObject({ tier: 't2' })
})

test.each([['ag_nobody', 't2', 'There is no such account or agent.'],
  ['ag_nobody', 't9', 'The tier must be trial, t1, t2.'],
  ['ag_nobody', 'keyless', 'The tier must be trial, t1, t2.']])(
  'tier set %s %s is refused', async (agent, tier, sentence) => {
    await expect(run(tierCommands, 'set', agent, tier)).rejects.toThrow(sentence)
    expect(await ledger.exists(keys.agent(agent))).toBe(0)
  })

test('an account is found by the address, however it is written', async () => {
  const { account, email } = await ownerWithAgent()
  expect(await run(accountCommands, 'find', '--email', ` ${email.toUpperCase()}`))
    .toMatchObject([{ account, email_verified: false }])
  await expect(run(accountCommands, 'find', '--email', newEmail()))
    .rejects.toThrow('No account signs in with that address.')
  await expect(run(accountCommands, 'find', '--email', 'no address'))
    .rejects.toThrow('The request is not valid.')
})

test('terms are kept with the account', async () => {
  const { account } = await ownerWithAgent()
  for (const bps of [700, 0, 10_000]) {
    expect(await run(termsCommand, account, '--bps', String(bps))).toEqual([{ account, bps }])
    expect(await run(accountCommands, 'show', account)).toMatchObject([{ bps }])
  }
})

test.each(['10001', '-1', '1.5', 'x', ''])('terms of %j are refused', async (bps) => {
  const { account } = await ownerWithAgent()
  await expect(run(termsCommand, account, '--bps', bps)).rejects.toThrow('--bps must be')
  expect(await ledger.hget(keys.account(account), 'terms')).toBeNull()
})

test('terms of nobody, and of a trial that was merged, are refused', async () => {
  await expect(run(termsCommand, 'ac_nobody', '--bps', '1')).rejects.toThrow('no such account')
  expect(await ledger.exists(keys.account('ac_nobody'))).toBe(0)
  const { account: trial } = await node.apiKeys.createTrialKey(ADDRESS)
  await ledger.hset(keys.account(trial), { merged_into: 'ac_new' })
  await expect(run(termsCommand, trial, '--bps', '1')).rejects.toThrow('merged into ac_new')
})

test('an account is listed by what its agents are, shown, and deleted', async () => {
  const label = `only${Math.random().toString(36).slice(2)}`
  const { email, account, agent, apiKey } = await ownerWithAgent(label)
  await run(tierCommands, 'set', agent, 't2')
  expect(await run(accountCommands, 'list', '--tier', 't2', '--label', label)).toEqual([
    expect.objectContaining({ account, email: 'u***@mail.example' }),
  ])
  expect(await run(accountCommands, 'list', '--tier', 't1', '--label', label)).toEqual([])
  const [shown] = await run(accountCommands, 'show', account)
  expect(shown).toMatchObject({ account, kind: 'account', agents: [{ agent, tier: 't2', label }] })
  expect(JSON.stringify(shown)).not.toContain(email)
  expect(await run(accountCommands, 'delete', account)).toEqual([{ account, state: 'deleted' }])
  expect(await node.apiKeys.lookup(apiKey)).toBeUndefined()
  expect(await accounts.signIn(email, PASSWORD, ADDRESS)).toBeUndefined()
  expect(await run(accountCommands, 'show', account)).toMatchObject([{ state: 'deleted' }])
  await expect(run(accountCommands, 'show', 'ac_nobody')).rejects.toThrow('no such account')
  await expect(run(accountCommands, 'delete', 'ac_nobody')).rejects.toThrow('no such account')
})

test('the views are made again from the ledger', async () => {
  const label = `lost${Math.random().toString(36).slice(2)}`
  const { account, agent } = await ownerWithAgent(label)
  const listed = () => run(accountCommands, 'list', '--label', label)
  await expect.poll(listed).toHaveLength(1)
  await shelf.del(`${shelfKeys.agentView}:${agent}`, `${shelfKeys.accountView}:${account}`)
  expect(await listed()).toEqual([])
  const [report] = await run(rebuildCommands, 'views')
  expect(report).toMatchObject({ accounts: expect.any(Number), agents: expect.any(Number) })
  expect(await listed()).toMatchObject([{ account }])
})

test('a key is made, shown once, and revoked', async () => {
  const [made] = await run(keyCommands, 'create', '--tier', 't2', '--label', 'by hand')
  expect(made).toEqual({
    api_key: expect.stringMatching(/^ak_/), agent_ref: expect.stringMatching(/^ag_/), tier: 't2',
  })
  expect(await run(keyCommands, 'revoke', String(made?.['api_key']))).toEqual([{ revoked: 1 }])
  await expect(run(keyCommands, 'revoke', String(made?.['api_key'])))
    .rejects.toThrow('no active key')
})

test('a link of the operator sets a new password, once, for the address as typed', async () => {
  const { email, account } = await ownerWithAgent()
  const [made] = await run(accountCommands, 'reset-link', '--email', ` ${email.toUpperCase()}`)
  const { link } = made as { link: string }
  expect(made).toEqual({ account, link: expect.stringMatching(/\/console\/reset#.+/) })
  const token = link.split('#')[1] ?? ''
  const next = 'quite another password'
  expect(await node.accounts.resetPassword(token, next, ADDRESS)).toMatchObject({ account })
  expect(await accounts.signIn(email, PASSWORD, ADDRESS)).toBeUndefined()
  expect(await accounts.signIn(email, next, ADDRESS)).toMatchObject({ account })
  expect(await node.accounts.resetPassword(token, PASSWORD, ADDRESS)).toBeUndefined()
  await expect(run(accountCommands, 'reset-link', '--email', newEmail()))
    .rejects.toThrow('No account signs in with that address.')
})
