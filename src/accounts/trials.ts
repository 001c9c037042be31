/**
 * How long trial keys last. A trial that earned nothing ends seven days after its last call: its
 * account, binding code, key and agent have a TTL, which a call renews at most once a day. What it
 * earns, its binding or an operator's decision keeps it for good.
 */
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { runMany } from '../redis/send.ts'
import { readAgent, readMembers } from './agent-records.ts'

const DAY_MS = 86_400_000
/** A call is noted at most once a day: one day more than the seven. */
export const TRIAL_MS = 8 * DAY_MS
const NOTED_MS = DAY_MS
/** What a trial's link sells is reported within this time: so long its marks and links count. */
export const TRIAL_LINK_MS = 60 * DAY_MS
/** A trial outlives every mark that it was given, also within a noted day. */
export const TRIAL_WITH_LINK_MS = TRIAL_LINK_MS + NOTED_MS
/** Account and code outlive the agent that names them. */
const AFTER_MS = 3_600_000
export const TRIAL_ACCOUNT_MS = TRIAL_MS + AFTER_MS

interface TrialStore {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
}

const trialKeep = defineScript('trial-keep', ['record'], ['kept'], (found: number) => found === 1)
const trialExpire = defineScript('trial-expire', ['record'], ['ttl_ms', 'binding'],
  (code: number) => (['kept', 'none', 'expires'] as const)[code + 1])

/** Names of a trial's records: those that a call is answered by, and the others. */
async function recordsOf(
  ledger: RedisClient, account: string,
): Promise<{ agents: string[], others: string[] }> {
  const binding = await ledger.hget(keys.account(account), 'binding')
  const members = (await readMembers(ledger, account)).map(([agent]) => agent)
  const agents = await Promise.all(members.map((agent) => readAgent(ledger, agent)))
  return {
    agents: members.map(keys.agent),
    others: [
      ...binding === null ? [] : [keys.binding(binding)],
      ...agents.flatMap((agent) => agent?.keys.map(({ hash }) => keys.key(hash)) ?? []),
    ],
  }
}

/** Whether what is left of a trial's time, ms, is too little after a call of this moment. */
export const isToRenew = (leftMs: number, lifeMs = TRIAL_MS): boolean =>
  leftMs >= 0 && leftMs < lifeMs - NOTED_MS

/**
 * A trial was used: it lasts `lifeMs` from now on, if that is longer. The agent's own record comes
 * last, so that a renewal which was cut off is made again by the next call.
 */
export async function renewTrial(
  store: TrialStore, account: string, lifeMs = TRIAL_MS,
): Promise<void> {
  const { ledger } = store
  if (!isToRenew(await ledger.pttl(keys.account(account)) - AFTER_MS, lifeMs)) return
  // Older code that runs beside this one posts commissions without keeping the trial.
  if (await hasEarned(ledger, account)) return await keepTrial(store, account)
  const { agents, others } = await recordsOf(ledger, account)
  // GT: a record that is kept for good has no TTL, and gets none.
  const renew = (names: readonly string[], ms: number): Promise<unknown> =>
    runMany(ledger, names.map((name) => ['pexpire', name, ms, 'GT'] as const))
  await renew([keys.account(account), ...others], lifeMs + AFTER_MS)
  await renew(agents, lifeMs)
}

/**
 * Has a trial stay for good; again is no harm. To be called before what it is kept for is written.
 * The account says first that it began, and last that it is done.
 */
export async function keepTrial(store: TrialStore, account: string): Promise<void> {
  const { ledger, durable } = store
  const [kind, kept] = await ledger.hmget(keys.account(account), 'kind', 'kept')
  if (kind !== 'trial' || kept === 'yes') return
  const keep = (record: string, how: 'begun' | 'yes') =>
    durable.run(trialKeep, { record }, { kept: how })
  await keep(keys.account(account), 'begun')
  const { agents, others } = await recordsOf(ledger, account)
  await Promise.all([...others, ...agents].map((record) => keep(record, 'yes')))
  await keep(keys.account(account), 'yes')
}

/** Gives a trial of older code, which has no end yet, its end; keeps one that earned. */
export async function expireTrial(
  store: TrialStore, account: string, binding: string,
): Promise<void> {
  const { ledger, durable } = store
  const [kind, into, tiers] = await standingOf(ledger, account)
  if (kind !== 'trial' || into !== null) return
  const expire = (record: string, ttl_ms: number, code = '') =>
    durable.run(trialExpire, { record }, { ttl_ms, binding: code })
  await expire(keys.binding(binding), TRIAL_ACCOUNT_MS)
  const state = await expire(keys.account(account), TRIAL_ACCOUNT_MS, binding)
  const isOperators = tiers.some((tier) => tier !== 'trial')
  if (state === 'kept' || isOperators || await hasEarned(ledger, account)) {
    return await keepTrial(store, account)
  }
  const { agents, others } = await recordsOf(ledger, account)
  await Promise.all(others.map((record) => expire(record, TRIAL_ACCOUNT_MS)))
  await Promise.all(agents.map((record) => expire(record, TRIAL_MS)))
}

async function standingOf(
  ledger: RedisClient, account: string,
): Promise<[kind: string | null, into: string | null, tiers: string[]]> {
  const [kind = null, into = null] =
    await ledger.hmget(keys.account(account), 'kind', 'merged_into')
  const members = kind === 'trial' ? await readMembers(ledger, account) : []
  const agents = await Promise.all(members.map(([agent]) => readAgent(ledger, agent)))
  return [kind, into, agents.flatMap((agent) => agent?.tier ?? [])]
}

/** In the books of either mode. */
const hasEarned = async (ledger: RedisClient, account: string): Promise<boolean> =>
  await ledger.exists(keys.posted(account, 'sandbox')) === 1
  || await ledger.exists(keys.posted(account, 'live')) === 1
