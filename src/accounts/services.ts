/** Everything that the console needs of accounts, put together for a node. */
import type { Logger } from '../log.ts'
import type { Secrets } from '../ids.ts'
import type { Mode } from '../money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { createOwners, type Owners } from './accounts.ts'
import { createAgents, type Agents } from './agents.ts'
import { createBinding, type BindTrial, type EarningsMerge } from './binding.ts'
import type { Accounts } from './keys.ts'
import { createPasswords } from './passwords.ts'
import { createSessions, type Sessions } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import { createViews, type Views } from './views.ts'

export interface AccountServices {
  readonly owners: Owners
  readonly sessions: Sessions
  readonly agents: Agents
  readonly bindTrial: BindTrial
  readonly views: Views
}

export interface AccountServicesOptions {
  readonly ledger: RedisClient
  readonly counters: RedisClient
  readonly shelf: RedisClient
  readonly shelfUrl: string
  readonly durable: Pick<Durable, 'run' | 'send'>
  readonly secrets: Secrets
  readonly publicUrl: string
  /** Of the service. */
  readonly mode: Mode
  readonly accounts: Accounts
  readonly throttle: Throttle
  readonly earnings: EarningsMerge
  readonly log: Pick<Logger, 'warn'>
}

export function createAccountServices(options: AccountServicesOptions): AccountServices {
  const views = createViews(options)
  const parts = { ...options, onChange: views.touch }
  options.accounts.watch(views.touch)
  return {
    owners: createOwners({
      ...parts, passwords: createPasswords(options.secrets.keyFor('password')),
    }),
    sessions: createSessions(options),
    agents: createAgents(parts),
    bindTrial: createBinding(parts),
    views,
  }
}
