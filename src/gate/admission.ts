/** Who calls, and may they call now. At once where key and tokens are at hand. */
import type { ApiKeys } from '../accounts/api-keys.ts'
import type { Caller, Client } from '../contract/caller.ts'
import type { Refusal } from '../contract/errors.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import type { Limits, RateLimitResult } from '../limits/limits.ts'
import { credentialOf, FailureGuard, identify } from './authenticate.ts'

export interface Credentials {
  readonly authorization: string | undefined
  readonly apiKey: string | undefined
  readonly client: Client
}

/** With a refusal the call goes no further; the caller of a refused key is not known. */
export interface Admission extends RateLimitResult {
  readonly caller: Caller
}

export type Admit = (credentials: Credentials) => MaybePromise<Admission>

interface AdmissionParts {
  readonly apiKeys: ApiKeys
  readonly limits: Limits
  readonly toRefusal: (error: unknown) => Refusal
}

export function createAdmission({ apiKeys, limits, toRefusal }: AdmissionParts): Admit {
  const guard = new FailureGuard(limits, apiKeys)

  const takeToken = (caller: Caller): MaybePromise<Admission> =>
    chain(limits.admit(caller), ({ headers, refusal }) =>
      (refusal ? { caller, headers, refusal } : { caller, headers }))

  /** Only a wrong key counts as a failure: an unreachable ledger is not its sender's doing. */
  function refuse(error: unknown, client: Client): MaybePromise<Admission> {
    const caller = anonymousCaller(client)
    const refusal = toRefusal(error)
    if (refusal.error !== 'key_invalid') return { caller, headers: limits.unspent, refusal }
    return guard.countFailure(client.address)
      .then(({ headers, refusal: flooded }) => ({ caller, headers, refusal: flooded ?? refusal }))
  }

  function authenticate(credential: string, client: Client): MaybePromise<Admission> {
    const blocked = guard.blocked(credential, client)
    if (blocked) return { caller: anonymousCaller(client), ...blocked }
    try {
      const caller = identify(apiKeys, credential, client)
      if (!(caller instanceof Promise)) return takeToken(caller)
      // Read now: the connection of a client that leaves meanwhile has no address any more.
      void client.address
      return caller.then(takeToken).catch((error: unknown) => refuse(error, client))
    } catch (error) {
      return refuse(error, client)
    }
  }

  return ({ authorization, apiKey, client }) => {
    let credential: string | null
    try {
      credential = credentialOf(authorization, apiKey)
    } catch (error) {
      return refuseCredentials(error, client)
    }
    return credential === null
      ? takeToken(anonymousCaller(client)) : authenticate(credential, client)
  }

  /** Two keys, or none that could be one, are as wrong as a wrong one. */
  function refuseCredentials(error: unknown, client: Client): MaybePromise<Admission> {
    const blocked = guard.blocked('', client)
    return blocked ? { caller: anonymousCaller(client), ...blocked } : refuse(error, client)
  }
}

const anonymousCaller = (client: Client): Caller =>
  ({ agent: null, account: null, tier: 'keyless', client })
