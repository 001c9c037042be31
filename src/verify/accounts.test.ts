import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Accounts } from '../accounts/accounts.ts'
import { Agents } from '../accounts/agents.ts'
import { ApiKeys } from '../accounts/api-keys.ts'
import { memberField } from '../accounts/agent-records.ts'
import { ADDRESS, newEmail, PASSWORD } from '../accounts/testing/accounts.ts'
import { createEarnings } from '../earnings/earnings.ts'
import { createSecrets } from '../secrets/derive.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { SHOP_SECRET } from '../testing/products.ts'
import { ACCOUNT_INVARIANTS } from './owner-invariants.ts'
import { verifyLedger } from './verify.ts'

const shop = await openOwnShop()
const { ledger, log } = shop
const secrets = createSecrets(SHOP_SECRET)
const throttle = { take: async () => {} }
const parts = { ...shop, secrets, throttle }
const apiKeys = new ApiKeys({ ...parts, takeTrial: async () => undefined })
const agents = new Agents({ ...parts, apiKeys })
const accounts = new Accounts({
  ...parts, apiKeys, earnings: createEarnings(parts), mailer: { send: () => {} },
  config: { publicUrl: 'https://mall.test', payeeHoldMs: 0 },
})

const verify = () => verifyLedger({ ledger, secrets, log })

/** With an agent, and a trial that was bound, with its agent. */
async function owner() {
  const email = newEmail()
  await accounts.register(email, PASSWORD, ADDRESS)
  const { account = '' } = await accounts.signIn(email, PASSWORD, ADDRESS) ?? {}
  const { agent } = await agents.create(account, 'mine')
  const trial = await apiKeys.createTrialKey(ADDRESS)
  await accounts.joinTrial(account, trial.bindingCode, ADDRESS)
  const emailHash = await ledger.hget(keys.login(account), 'email_hash') ?? ''
  return { account, agent, trial: trial.account, emailHash }
}
type Owner = Awaited<ReturnType<typeof owner>>

const join = (account: string, agent: string): Promise<unknown> =>
  ledger.hset(keys.account(account), memberField(agent), '2026-11-01T00:00:00.000Z')

const BREAKS: [keyof typeof ACCOUNT_INVARIANTS, string, (own: Owner) => Promise<unknown>][] = [
  ['members', 'six agents', async ({ account }) => {
    await agents.create(account, 'third')
    for (let more = 0; more < 3; more += 1) await join(account, `ag_${randomUUID()}`)
  }],
  ['member', 'an agent in two accounts', async ({ account }) =>
    join(account, (await owner()).agent)],
  ['agent', 'an agent that its account does not know', ({ account, agent }) =>
    ledger.hdel(keys.account(account), memberField(agent))],
  ['agent', 'an agent of nobody', ({ agent }) =>
    ledger.hset(keys.agent(agent), 'account', 'ac_nobody')],
  ['address', 'an account without its address', ({ emailHash }) =>
    ledger.del(keys.email(emailHash))],
  ['address', 'an address that leads to another account', async ({ emailHash }) =>
    ledger.set(keys.email(emailHash), (await owner()).account)],
  ['address', 'an address of an account that there is not', ({ emailHash }) =>
    ledger.set(keys.email(emailHash), 'ac_nobody')],
  ['merged', 'a merged trial with money', ({ trial }) =>
    ledger.hset(keys.balances(trial, 'sandbox'), { pending: 100, platform: -100 })],
]

test('accounts as people make and leave them have no violation and leave no note', async () => {
  const [one, other] = [await owner(), await owner()]
  await agents.remove(one.account, one.agent)
  await accounts.close(other.account)
  await apiKeys.createTrialKey(ADDRESS)
  const { checked, violations, warnings } = await verify()
  expect(violations).toEqual([])
  expect(warnings).toEqual([])
  expect(checked).toMatchObject({ addresses: 1, agents: 5 })
  expect(checked['accounts']).toBeGreaterThanOrEqual(5)
})

describe('what is broken by hand is found and named', () => {
  test.each(BREAKS)('%s: %s', async (invariant, _, damage) => {
    const own = await owner()
    const about = async () => (await verify()).violations
      .filter(({ subject, detail }) => Object.values(own).includes(subject)
        || detail.includes(own.account)).map((one) => one.invariant)
    expect(await about()).toEqual([])
    await damage(own)
    expect(await about()).toContain(invariant)
  })

  test('every invariant of accounts is broken above', () => {
    const broken = new Set<string>(BREAKS.map(([invariant]) => invariant))
    expect(Object.keys(ACCOUNT_INVARIANTS).filter((name) => !broken.has(name))).toEqual([])
  })
})

test('what cut-off calls leave behind is a note', async () => {
  const { account } = await owner()
  const before = (await verify()).violations
  await join(account, `ag_${randomUUID()}`)
  await join(account, (await apiKeys.createTrialKey(ADDRESS)).agent)
  const gone = await owner()
  await accounts.close(gone.account)
  await ledger.set(keys.email(gone.emailHash), gone.account)
  const { violations, warnings } = await verify()
  expect(violations).toEqual(before)
  expect(warnings.map((warning) => warning.replace(/^(\d+) (\w+) .*/, '$2')))
    .toEqual(['places', 'addresses'])
})

test('people who come and go all the while raise no alarm', async () => {
  const before = (await verify()).violations
  const state = { isOver: false, left: 0 }
  const coming = (async () => {
    while (!state.isOver) {
      await accounts.close((await owner()).account)
      state.left += 1
    }
  })()
  try {
    do expect((await verify()).violations).toEqual(before)
    while (state.left < 2)
  } finally {
    state.isOver = true
    await coming
  }
})
