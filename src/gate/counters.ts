/** The shared buckets on counters, and who decides while counters are away. */
import { LRUCache } from 'lru-cache'
import {
  RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { monotonicMs } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Maybe } from '../maybe.ts'
import type { RedisClient } from '../redis/connect.ts'
import { counters as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { Taken } from './lease.ts'

const tokenBucket = defineScript(
  'token-bucket', ['bucket'], ['waiting', 'ahead', 'hold_ms', 'rate', 'burst'],
  ([granted, left, waitMs]: [number, number, number]): Taken => ({ granted, left, waitMs }))

const RETRY_MS = 1000

/** A bucket: tokens a second, and tokens when it is full. */
export interface Shape {
  readonly rate_per_s: number
  readonly burst: number
}

/** Counters did not answer: the local limiter decides. */
export class Away extends Error {}

/**
 * Asks counters as long as they answer. One call that failed, at the client's command deadline at
 * the latest, is enough: from then on nobody waits, until an answer to our own question shows that
 * they are back.
 */
export class Counters {
  readonly client: RedisClient
  private readonly log: Pick<Logger, 'warn'>
  private isAway = false

  constructor(client: RedisClient, log: Pick<Logger, 'warn'>) {
    this.client = client
    this.log = log
  }

  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.isAway) throw new Away()
    if (this.client.status !== 'ready') return this.leave('not connected')
    try {
      return await question()
    } catch (error) {
      return this.leave((error as Error).message)
    }
  }

  take(
    bucket: string, shape: Shape, waiting: number, ahead = 0, hold_ms = 0,
  ): Promise<Taken> {
    const { rate_per_s: rate, burst } = shape
    return this.ask(() =>
      tokenBucket.run(this.client, { bucket }, { waiting, ahead, hold_ms, rate, burst }))
  }

  private leave(error: string): never {
    if (!this.isAway) {
      this.isAway = true
      this.log.warn({ error }, 'counters are away: this node limits by itself')
      this.comeBackLater()
    }
    throw new Away()
  }

  private comeBackLater(): void {
    setTimeout(() => {
      if (this.client.status === 'end') return
      // Without a connection this fails at once.
      this.client.ping().then(() => { this.isAway = false }, () => { this.comeBackLater() })
    }, RETRY_MS).unref()
  }
}

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
