/** What the operator decides about agents and accounts, and sees of them. */
import { bpsAt, setTerms } from '../earnings/terms.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { readAgent, type AgentRecord } from './agent-record.ts'
import { createAgents, type AgentView } from './agents.ts'
import { maskEmail, normalEmail } from './email.ts'
import type { Accounts } from './keys.ts'
import { keepTrial } from './trials.ts'

export interface ShownAccount {
  readonly account: string
  readonly kind: string
  readonly state: string
  readonly email?: string
  /** Whether its owner proved to read the mail of that address. */
  readonly email_verified?: boolean
  readonly created_at?: string
  readonly merged_into?: string
  /** Negotiated; absent where the usual rate holds. */
  readonly bps?: number
  readonly agents: readonly AgentView[]
}

export interface AccountOperator {
  /** In force on every node within a second. Refuses with not_found. */
  setTier(agent: string, tier: string): Promise<AgentRecord>
  /** The rate of what is paid from now on. Refuses with not_found. */
  setTerms(account: string, bps: number): Promise<void>
  /** The account that signs in with an address; undefined when there is none. */
  find(email: string): Promise<string | undefined>
  /** Undefined when there is none. */
  show(account: string): Promise<ShownAccount | undefined>
}

export interface AccountOperatorOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run' | 'send'>
  readonly secrets: Secrets
  readonly accounts: Accounts
}

export function createAccountOperator(options: AccountOperatorOptions): AccountOperator {
  const { ledger, durable, secrets, accounts } = options
  const agents = createAgents({ ledger, durable, accounts })

  return {
    async setTier(agent, tier) {
      const record = await readAgent(ledger, agent)
      if (!record || record.state === 'deleted') throw new Refusal('not_found')
      await keepTrial({ ledger, durable }, record.account)
      await durable.send('hset', keys.agent(agent), 'tier', tier)
      await accounts.announce(agent)
      return { ...record, tier }
    },
    async setTerms(account, bps) {
      const { code, account: into } = await setTerms(durable, account, bps)
      if (code !== 'done') throw new Refusal('not_found', { ...(into && { merged_into: into }) })
    },
    async find(email) {
      const hash = secrets.keyedHash('email', normalEmail(email))
      const account = await ledger.get(keys.email(hash))
      // A deletion that a crash cut short leaves the address behind.
      const own = account === null ? null : await ledger.hget(keys.login(account), 'email_hash')
      return account !== null && own === hash ? account : undefined
    },
    async show(account) {
      const fields = await ledger.hgetall(keys.account(account))
      if (Object.keys(fields).length === 0) return undefined
      const { kind = 'operator', state = 'active', created_at, merged_into, terms } = fields
      const [sealed, verifiedAt] =
        await ledger.hmget(keys.login(account), 'email', 'verified_at')
      return {
        account, kind,
        state: merged_into ? 'merged' : state,
        ...(sealed && {
          email: maskEmail(secrets.seal('email').open(sealed, account)),
          email_verified: verifiedAt !== null,
        }),
        ...(created_at && { created_at }),
        ...(merged_into && { merged_into }),
        ...(terms && { bps: bpsAt(terms) }),
        agents: await agents.list(account),
      }
    },
  }
}
