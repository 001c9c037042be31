/** How often somebody may try at an account: by address, and by what they try at. */
import { Refusal } from '../contract/errors.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { Counters, type Shape } from '../redis/counters.ts'
import { createLimiter, type Limiter } from './token-buckets.ts'
import { waitSeconds } from './headers.ts'
import { addressGroup } from './limits.ts'

export type ThrottledPurpose = 'sign-in' | 'register' | 'password' | 'binding' | 'mail'

/** Takes one try of an address, and of what is tried at; refuses with rate_limited. */
export interface Throttle {
  take(purpose: ThrottledPurpose, address: string, subject: string): Promise<void>
}

/**
 * Behind one address there may be an office; at one account there is one person. The bursts are
 * for people who mistype, the rates for none who guess.
 */
const SHAPES: Record<ThrottledPurpose, { address: Shape, subject: Shape }> = {
  'sign-in': {
    address: { rate_per_s: 0.1, burst: 20 }, subject: { rate_per_s: 0.02, burst: 10 },
  },
  register: {
    address: { rate_per_s: 0.02, burst: 10 }, subject: { rate_per_s: 0.01, burst: 5 },
  },
  password: {
    address: { rate_per_s: 0.1, burst: 20 }, subject: { rate_per_s: 0.02, burst: 10 },
  },
  mail: {
    address: { rate_per_s: 0.02, burst: 10 }, subject: { rate_per_s: 0.005, burst: 3 },
  },
  binding: {
    address: { rate_per_s: 0.02, burst: 10 }, subject: { rate_per_s: 0.02, burst: 10 },
  },
}

export function createThrottle(client: RedisClient, log: Pick<Logger, 'warn'>): Throttle {
  const counters = new Counters(client, log)
  const limiters = new Map<string, Limiter>(Object.entries(SHAPES).flatMap(([purpose, shapes]) =>
    Object.entries(shapes).map(([by, shape]): [string, Limiter] => {
      const name = `${purpose}-${by}`
      return [name, createLimiter(counters, name, shape)]
    })))

  async function take(name: string, subject: string): Promise<void> {
    const { isGranted, waitMs } = await (limiters.get(name) as Limiter).take(subject)
    if (isGranted) return
    throw new Refusal('rate_limited', { policy: name, retry_after_s: waitSeconds(waitMs) })
  }

  return {
    async take(purpose, address, subject) {
      // Who is over the limit of an address must not use up somebody else's account.
      await take(`${purpose}-address`, addressGroup(address))
      await take(`${purpose}-subject`, subject)
    },
  }
}
