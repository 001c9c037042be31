/**
 * Entering a trial key's binding code: the trial's agents become the account's, and what they
 * earned goes along. Each step may be made again: a crash anywhere is mended by entering the code
 * once more.
 */
import { isoTime, nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import {
  joinAccount, leaveAccount, readAgent, readMembers, type AgentRecord,
} from './agent-records.ts'
import { FIRST_TIER, freeUnused } from './agents.ts'
import type { ApiKeys } from './api-keys.ts'
import type { Throttle } from '../limits/throttle.ts'
import { keepTrial } from './trials.ts'

const CODE = /^[0-9A-Za-z]{16}$/
/** A trial gets another agent only by the operator's hand. */
const TRIES_MAX = 3

/** Moves what a trial earned to the account; safe to repeat, and to call before there is any. */
export interface EarningsMerge {
  merge(trialAccount: string, account: string): Promise<void>
}

interface BindingOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
  readonly secrets: Secrets
  readonly throttle: Throttle
  readonly apiKeys: Pick<ApiKeys, 'announce'>
  readonly earnings: EarningsMerge
  /** Called after every change. */
  readonly onChange?: (account: string) => void
}

const trialMerge = defineScript('trial-merge', ['trial'], ['account', 'agents', 'at'],
  ([code, account]: ['none' | 'agents' | 'merged', string?]) => ({ code, account }))
const agentMove = defineScript('agent-move', ['agent'], ['account', 'tier'],
  (moved: number) => moved === 1)

/** Resolves with the agents that came along. */
export async function joinTrial(
  options: BindingOptions, account: string, code: string, address: string,
): Promise<string[]> {
  const { ledger, durable: { run }, secrets, throttle, apiKeys, earnings } = options
  await throttle.take('binding', address, account)
  const trial = CODE.test(code) ? await ledger.get(keys.binding(secrets.keyHash(code))) : null
  if (trial === null) throw unknownCode()
  const [kind, state] = await ledger.hmget(keys.account(account), 'kind', 'state')
  if (kind !== 'account' || state !== 'active') throw unknownCode()
  const before = await ledger.hget(keys.account(trial), 'merged_into')
  // Somebody else's by now: the answer is that of a code that never was.
  if (before !== null && before !== account) throw unknownCode()
  await mergeAccounts(options, trial, account)
  const agents = await readAgents(ledger, trial)
  for (const { agent } of notMoved(agents, trial)) {
    await joinAccount({ ledger, run }, account, agent)
    await run(agentMove, { agent: keys.agent(agent) }, { account, tier: FIRST_TIER })
    await apiKeys.announce(agent)
  }
  await earnings.merge(trial, account)
  options.onChange?.(trial)
  options.onChange?.(account)
  return agents.map(({ agent }) => agent)
}

type Store = Pick<BindingOptions, 'ledger' | 'durable'>

/** Membership is taken first, so that it can be refused while nothing has happened yet. */
async function mergeAccounts(store: Store, trial: string, account: string): Promise<void> {
  const { ledger, durable } = store
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const members = await readMembers(ledger, trial)
    const coming = notMoved(await readAgents(ledger, trial), trial)
    const joined = await joinAll(store, account, coming).catch(async (error: unknown) => {
      const isFull = (error as Refusal).error === 'agent_limit'
      if (!isFull || !await freeUnused({ ledger, durable }, account)) throw error
      return await joinAll(store, account, coming)
    })
    await keepTrial({ ledger, durable }, trial)
    const agents = JSON.stringify(Object.fromEntries(members.map(([agent]) => [agent, 1])))
    const { code, account: into } = await durable.run(trialMerge,
      { trial: keys.account(trial) }, { account, agents, at: isoTime(nowMs()) })
    if (into === account) return
    await leaveAll(durable.run, account, joined)
    if (code !== 'agents') throw unknownCode()
  }
  throw new Refusal('unavailable')
}

/** All or none; resolves with those that were no members before. */
async function joinAll(
  { ledger, durable: { run } }: Store, account: string, agents: readonly AgentRecord[],
): Promise<string[]> {
  const present = new Map(await readMembers(ledger, account))
  const joined: string[] = []
  for (const { agent } of agents) {
    try {
      await joinAccount({ ledger, run }, account, agent)
    } catch (error) {
      await leaveAll(run, account, joined)
      throw error
    }
    if (!present.has(agent)) joined.push(agent)
  }
  return joined
}

async function leaveAll(
  run: Durable['run'], account: string, agents: readonly string[],
): Promise<void> {
  for (const agent of agents) await leaveAccount(run, account, agent, false)
}

async function readAgents(ledger: RedisClient, trial: string): Promise<AgentRecord[]> {
  const members = await readMembers(ledger, trial)
  const records = await Promise.all(members.map(([agent]) => readAgent(ledger, agent)))
  return records.filter((record) => record !== undefined)
}

/** Those of the trial's agents that have not come along yet. */
const notMoved = (agents: readonly AgentRecord[], trial: string): AgentRecord[] =>
  agents.filter(({ account, state }) => account === trial && state === 'active')

const unknownCode = (): Refusal => new Refusal('not_found', {
  hint: 'Check the binding code: it is unknown, or was entered in another account.',
})
