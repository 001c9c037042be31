/** From the headers of a call to who makes it. */
import type { Accounts } from '../accounts/keys.ts'
import { Refusal } from '../errors.ts'
import type { Caller } from '../operations/define.ts'

/**
 * The key that a request carries; null without one. Anything that looks like an attempt to
 * authenticate and is not a well-formed key refuses: it must never be served as keyless.
 */
export function credentialOf(authorization?: string, apiKey?: string): string | null {
  const bearer = authorization === undefined
    ? undefined : /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1] ?? ''
  const keys = [bearer, apiKey?.trim()].filter((key) => key !== undefined)
  if (keys.length === 0) return null
  if (keys.length === 2 && keys[0] !== keys[1]) {
    throw new Refusal('key_invalid', {
      hint: 'Authorization and X-API-Key carry different keys: send one of them.',
    })
  }
  return keys[0] ?? ''
}

export async function identify(
  accounts: Accounts, credential: string | null, address: string,
): Promise<Caller> {
  if (credential === null) return { agent: null, account: null, tier: 'keyless', address }
  const agent = await accounts.lookup(credential)
  if (!agent) throw new Refusal('key_invalid')
  return { ...agent, address }
}
