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
import { readAgent, type AgentRecord } from './agent-record.ts'
import { FIRST_TIER, freeUnused } from './agents.ts'
import type { Accounts } from './keys.ts'
import { joinAccount, leaveAccount, readMembers } from './membership.ts'
import type { Throttle } from '../limits/throttle.ts'
import { keepTrial } from './trials.ts'

const CODE = /^[0-9A-Za-z]{16}$/
/** A trial gets another agent only by the operator's hand. */
const LOOKS_MAX = 3

/** Moves what a trial earned to the account; safe to repeat, and to call before there is any. */
export interface EarningsMerge {
  merge(trialAccount: string, account: string): Promise<void>
}

export interface BindingOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
  readonly secrets: Secrets
  readonly throttle: Throttle
  readonly accounts: Pick<Accounts, 'announce'>
  readonly earnings: EarningsMerge
  /** Hears of every change, after it. */
  readonly onChange?: (account: string) => void
}

/** Resolves with the agents that came along. */
export type BindTrial = (account: string, code: string, address: string) => Promise<string[]>

const trialMerge = defineScript('trial-merge', ['trial'], ['account', 'agents', 'at'],
  ([code, account]: ['none' | 'agents' | 'merged', string?]) => ({ code, account }))
const agentMove = defineScript('agent-move', ['agent'], ['account', 'tier'],
  (moved: number) => moved === 1)

export function createBinding(options: BindingOptions): BindTrial {
  const { ledger, durable, secrets, throttle, accounts, earnings } = options
  const { onChange = () => {} } = options
  const { run } = durable

  async function agentsOf(trial: string): Promise<AgentRecord[]> {
    const members = await readMembers(ledger, trial)
    const records = await Promise.all(members.map(([agent]) => readAgent(ledger, agent)))
    return records.filter((record) => record !== undefined)
  }

  /** Those of the trial's agents that have not come along yet. */
  const waiting = (agents: readonly AgentRecord[], trial: string): AgentRecord[] =>
    agents.filter(({ account, state }) => account === trial && state === 'active')

  /** All or none; resolves with those that had no place before. */
  async function takeRoom(account: string, agents: readonly AgentRecord[]): Promise<string[]> {
    const present = new Map(await readMembers(ledger, account))
    const taken: string[] = []
    for (const { agent } of agents) {
      try {
        await joinAccount({ ledger, run }, account, agent)
      } catch (error) {
        await giveBack(account, taken)
        throw error
      }
      if (!present.has(agent)) taken.push(agent)
    }
    return taken
  }

  async function giveBack(account: string, agents: readonly string[]): Promise<void> {
    for (const agent of agents) await leaveAccount(run, account, agent, false)
  }

  /** The room is taken first, so that it can be refused while nothing has happened yet. */
  async function merge(trial: string, account: string): Promise<void> {
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const members = await readMembers(ledger, trial)
      const coming = waiting(await agentsOf(trial), trial)
      const taken = await takeRoom(account, coming).catch(async (error: unknown) => {
        const isFull = (error as Refusal).error === 'agent_limit'
        if (!isFull || !await freeUnused({ ledger, durable }, account)) throw error
        return await takeRoom(account, coming)
      })
      await keepTrial({ ledger, durable }, trial)
      const agents = JSON.stringify(Object.fromEntries(members.map(([agent]) => [agent, 1])))
      const { code, account: into } = await run(trialMerge, { trial: keys.account(trial) },
        { account, agents, at: isoTime(nowMs()) })
      if (into === account) return
      await giveBack(account, taken)
      if (code !== 'agents') throw unknownCode()
    }
    throw new Refusal('unavailable')
  }

  return async function bindTrial(account, code, address) {
    await throttle.take('binding', address, account)
    const trial = CODE.test(code) ? await ledger.get(keys.binding(secrets.keyHash(code))) : null
    if (trial === null) throw unknownCode()
    const [kind, state] = await ledger.hmget(keys.account(account), 'kind', 'state')
    if (kind !== 'account' || state !== 'active') throw unknownCode()
    const before = await ledger.hget(keys.account(trial), 'merged_into')
    // Somebody else's by now: the answer is that of a code that never was.
    if (before !== null && before !== account) throw unknownCode()
    await merge(trial, account)
    const agents = await agentsOf(trial)
    for (const { agent } of waiting(agents, trial)) {
      await joinAccount({ ledger, run }, account, agent)
      await run(agentMove, { agent: keys.agent(agent) }, { account, tier: FIRST_TIER })
      await accounts.announce(agent)
    }
    await earnings.merge(trial, account)
    onChange(trial)
    onChange(account)
    return agents.map(({ agent }) => agent)
  }
}

const unknownCode = (): Refusal => new Refusal('not_found', {
  hint: 'Check the binding code: it is unknown, or was entered in another account.',
})
