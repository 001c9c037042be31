/** From the headers of a call to who makes it, and limits on wrong keys by their address. */
import { LRUCache } from 'lru-cache'
import type { Agent } from '../accounts/agent-records.ts'
import type { ApiKeys } from '../accounts/api-keys.ts'
import type { Caller, Client } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import { chain, type MaybePromise } from '../contract/maybe-promise.ts'
import { monotonicMs } from '../contract/time.ts'
import { addressGroup, AUTH_FAILURES, type Limits, type RateLimitResult } from '../limits/limits.ts'

/** Addresses that a node remembers as over their limit. */
const BLOCKED_MAX = 10_000
/** While an address is over its limit, one key it was not seen with is tried in this time. */
const TRIAL_MS = 100
/** An address that was quiet for so long has its whole allowance again. */
const FORGET_MS = (AUTH_FAILURES.burst / AUTH_FAILURES.rate_per_s) * 1000

/** An ended trial key leaves nothing behind: it is answered like one that never was. */
const TRIAL_ENDED = {
  hint: 'Trial keys that earned nothing end after 7 days without a call: get a new one with '
    + 'POST /v1/trial-keys, or a key of an account in the console.',
}

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

export const identify = (
  apiKeys: ApiKeys, key: string, client: Client,
): MaybePromise<Caller> => chain(apiKeys.lookup(key), (agent) => {
  if (!agent) throw new Refusal('key_invalid', key.startsWith('ak_trial_') ? TRIAL_ENDED : {})
  return callerOf(agent, client)
})

/** Written out: V8 gives each spread copy with a further field a hidden class of its own. */
const callerOf = ({ agent, account, tier, limits }: Agent, client: Client): Caller =>
  limits === undefined ? { agent, account, tier, client } : { agent, account, tier, limits, client }

interface Block {
  readonly answer: RateLimitResult
  until: number
}

/**
 * Limits failed authentication by address before a key is looked up, so that a flood of wrong keys
 * loads neither the ledger nor counters. It spends nobody's bucket or quota. People share
 * addresses: behind one there may be a flood and a shop full of honest agents. So a key that was
 * valid when this node last looked it up is never blocked by its address; only keys that the node
 * does not know wait.
 */
export class FailureGuard {
  private readonly limits: Pick<Limits, 'authFailed'>
  private readonly apiKeys: Pick<ApiKeys, 'wasValid'>
  private readonly blocks = new LRUCache<string, Block>({ max: BLOCKED_MAX })

  constructor(limits: Pick<Limits, 'authFailed'>, apiKeys: Pick<ApiKeys, 'wasValid'>) {
    this.limits = limits
    this.apiKeys = apiKeys
  }

  /** The answer to an address that may not try this key now. */
  blocked(credential: string, client: Client): RateLimitResult | undefined {
    const { blocks } = this
    if (blocks.size === 0 || this.apiKeys.wasValid(credential)) return undefined
    const group = addressGroup(client.address)
    const block = blocks.get(group)
    if (!block) return undefined
    const at = monotonicMs()
    if (at < block.until) return block.answer
    if (at > block.until + FORGET_MS) blocks.delete(group)
    else block.until = at + TRIAL_MS
    return undefined
  }

  async countFailure(address: string): Promise<RateLimitResult> {
    const answer = await this.limits.authFailed(address)
    const waitS = answer.refusal?.detail.retry_after_s
    if (waitS !== undefined) {
      this.blocks.set(addressGroup(address), { answer, until: monotonicMs() + waitS * 1000 })
    }
    return answer
  }
}
