/**
 * Failed authentication, limited by address before a key is looked up, so that a flood of wrong
 * keys loads neither the ledger nor counters. It spends nobody's bucket or quota.
 */
import { LRUCache } from 'lru-cache'
import type { Accounts } from '../accounts/keys.ts'
import { monotonicMs } from '../contract/time.ts'
import type { Client } from '../contract/caller.ts'
import type { Admission, Limits } from '../limits/limits.ts'
import { addressGroup, AUTH_FAILURES } from '../limits/limits.ts'

/** Addresses that a node remembers as over their limit. */
const BLOCKED_MAX = 10_000
/** While an address is over its limit, one key it was not seen with is tried in this time. */
const TRIAL_MS = 100
/** An address that was quiet for so long has its whole allowance again. */
const FORGET_MS = (AUTH_FAILURES.burst / AUTH_FAILURES.rate_per_s) * 1000

interface Block {
  readonly answer: Admission
  until: number
}

export interface Guard {
  /** The answer to an address that may not try this key now. */
  blocked(credential: string, client: Client): Admission | undefined
  failed(address: string): Promise<Admission>
}

/**
 * People share addresses: behind one there may be a flood and a shop full of honest agents. So a
 * key that was good when this node last looked it up is never held back by its address; only
 * keys that the node does not know wait.
 */
export function createGuard(
  limits: Pick<Limits, 'authFailed'>, accounts: Pick<Accounts, 'wasGood'>,
): Guard {
  const blocks = new LRUCache<string, Block>({ max: BLOCKED_MAX })

  return {
    blocked(credential, client) {
      if (blocks.size === 0 || accounts.wasGood(credential)) return undefined
      const group = addressGroup(client.address)
      const block = blocks.get(group)
      if (!block) return undefined
      const at = monotonicMs()
      if (at < block.until) return block.answer
      if (at > block.until + FORGET_MS) blocks.delete(group)
      else block.until = at + TRIAL_MS
      return undefined
    },
    async failed(address) {
      const answer = await limits.authFailed(address)
      const waitS = answer.refusal?.detail.retry_after_s
      if (waitS !== undefined) {
        blocks.set(addressGroup(address), { answer, until: monotonicMs() + waitS * 1000 })
      }
      return answer
    },
  }
}
