/** A token bucket for each address, in this process: for what costs less than a round trip. */
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../clock.ts'
import { Refusal } from '../errors.ts'
import { waitSeconds } from '../gate/headers.ts'
import { addressGroup } from '../gate/limits.ts'
import { measures } from '../measures.ts'
import type { Shape } from '../redis/counters.ts'

/** Pages, images and documents, which have no caller: a person's browser stays far below it. */
export const PAGES: Shape = { rate_per_s: 200, burst: 2000 }

/** The addresses that called last; one that is forgotten begins with a full bucket. */
const ADDRESSES_MAX = 10_000

interface Bucket { tokens: number, atMs: number }

export class AddressBucket {
  private readonly policy: string
  private readonly shape: Shape
  private readonly buckets = new LRUCache<string, Bucket>({ max: ADDRESSES_MAX })

  constructor(policy: string, shape: Shape) {
    this.policy = policy
    this.shape = shape
  }

  /** Takes a token; the refusal where there is none. */
  take(address: string): Refusal | undefined {
    const bucket = this.bucketOf(address)
    const refusal = this.refusalOf(bucket)
    if (!refusal) bucket.tokens -= 1
    return refusal
  }

  /** Gives a token back: what it was taken for turned out not to count. */
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

  private refusalOf({ tokens }: Bucket): Refusal | undefined {
    if (tokens >= 1) return undefined
    const { policy, shape: { rate_per_s, burst } } = this
    measures.limited.add(policy)
    return new Refusal('rate_limited', {
      policy, limit: burst, window_s: Math.ceil(burst / rate_per_s),
      retry_after_s: waitSeconds(((1 - tokens) * 1000) / rate_per_s),
    })
  }
}
