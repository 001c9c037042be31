/** An account's agents, as their owner works with them. */
import { isoTime } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/slots.ts'
import { readAgent, type Agent, type AgentKey, type AgentRecord } from './agent-record.ts'
import type { Accounts, NewKey } from './keys.ts'
import { leaveAccount, readMembers } from './membership.ts'
import { assertOwnerLimits, limitsText } from './owner-limits.ts'
import type { OwnerLimits } from '../contract/owner-limits.ts'

/** What agents of an account begin with. */
export const FIRST_TIER = 't1'
/** Keys of one agent that are good at a time: rotated ones are, until their overlap ends. */
const LIVE_KEYS_MAX = 5
const OVERLAP_MS_MAX = 7 * 86_400_000
const LABEL = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]{0,58}[^\p{C}\p{Z}])?$/u
/** A member whose record is not there after this long never gets one. */
const UNFINISHED_MS = 60_000

export interface KeyView {
  /** Names the key to its owner, and opens nothing. */
  readonly key_id: string
  readonly prefix: string
  readonly state: AgentKey['state']
  readonly ends_at?: string
  readonly created_at: string
  readonly last_used_at?: string
}

export interface AgentView {
  readonly agent: string
  readonly label: string
  readonly tier: string
  readonly created_at: string
  readonly limits: OwnerLimits
  /** Newest first. */
  readonly keys: readonly KeyView[]
}

/** Another account's agent, a deleted one and none at all are refused alike. */
export interface Agents {
  create(account: string, label: string): Promise<NewKey>
  list(account: string): Promise<AgentView[]>
  /** As it calls: what a key of it would open. */
  find(account: string, agent: string): Promise<Agent>
  rename(account: string, agent: string, label: string): Promise<void>
  /** Its keys end at once and its place is free; orders and earnings stay. */
  remove(account: string, agent: string): Promise<void>
  /** A new key; the present ones stay good for the overlap. */
  rotate(account: string, agent: string, overlapMs: number): Promise<RotatedKey>
  revokeKey(account: string, agent: string, keyId: string): Promise<void>
  /** Replaces what was set before; nothing is limited by an empty object. */
  setLimits(account: string, agent: string, limits: unknown): Promise<void>
}

export interface RotatedKey {
  /** Shown once. */
  readonly apiKey: string
  readonly oldKeysEndAt: string
}

export interface AgentsOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send'>
  readonly accounts: Accounts
  /** Hears of every change, after it. */
  readonly onChange?: (account: string) => void
}

const keyRotate = defineScript('key-rotate', ['agent'], ['hash', 'overlap_ms', 'live_max'],
  ([code, endsAt]: ['missing' | 'full' | 'done', string?]) => ({ code, endsAt: Number(endsAt) }))

