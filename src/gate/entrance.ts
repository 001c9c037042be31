/** Who calls, and may they call now. At once where key and tokens are at hand. */
import type { Accounts } from '../accounts/keys.ts'
import type { Refusal } from '../contract/errors.ts'
import { andThen, type Maybe } from '../contract/maybe.ts'
import type { Caller, Client } from '../contract/caller.ts'
import { credentialOf, identify } from './auth.ts'
import { createGuard } from './guard.ts'
import type { Credentials, Entrance } from './invoke.ts'
import type { Limits } from '../limits/limits.ts'

interface EntranceParts {
  readonly accounts: Accounts
  readonly limits: Limits
  readonly toRefusal: (error: unknown) => Refusal
}

type Enter = (credentials: Credentials) => Maybe<Entrance>

export function createEntrance({ accounts, limits, toRefusal }: EntranceParts): Enter {
  const guard = createGuard(limits, accounts)

  const admit = (caller: Caller): Maybe<Entrance> =>
    andThen(limits.admit(caller), ({ headers, refusal }) =>
      (refusal ? { caller, headers, refusal } : { caller, headers }))

  /** Only a wrong key counts as a failure: that the ledger is away is not its sender's doing. */
  function refuse(error: unknown, client: Client): Maybe<Entrance> {
    const caller = nobodyAt(client)
    const refusal = toRefusal(error)
    if (refusal.error !== 'key_invalid') return { caller, headers: limits.unspent, refusal }
    return guard.failed(client.address)
      .then(({ headers, refusal: flooded }) => ({ caller, headers, refusal: flooded ?? refusal }))
  }

  function authenticate(credential: string, client: Client): Maybe<Entrance> {
    const blocked = guard.blocked(credential, client)
    if (blocked) return { caller: nobodyAt(client), ...blocked }
    try {
      const caller = identify(accounts, credential, client)
      if (!(caller instanceof Promise)) return admit(caller)
      // Asked for now: who has gone meanwhile can no longer be asked, and should still be counted.
      void client.address
      return caller.then(admit).catch((error: unknown) => refuse(error, client))
    } catch (error) {
      return refuse(error, client)
    }
  }

  return ({ authorization, apiKey, client }) => {
    let credential: string | null
    try {
      credential = credentialOf(authorization, apiKey)
    } catch (error) {
      return authenticateNothing(error, client)
    }
    return credential === null ? admit(nobodyAt(client)) : authenticate(credential, client)
  }

  /** Two keys, or none that could be one, are as wrong as a wrong one. */
  function authenticateNothing(error: unknown, client: Client): Maybe<Entrance> {
    const blocked = guard.blocked('', client)
    return blocked ? { caller: nobodyAt(client), ...blocked } : refuse(error, client)
  }
}

const nobodyAt = (client: Client): Caller =>
  ({ agent: null, account: null, tier: 'keyless', client })
