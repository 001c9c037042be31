/**
 * Token buckets that all nodes share: the part of one caller's bucket that a node holds as a
 * lease, limiters that take one token a call, and who decides while counters are down.
 */
import { LRUCache } from 'lru-cache'
import {
  type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes,
} from 'rate-limiter-flexible'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { monotonicMs } from '../contract/time.ts'
import type { Counters, Shape, Taken } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'
import type { Answers, RateLimitResult } from './headers.ts'

/** How long tokens of a slice may be spent. */
export const HOLD_MS = 100
/** A slice is at most what the rate brings in this time, and what its caller uses in it. */
export const SLICE_MS = 50
/** An empty bucket is asked again only after this: what it gains meanwhile stays in it. */
const PAUSE_MS = 5

interface LeaseOptions {
  readonly rate_per_s: number
  readonly burst: number
  readonly answers: Answers
  readonly now: () => number
  readonly take: (waiting: number, ahead: number) => Promise<Taken>
  /** Decides where the bucket cannot be asked. */
  readonly fallback: () => Promise<RateLimitResult>
}

type Waiter = (admission: MaybePromise<RateLimitResult>) => void

interface Slice {
  left: number
  readonly until: number
}

/**
 * A node's part of one caller's bucket. It takes tokens for calls to come in slices, so that most
 * calls are admitted without a round trip. How the bound is kept:
 * a call that waited when the bucket was asked is granted there, at that moment; a token of a
 * slice is spent at most HOLD_MS after the bucket was asked for it, measured from before it was
 * asked, and the script (token-bucket.lua) hands none out of the last HOLD_MS of a full bucket.
 * What is not spent by then is dropped; a lost reply is a lost slice.
 */
export class Lease {
  private readonly options: LeaseOptions
  private readonly sliceMax: number
  /** The oldest first; never more than a few, since one is asked for when little is left. */
  private readonly slices: Slice[] = []
  private tokens = 0
  /** A new slice is asked for when no more than this is left. */
  private low = 0
  private sharedLeft = 0
  private dryUntil = -Infinity
  private askedAt = -Infinity
  private callsSince = 0
  private isAsking = false
  private waiters: Waiter[] = []

  constructor(options: LeaseOptions) {
    this.options = options
    this.sliceMax = Math.floor((options.rate_per_s * SLICE_MS) / 1000)
  }

  admit(): MaybePromise<RateLimitResult> {
    const { answers, burst, now } = this.options
    const at = now()
    this.callsSince += 1
    if (this.spend(at)) {
      if (this.tokens <= this.low && !this.isAsking && at >= this.dryUntil) void this.ask()
      return answers.granted(this.sharedLeft + this.tokens)
    }
    if (at < this.dryUntil) return answers.refused(this.dryUntil - at)
    // Not even a full bucket has tokens for more.
    if (this.waiters.length >= burst) return answers.refused(0)
    const admission = new Promise<RateLimitResult>((resolve) => { this.waiters.push(resolve) })
    if (!this.isAsking) void this.ask()
    return admission
  }

  private spend(at: number): boolean {
    for (let slice = this.slices[0]; slice; slice = this.slices[0]) {
      if (slice.left > 0 && at < slice.until) {
        slice.left -= 1
        this.tokens -= 1
        return true
      }
      this.tokens -= slice.left
      this.slices.shift()
    }
    return false
  }

  /** One round trip for all who wait now, and one after it for those who came meanwhile. */
  private async ask(): Promise<void> {
    const { now, take, fallback } = this.options
    const at = now()
    const ahead = this.ahead(at)
    const waiting = this.waiters
    if (waiting.length + ahead === 0) return
    this.isAsking = true
    this.waiters = []
    try {
      this.receive(await take(waiting.length, ahead), waiting, ahead, at)
    } catch {
      for (const waiter of waiting) waiter(fallback())
    }
    this.isAsking = false
    this.serveLate()
  }

  /**
   * As many as its calls use in SLICE_MS at the pace since the last time, and at most twice as
   * many as there were: a caller of few calls takes its tokens one by one and keeps none.
   */
  private ahead(at: number): number {
    const sinceMs = Math.max(at - this.askedAt, 1)
    const pace = Math.floor((this.callsSince * SLICE_MS) / sinceMs)
    const ahead = Math.min(pace, 2 * this.callsSince, this.sliceMax)
    this.askedAt = at
    this.callsSince = 0
    this.low = ahead / 4
    return ahead
  }

  private receive(
    { granted, left, waitMs }: Taken, waiting: readonly Waiter[], ahead: number, at: number,
  ): void {
    const { answers } = this.options
    const kept = Math.max(0, granted - waiting.length)
    this.sharedLeft = left
    if (kept > 0) {
      this.tokens += kept
      this.slices.push({ left: kept, until: at + HOLD_MS })
    }
    if (granted < waiting.length + ahead) this.dryUntil = at + Math.max(waitMs, PAUSE_MS)
    for (const [index, waiter] of waiting.entries()) {
      waiter(index < granted
        ? answers.granted(left + kept + Math.min(granted, waiting.length) - 1 - index)
        : answers.refused(waitMs))
    }
  }

  private serveLate(): void {
    const { answers, now } = this.options
    const at = now()
    while (this.waiters.length > 0 && this.spend(at)) {
      this.waiters.shift()?.(answers.granted(this.sharedLeft + this.tokens))
    }
    if (this.waiters.length === 0) return
    if (at >= this.dryUntil) {
      void this.ask()
      return
    }
    for (const waiter of this.waiters.splice(0)) waiter(answers.refused(this.dryUntil - at))
  }
}

/** What a limiter decided about one token. */
export interface Decision {
  readonly isGranted: boolean
  readonly remaining: number
  readonly waitMs: number
}

export interface Limiter {
  take(subject: string): MaybePromise<Decision>
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

/** Nobody's but this node's: what there is while counters are down. */
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
