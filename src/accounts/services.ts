/** Everything that a node needs of accounts beside their API keys, put together. */
import type { RedisClient } from '../redis/connect.ts'
import { Accounts, type AccountsOptions } from './accounts.ts'
import { Agents, type AgentsOptions } from './agents.ts'
import type { ApiKeys } from './api-keys.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { AccountViews, type AccountViewsOptions } from './views.ts'

export interface AccountServices {
  readonly accounts: Accounts
  readonly agents: Agents
  readonly sessions: Sessions
  readonly views: AccountViews
}

export type AccountServicesOptions = Omit<
  AccountsOptions & AgentsOptions & AccountViewsOptions, 'onChange' | 'apiKeys'> & {
    readonly counters: RedisClient
    readonly apiKeys: ApiKeys
  }

export function createAccountServices(options: AccountServicesOptions): AccountServices {
  const views = new AccountViews(options)
  const onChange = (account: string): void => views.touch(account)
  options.apiKeys.watch(onChange)
  return {
    accounts: new Accounts({ ...options, onChange }),
    agents: new Agents({ ...options, onChange }),
    sessions: createSessions({ ...options, publicUrl: options.config.publicUrl }),
    views,
  }
}
