/** Everything that the console needs of accounts, put together for a node. */
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { createEmailReader, createOwners, type Owners } from './accounts.ts'
import { createAddressProofs, type AddressProofs } from './address-proofs.ts'
import { createAgents, type Agents } from './agents.ts'
import { createBinding, type BindTrial, type EarningsMerge } from './binding.ts'
import type { Accounts } from './keys.ts'
import { createPasswords } from './passwords.ts'
import { createSessions, type Sessions } from './sessions.ts'
import type { Throttle } from '../limits/throttle.ts'
import { createViews, type Views } from './views.ts'

export interface AccountServices {
  readonly owners: Owners
  readonly proofs: AddressProofs
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
  readonly config: Pick<Config, 'publicUrl' | 'payeeHoldMs'>
  /** Of the service. */
  readonly mode: Mode
  readonly mailer: Pick<Mailer, 'send'>
  readonly accounts: Accounts
  readonly throttle: Throttle
  readonly earnings: EarningsMerge
  readonly log: Pick<Logger, 'warn'>
}

export function createAccountServices(options: AccountServicesOptions): AccountServices {
  const views = createViews(options)
  const parts = { ...options, onChange: views.touch }
  options.accounts.watch(views.touch)
  const passwords = createPasswords(options.secrets.passwordPepper)
  const proofs = createAddressProofs({
    ...options, passwords, emailOf: createEmailReader(options),
  })
  return {
    owners: createOwners({ ...parts, passwords, proofs }),
    proofs,
    sessions: createSessions({ ...options, publicUrl: options.config.publicUrl }),
    agents: createAgents(parts),
    bindTrial: createBinding(parts),
    views,
  }
}
