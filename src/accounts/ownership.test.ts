import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { agentsOf, joinAccount } from './agent-records.ts'
import { ADDRESS, newEmail, openAccounts, PASSWORD } from './testing/accounts.ts'

const place = await openAccounts()
const { ledger, durable, accounts, agents, apiKeys } = place
afterAll(() => place.close())

async function newOwner() {
  const email = newEmail()
  await accounts.register(email, PASSWORD, ADDRESS)
  const account = (await accounts.signIn(email, PASSWORD, ADDRESS))?.account ?? ''
  return await agents.create(account, `agent ${randomUUID().slice(0, 8)}`)
}

test('a place that is held for another account\'s agent gives nothing of it', async () => {
  const [owner, stranger] = [await newOwner(), await newOwner()]
  // As a binding leaves it that was cut off, and whose code was entered elsewhere.
  await joinAccount({ ledger, run: durable.run }, stranger.account, owner.agent)
  expect(await agentsOf(ledger, stranger.account)).toEqual([stranger.agent])
  expect(await accounts.close(stranger.account)).toBe(true)
  expect(await apiKeys.lookup(owner.apiKey)).toMatchObject({ agent: owner.agent })
  expect(await agentsOf(ledger, owner.account)).toEqual([owner.agent])
})

test('an agent that left is still shown with its orders', async () => {
  const { account, agent } = await newOwner()
  await agents.remove(account, agent)
  expect(await agentsOf(ledger, account)).toEqual([agent])
})