export function createAgents(options: AgentsOptions): Agents {
  const { ledger, durable, accounts, onChange = () => {} } = options

  async function own(account: string, agent: string): Promise<AgentRecord> {
    const record = await readAgent(ledger, agent)
    if (record?.account !== account || record.state === 'deleted') throw new Refusal('not_found')
    return record
  }

  async function set(record: AgentRecord, field: string, value: string): Promise<void> {
    await durable.send('hset', keys.agent(record.agent), field, value)
    await accounts.announce(record.agent)
    onChange(record.account)
  }

  return {
    async create(account, label) {
      const options = { tier: FIRST_TIER, label: labelOf(label), account }
      return await accounts.createKey(options).catch(async (error: unknown) => {
        if ((error as Refusal).error !== 'agent_limit') throw error
        if (!await freeUnused({ ledger, durable }, account)) throw error
        return await accounts.createKey(options)
      })
    },
    async list(account) {
      const members = await readMembers(ledger, account)
      const records = await Promise.all(members.map(([agent]) => readAgent(ledger, agent)))
      return await Promise.all(records
        .filter((record) => record?.account === account && record.state === 'active')
        .map((record) => viewOf(ledger, record as AgentRecord)))
    },
    async find(account, agent) {
      const { tier, limits } = await own(account, agent)
      return { agent, account, tier, ...(limits && { limits }) }
    },
    async rename(account, agent, label) {
      await set(await own(account, agent), 'label', labelOf(label))
    },
    async remove(account, agent) {
      await own(account, agent)
      await accounts.end(agent, 'delete')
      await leaveAccount(durable.run, account, agent, true)
      onChange(account)
    },
    async rotate(account, agent, overlapMs) {
      if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > OVERLAP_MS_MAX) {
        throw wrong('overlap', 'must be from nothing to 7 days')
      }
      await own(account, agent)
      const { apiKey, hash } = await accounts.prepareKey(agent)
      const { code, endsAt } = await durable.run(keyRotate, { agent: keys.agent(agent) },
        { hash, overlap_ms: overlapMs, live_max: LIVE_KEYS_MAX })
      if (code === 'missing') throw new Refusal('not_found')
      if (code === 'full') {
        throw wrong('overlap', `leaves more than ${LIVE_KEYS_MAX} keys good: revoke one first`)
      }
      await accounts.announce(agent)
      onChange(account)
      return { apiKey, oldKeysEndAt: isoTime(endsAt) }
    },
    async revokeKey(account, agent, keyId) {
      const record = await own(account, agent)
      const key = record.keys.find(({ hash }) => idOf(hash) === keyId)
      if (!key) throw new Refusal('not_found')
      await accounts.end(agent, { hash: key.hash })
      onChange(account)
    },
    async setLimits(account, agent, limits) {
      assertOwnerLimits(limits)
      await set(await own(account, agent), 'limits', limitsText(limits))
    },
  }
}

/**
 * A crash between an agent's two writes leaves a place taken that nobody uses. Frees such places;
 * whether there was one.
 */
export async function freeUnused(
  { ledger, durable }: { ledger: RedisClient, durable: Pick<Durable, 'run'> }, account: string,
): Promise<boolean> {
  let isFreed = false
  const now = await redisTimeMs(ledger)
  for (const [agent, joined] of await readMembers(ledger, account)) {
    if (now - Date.parse(joined) < UNFINISHED_MS) continue
    const record = await readAgent(ledger, agent)
    if (record?.account === account && record.state === 'active') continue
    // One of a trial that is being merged comes here; its code has to be entered once more.
    const into = record && await ledger.hget(keys.account(record.account), 'merged_into')
    if (into === account && record?.state === 'active') continue
    isFreed = await leaveAccount(
      durable.run, account, agent, record?.account === account) || isFreed
  }
  return isFreed
}

async function viewOf(ledger: RedisClient, record: AgentRecord): Promise<AgentView> {
  const { agent, label, tier, createdAt, limits = {} } = record
  const looks = await runMany(ledger, record.keys.map(({ hash }) =>
    ['hmget', keys.key(hash), 'prefix', 'created_at'] as const)) as [string, string][]
  return {
    agent, label, tier, created_at: createdAt, limits,
    keys: record.keys.map(({ hash, state, endsAt, usedAt }, index): KeyView => ({
      key_id: idOf(hash),
      prefix: looks[index]?.[0] ?? '',
      state,
      ...(state === 'ending' && endsAt !== undefined && { ends_at: isoTime(endsAt) }),
      created_at: looks[index]?.[1] ?? '',
      ...(usedAt !== undefined && { last_used_at: isoTime(usedAt) }),
    })).toSorted((one, other) => (placeOf(one) > placeOf(other) ? -1 : 1)),
  }
}

/** Keys of one millisecond are in one order, too. */
const placeOf = ({ created_at, key_id }: KeyView): string => `${created_at} ${key_id}`

/** Enough of the hash to tell an agent's keys apart. */
const idOf = (hash: string): string => hash.slice(0, 16)

function labelOf(given: string): string {
  const label = given.normalize('NFKC').trim()
  if (!LABEL.test(label)) throw wrong('label', 'must be 1 to 60 visible characters')
  return label
}

const wrong = (path: string, problem: string): Refusal =>
  new Refusal('invalid_request', { fields: [{ path, problem }] })
