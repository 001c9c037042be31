/** An account's agents, as their owner works with them. */
import { isoTime } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/send.ts'
import { FEED_MAX, FEED_TTL_MS } from '../redis/streams.ts'
import {
  assertOwnerLimits, leaveAccount, limitsText, readAgent, readMembers, type Agent, type AgentKey,
  type AgentRecord,
} from './agent-records.ts'
import type { ApiKeys, NewKey } from './api-keys.ts'
import type { OwnerLimits } from '../contract/caller.ts'
import { keepTrial } from './trials.ts'

/** What agents of an account begin with. */
export const FIRST_TIER = 't1'
/** Keys of one agent that are good at a time: rotated ones are, until their overlap ends. */
const LIVE_KEYS_MAX = 5
const OVERLAP_MS_MAX = 7 * 86_400_000
const LABEL = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]{0,58}[^\p{C}\p{Z}])?$/u
/** A member whose record is not there after this long never gets one. */
const UNFINISHED_MS = 60_000

interface KeyView {
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

interface RotatedKey {
  /** Shown once. */
  readonly apiKey: string
  readonly oldKeysEndAt: string
}

export interface AgentsOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send'>
  readonly apiKeys: Pick<ApiKeys, 'announce' | 'createKey' | 'end' | 'prepareKey'>
  /** Called after every change. */
  readonly onChange?: (account: string) => void
}

const keyRotate = defineScript('key-rotate', ['agent', 'feed'],
  ['hash', 'overlap_ms', 'live_max', 'length', 'ttl_ms'],
  ([code, endsAt]: ['missing' | 'full' | 'done', string?]) => ({ code, endsAt: Number(endsAt) }))

/** Another account's agent, a deleted one and none at all are refused alike. */
export class Agents {
  private readonly options: AgentsOptions

  constructor(options: AgentsOptions) {
    this.options = options
  }

  async create(account: string, label: string): Promise<NewKey> {
    const { ledger, durable, apiKeys } = this.options
    const given = { tier: FIRST_TIER, label: labelOf(label), account }
    return await apiKeys.createKey(given).catch(async (error: unknown) => {
      if ((error as Refusal).error !== 'agent_limit') throw error
      if (!await freeUnused({ ledger, durable }, account)) throw error
      return await apiKeys.createKey(given)
    })
  }

  async list(account: string): Promise<AgentView[]> {
    const { ledger } = this.options
    const members = await readMembers(ledger, account)
    const records = await Promise.all(members.map(([agent]) => readAgent(ledger, agent)))
    return await Promise.all(records
      .filter((record) => record?.account === account && record.state === 'active')
      .map((record) => viewOf(ledger, record as AgentRecord)))
  }

  /** As it calls: what a key of it would open. */
  async find(account: string, agent: string): Promise<Agent> {
    const { tier, limits } = await this.own(account, agent)
    return { agent, account, tier, ...(limits && { limits }) }
  }

  async rename(account: string, agent: string, label: string): Promise<void> {
    await this.set(await this.own(account, agent), 'label', labelOf(label))
  }

  /** Its keys end at once and its membership is free; orders and earnings stay. */
  async remove(account: string, agent: string): Promise<void> {
    const { durable, apiKeys, onChange } = this.options
    await this.own(account, agent)
    await apiKeys.end(agent, 'delete')
    await leaveAccount(durable.run, account, agent, true)
    onChange?.(account)
  }

  /** A new key; the present ones stay valid for the overlap. */
  async rotate(account: string, agent: string, overlapMs: number): Promise<RotatedKey> {
    const { durable, apiKeys, onChange } = this.options
    if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > OVERLAP_MS_MAX) {
      throw wrong('overlap', 'must be from nothing to 7 days')
    }
    await this.own(account, agent)
    const { apiKey, hash } = await apiKeys.prepareKey(agent)
    const { code, endsAt } = await durable.run(keyRotate,
      { agent: keys.agent(agent), feed: keys.feed(agent) }, {
        hash, overlap_ms: overlapMs, live_max: LIVE_KEYS_MAX,
        length: FEED_MAX, ttl_ms: FEED_TTL_MS,
      })
    if (code === 'missing') throw new Refusal('not_found')
    if (code === 'full') {
      throw wrong('overlap', `leaves more than ${LIVE_KEYS_MAX} keys good: revoke one first`)
    }
    await apiKeys.announce(agent)
    onChange?.(account)
    return { apiKey, oldKeysEndAt: isoTime(endsAt) }
  }

  async revokeKey(account: string, agent: string, keyId: string): Promise<void> {
    const { apiKeys, onChange } = this.options
    const record = await this.own(account, agent)
    const key = record.keys.find(({ hash }) => idOf(hash) === keyId)
    if (!key) throw new Refusal('not_found')
    await apiKeys.end(agent, { hash: key.hash })
    onChange?.(account)
  }

  /** Replaces what was set before; nothing is limited by an empty object. */
  async setLimits(account: string, agent: string, limits: unknown): Promise<void> {
    assertOwnerLimits(limits)
    await this.set(await this.own(account, agent), 'limits', limitsText(limits))
  }

  /** By the operator; in force on every node within a second. Refuses with not_found. */
  async setTier(agent: string, tier: string): Promise<AgentRecord> {
    const { ledger, durable } = this.options
    const record = await readAgent(ledger, agent)
    if (!record || record.state === 'deleted') throw new Refusal('not_found')
    await keepTrial({ ledger, durable }, record.account)
    await this.set(record, 'tier', tier)
    return { ...record, tier }
  }

  private async own(account: string, agent: string): Promise<AgentRecord> {
    const record = await readAgent(this.options.ledger, agent)
    if (record?.account !== account || record.state === 'deleted') throw new Refusal('not_found')
    return record
  }

  private async set(record: AgentRecord, field: string, value: string): Promise<void> {
    const { durable, apiKeys, onChange } = this.options
    await durable.send('hset', keys.agent(record.agent), field, value)
    await apiKeys.announce(record.agent)
    onChange?.(record.account)
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
