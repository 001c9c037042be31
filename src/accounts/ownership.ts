/** What is whose: agents of an account, and with them their orders. */
import { Refusal } from '../contract/errors.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { readMembers } from './membership.ts'

/** Of those that left, so many are still shown with their orders. */
const FORMER_SHOWN = 20

/** The account's agents and, after them, the last that left it. */
export async function agentsOf(ledger: RedisClient, account: string): Promise<string[]> {
  const [members, former] = await Promise.all([
    readMembers(ledger, account),
    ledger.zrevrange(keys.formerAgents(account), '0', String(FORMER_SHOWN - 1)),
  ])
  const named = [...new Set([...members.map(([agent]) => agent), ...former])]
  // A place may be held for an agent that never came: its own record says whose it is.
  const accounts = await runMany(ledger, named.map((agent) =>
    ['hget', keys.agent(agent), 'account'] as const))
  return named.filter((_, index) => accounts[index] === account)
}

/** Names that their owner gave them, also of those that left; empty where there is none. */
export async function labelsOf(
  ledger: RedisClient, agents: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const each = [...new Set(agents)]
  const labels = await runMany(ledger, each.map((agent) =>
    ['hget', keys.agent(agent), 'label'] as const)) as (string | null)[]
  return new Map(each.map((agent, index) => [agent, labels[index] ?? '']))
}

/** Refuses another account's agent and none at all alike. */
export async function assertOwn(
  ledger: RedisClient, account: string, agent: string,
): Promise<void> {
  if (await ledger.hget(keys.agent(agent), 'account') !== account) throw new Refusal('not_found')
}

/** The agent that placed the order; another account's and none at all are refused alike. */
export async function agentOfOrder(
  ledger: RedisClient, account: string, orderNo: string,
): Promise<string> {
  const partition = partitionOfOrder(orderNo)
  const agent = partition === undefined ? null
    : await ledger.hget(keys.order(partition, orderNo), 'agent')
  if (agent === null) throw new Refusal('not_found')
  await assertOwn(ledger, account, agent)
  return agent
}
