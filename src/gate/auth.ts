/** From the headers of a call to who makes it. */
import type { Accounts } from '../accounts/keys.ts'
import { Refusal } from '../contract/errors.ts'
import { andThen, type Maybe } from '../contract/maybe.ts'
import type { Caller, Client } from '../contract/caller.ts'

/**
 * The key that a request carries; null without one. Anything that looks like an attempt to
 * authenticate and is not a well-formed key refuses: it must never be served as keyless.
 */
export function credentialOf(authorization?: string, apiKey?: string): string | null {
  const bearer = authorization === undefined
    ? undefined : /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1] ?? ''
  if (apiKey === undefined) return bearer ?? null
  const key = apiKey.trim()
  if (bearer !== undefined && bearer !== key) {
    throw new Refusal('key_invalid', {
      hint: 'Authorization and X-API-Key carry different keys: send one of them.',
    })
  }
  return key
}

/** Nothing is left of one that ended: it is answered like one that never was. */
const TRIAL_ENDED = {
  hint: 'Trial keys that earned nothing end after 7 days without a call: get a new one with '
    + 'POST /v1/trial-keys, or a key of an account in the console.',
}

export const identify = (accounts: Accounts, key: string, client: Client): Maybe<Caller> =>
  andThen(accounts.lookup(key), (agent) => {
    if (!agent) throw new Refusal('key_invalid', key.startsWith('ak_trial_') ? TRIAL_ENDED : {})
    return { ...agent, client }
  })
