/**
 * Token buckets by address in this process, for what costs less than a round trip: pages and
 * unknown links, and the pace at which refused calls are answered.
 */
import { LRUCache } from 'lru-cache'
import { Refusal } from '../contract/errors.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { monotonicMs, sleep } from '../contract/time.ts'
import { measures } from '../measures.ts'
import type { Shape } from '../redis/counters.ts'
import { waitSeconds } from './headers.ts'
import { addressGroup } from './limits.ts'

/** The addresses that called last; one that is forgotten begins with a full bucket. */
const ADDRESSES_MAX = 10_000

/** Pages, images and documents, which have no caller: a person's browser stays far below it. */
export const PAGES: Shape = { rate_per_s: 200, burst: 2000 }

/** Refusals of an address that are answered at once. */
export const PROMPT_REFUSALS: Shape = { rate_per_s: 10, burst: 40 }
/** Every refusal says to come back in a second at the earliest. */
export const REFUSAL_DELAY_MS = 1000
/** Of all addresses; what comes on top is answered at once. */
const DELAYED_MAX = 4096

interface Bucket { tokens: number, atMs: number }

class AddressTokens {
  private readonly shape: Shape
  private readonly buckets = new LRUCache<string, Bucket>({ max: ADDRESSES_MAX })

  constructor(shape: Shape) {
    this.shape = shape
  }

  /** Takes a token: 0, or the time (ms) until there is one. */
  take(address: string): number {
    const bucket = this.bucketOf(address)
    if (bucket.tokens < 1) return ((1 - bucket.tokens) * 1000) / this.shape.rate_per_s
    bucket.tokens -= 1
    return 0
  }

  refund(address: string): void {
    const bucket = this.bucketOf(address)
    bucket.tokens = Math.min(this.shape.burst, bucket.tokens + 1)
  }

  private bucketOf(address: string): Bucket {
    const group = addressGroup(address)
    const { rate_per_s, burst } = this.shape
    const nowMs = monotonicMs()
    let bucket = this.buckets.get(group)
    if (!bucket) this.buckets.set(group, bucket = { tokens: burst, atMs: nowMs })
    const gained = ((nowMs - bucket.atMs) * rate_per_s) / 1000
    bucket.tokens = Math.min(burst, bucket.tokens + gained)
    bucket.atMs = nowMs
    return bucket
  }
}

/**
 * Delays the answers to refused calls of an address that sends many: a caller that waits for each
 * answer calls less often then, and a flood costs neither side much. Granted calls never wait.
 */
export class RefusalPace {
  private delayed = 0
  private readonly prompt: AddressTokens

  constructor(prompt = PROMPT_REFUSALS) {
    this.prompt = new AddressTokens(prompt)
  }

  /** Settles when the refusal may be answered; mostly at once. */
  wait(address: string): MaybePromise<void> {
    if (this.prompt.take(address) === 0 || this.delayed >= DELAYED_MAX) return undefined
    this.delayed += 1
    return sleep(REFUSAL_DELAY_MS).then(() => { this.delayed -= 1 })
  }
}

/** How often an address may call what has no caller: pages, images, documents, unknown links. */
export class AddressBucket {
  private readonly policy: string
  private readonly shape: Shape
  private readonly tokens: AddressTokens
  private readonly pace = new RefusalPace()

  constructor(policy: string, shape: Shape) {
    this.policy = policy
    this.shape = shape
    this.tokens = new AddressTokens(shape)
  }

  /** Takes a token; the refusal where there is none, late in a flood of them. */
  take(address: string): MaybePromise<Refusal | undefined> {
    const waitMs = this.tokens.take(address)
    if (waitMs === 0) return undefined
    const { policy, shape: { rate_per_s, burst } } = this
    measures.limited.add(policy)
    const refusal = new Refusal('rate_limited', {
      policy, limit: burst, window_s: Math.ceil(burst / rate_per_s),
      retry_after_s: waitSeconds(waitMs),
    })
    const late = this.pace.wait(address)
    return late instanceof Promise ? late.then(() => refusal) : refusal
  }

  /** Gives a token back: what it was taken for turned out not to count. */
  refund(address: string): void {
    this.tokens.refund(address)
  }
}
