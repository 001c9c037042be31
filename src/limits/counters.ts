/** Limiters over the shared buckets, and who decides while counters are away. */
import { LRUCache } from 'lru-cache'
import {
  RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { monotonicMs } from '../contract/time.ts'
import type { Maybe } from '../contract/maybe.ts'
import type { Counters, Shape } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'

/** What a limiter decided about one token. */
export interface Decision {
  readonly isGranted: boolean
  readonly remaining: number
  readonly waitMs: number
}

export interface Limiter {
  take(subject: string): Maybe<Decision>
}

/** Refused callers that are remembered, so that their flood costs no round trips. */
const REFUSED_MAX = 10_000

/** One token a call, from the shared bucket; from a local one of the same size while it is away. */
export function createLimiter(counters: Counters, policy: string, shape: Shape): Limiter {
  const { burst: points, rate_per_s } = shape
  const duration = points / rate_per_s
  const limiter = new RateLimiterRedis({
    storeClient: storeOf(counters, shape),
    keyPrefix: keys.ratePrefix(policy),
    points,
    duration,
    insuranceLimiter: createLocal(policy, points, duration),
  })
  const refused = new LRUCache<string, number>({ max: REFUSED_MAX })
  return {
    take(subject) {
      const at = monotonicMs()
      const until = refused.get(subject) ?? at
      if (at < until) return { isGranted: false, remaining: 0, waitMs: until - at }
      return decide(limiter, subject).then((decision) => {
        if (!decision.isGranted) refused.set(subject, at + decision.waitMs)
        return decision
      })
    },
  }
}

/** Nobody's but this node's: what there is while counters are away. */
export const createLocal = (policy: string, points: number, duration: number): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: policy, points, duration })

export async function decide(limiter: RateLimiterAbstract, subject: string): Promise<Decision> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(subject, 1)
    return { isGranted: true, remaining: remainingPoints, waitMs: msBeforeNext }
  } catch (result) {
    if (!(result instanceof RateLimiterRes)) throw result
    return { isGranted: false, remaining: 0, waitMs: result.msBeforeNext }
  }
}

/** The part of a Redis client that the library uses: its own command, with our script behind it. */
const storeOf = (counters: Counters, shape: Shape) => ({
  status: 'ready',
  async rlflxIncr([bucket = '']: string[]): Promise<[points: number, ms: number]> {
    const { granted, left, waitMs } = await counters.take(bucket, shape, 1)
    return granted > 0 ? [shape.burst - left, 0] : [shape.burst + 1, waitMs]
  },
})
