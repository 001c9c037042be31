/**
 * An agent's record on the ledger. Account, tier, limits and the state of each of its keys stand
 * there and nowhere else, so that one write changes them for all its keys at once.
 */
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs, timeMsOf, replyValues } from '../redis/replies.ts'
import { OwnerLimits } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import { problemsOf } from '../validate.ts'
import { isoTime } from '../contract/time.ts'
import type { Durable } from '../redis/durable.ts'
import { defineScript } from '../redis/script.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { runMany } from '../redis/send.ts'

export interface Agent {
  readonly agent: string
  readonly account: string
  readonly tier: string
  /** What its owner lets it do; absent means everything. */
  readonly limits?: OwnerLimits
}

type AgentState = 'active' | 'deleted'

export interface AgentKey {
  readonly hash: string
  readonly state: 'active' | 'ending' | 'revoked'
  /** Milliseconds, the ledger's clock, like every time here. */
  readonly endsAt?: number
  readonly usedAt?: number
}

export interface AgentRecord extends Agent {
  readonly label: string
  readonly state: AgentState
  /** ISO 8601. */
  readonly createdAt: string
  readonly keys: readonly AgentKey[]
}

/** A key as one moment saw it. */
export interface KeyLook {
  readonly agent: Agent
  readonly now: number
  /** Where it was rotated: when it ends. */
  readonly endsAt?: number
  readonly usedAt: number
  /** Of a trial that has an end: what is left of its time, ms. */
  readonly leftMs?: number
}

/** Fields of the agent's record that belong to one of its keys. */
export const keyField = (hash: string): string => `hash:${hash}`
export const usedField = (hash: string): string => `used:${hash}`

const KEY_FIELD = /^hash:(.+)$/
const ENDING = /^until:(\d+)$/

/** The agent that a key belongs to; it never changes. Null where the key opens nothing. */
export async function agentOfKey(ledger: RedisClient, hash: string): Promise<string | null> {
  const [agent, state] = await ledger.hmget(keys.key(hash), 'agent', 'state')
  return agent && state === 'active' ? agent : null
}

/** Null when the key is not good now, by the ledger's clock. */
export async function lookAtKey(
  ledger: RedisClient, agent: string, hash: string,
): Promise<KeyLook | null> {
  const [time, facts, left] = replyValues(await ledger.multi().time()
    .hmget(keys.agent(agent), 'account', 'tier', 'state', 'limits', keyField(hash),
      usedField(hash))
    .pttl(keys.agent(agent))
    .exec())
  const now = timeMsOf(time)
  const [account, tier, state, limits, key, used] = facts as (string | null)[]
  if (!account || !tier || !key || state === 'deleted') return null
  const endsAt = endOf(key)
  if (key !== 'active' && !(endsAt !== undefined && endsAt > now)) return null
  const known = limitsOf(limits)
  return {
    agent: { agent, account, tier, ...(known && { limits: known }) },
    now,
    ...(endsAt !== undefined && { endsAt }),
    usedAt: Number(used ?? 0),
    ...(Number(left) >= 0 && { leftMs: Number(left) }),
  }
}

/** Undefined when there is none. */
export async function readAgent(
  ledger: RedisClient, agent: string,
): Promise<AgentRecord | undefined> {
  const [time, fields] =
    replyValues(await ledger.multi().time().hgetall(keys.agent(agent)).exec())
  return agentRecordOf(agent, fields as Record<string, string>, timeMsOf(time))
}

function agentRecordOf(
  agent: string, fields: Record<string, string>, now: number,
): AgentRecord | undefined {
  const { account, tier, label = '', state, created_at: createdAt = '' } = fields
  if (!account || !tier) return undefined
  const limits = limitsOf(fields['limits'])
  return {
    agent, account, tier, label, createdAt,
    state: state === 'deleted' ? 'deleted' : 'active',
    ...(limits && { limits }),
    keys: Object.entries(fields).flatMap(([field, value]) => {
      const hash = KEY_FIELD.exec(field)?.[1]
      return hash === undefined ? [] : [keyOf(hash, value, fields[usedField(hash)], now)]
    }),
  }
}

function keyOf(hash: string, value: string, used: string | undefined, now: number): AgentKey {
  const endsAt = endOf(value)
  const isOver = endsAt !== undefined && endsAt <= now
  return {
    hash,
    state: value === 'active' ? 'active' : endsAt !== undefined && !isOver ? 'ending' : 'revoked',
    ...(endsAt !== undefined && { endsAt }),
    ...(used && { usedAt: Number(used) }),
  }
}

function endOf(value: string): number | undefined {
  const end = ENDING.exec(value)?.[1]
  return end === undefined ? undefined : Number(end)
}

/** Refuses with invalid_request, and every problem at once. */
export function assertOwnerLimits(given: unknown): asserts given is OwnerLimits {
  const fields = problemsOf(OwnerLimits, given)
  if (fields.length > 0) throw new Refusal('invalid_request', { fields })
}

/** As it stands in the agent's record; empty where nothing is limited. */
export const limitsText = (limits: OwnerLimits): string =>
  (Object.keys(limits).length > 0 ? JSON.stringify(limits) : '')

export const limitsOf = (text: string | null | undefined): OwnerLimits | undefined =>
  (text ? JSON.parse(text) as OwnerLimits : undefined)

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
