/** Which agents belong to an account: at most five, decided in the account's own slot. */
import { isoTime } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'

/** Of one account; the service document says so. */
export const AGENTS_MAX = 5

const MEMBER = 'member:'
/** The field of an account's record that says that an agent has a place there. */
export const memberField = (agent: string): string => MEMBER + agent

const agentJoin = defineScript('agent-join', ['account'], ['member', 'at', 'limit'],
  (isMember: number) => isMember)

const agentLeave = defineScript('agent-leave', ['account', 'former'],
  ['agent', 'member', 'record'], (wasMember: number) => wasMember === 1)

type Run = Durable['run']

/** Takes a place in the account, once; refuses with agent_limit when all are taken. */
export async function joinAccount(
  { ledger, run }: { ledger: RedisClient, run: Run }, account: string, agent: string,
): Promise<void> {
  // By the ledger's clock: another node compares it with its own time, which may be far off.
  const isMember = await run(agentJoin, { account: keys.account(account) }, {
    member: memberField(agent), at: isoTime(await redisTimeMs(ledger)), limit: AGENTS_MAX,
  })
  if (isMember === 0) throw new Refusal('agent_limit', { agents: AGENTS_MAX })
  if (isMember < 0) throw new Refusal('not_found')
}

/** Frees the agent's place; with `isKept` it stays on the account's record. */
export const leaveAccount = (
  run: Run, account: string, agent: string, isKept: boolean,
): Promise<boolean> => run(agentLeave,
  { account: keys.account(account), former: keys.formerAgents(account) },
  { agent, member: memberField(agent), record: isKept ? '1' : '' })

/** An account's agents as its record names them now. */
export const readMembers = async (
  ledger: RedisClient, account: string,
): Promise<[agent: string, joined: string][]> =>
  membersOf(await ledger.hgetall(keys.account(account)))

/** Agents of an account's record, with the time at which each joined (ISO 8601), oldest first. */
export const membersOf = (fields: Record<string, string>): [agent: string, joined: string][] =>
  Object.entries(fields).filter(([field]) => field.startsWith(MEMBER))
    .map(([field, joined]): [string, string] => [field.slice(MEMBER.length), joined])
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))

/** Agents that joined in one millisecond are in one order, too. */
const placeOf = ([agent, joined]: [agent: string, joined: string]): string => `${joined} ${agent}`
