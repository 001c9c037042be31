/** A token bucket for each address, in this process: for what costs less than a round trip. */
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../contract/time.ts'
import type { Shape } from '../redis/counters.ts'
import { addressGroup } from './limits.ts'

/** The addresses that called last; one that is forgotten begins with a full bucket. */
const ADDRESSES_MAX = 10_000

interface Bucket { tokens: number, atMs: number }

export class AddressTokens {
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
}
