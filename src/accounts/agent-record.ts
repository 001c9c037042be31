/**
 * An agent's record on the ledger. Account, tier, limits and the state of each of its keys stand
 * there and nowhere else, so that one write changes them for all its keys at once.
 */
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { timeMsOf, valuesOf } from '../redis/replies.ts'
import { limitsOf } from './owner-limits.ts'
import type { OwnerLimits } from '../contract/owner-limits.ts'

export interface Agent {
  readonly agent: string
  readonly account: string
  readonly tier: string
  /** What its owner lets it do; absent means everything. */
  readonly limits?: OwnerLimits
}

export type AgentState = 'active' | 'deleted'

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
  const [time, facts, left] = valuesOf(await ledger.multi().time()
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
    valuesOf(await ledger.multi().time().hgetall(keys.agent(agent)).exec())
  return recordOf(agent, fields as Record<string, string>, timeMsOf(time))
}

export function recordOf(
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
