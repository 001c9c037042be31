/** Bounds of a call and of a source, and the budget of calls that a gateway may get. */
import type { Clock } from './time.ts'

/** What a call and a source may take; the operator's settings change any of it. */
export interface PlatformLimits {
  readonly connectMs: number
  readonly headersMs: number
  /** Between two chunks of a body. */
  readonly bodyIdleMs: number
  /** From the call to the answer, waiting and repeating included. */
  readonly totalMs: number
  /** Of a body, before and after unpacking. */
  readonly bytesMax: number
  readonly concurrency: number
  readonly queueMax: number
  /** Extra attempts at reads. */
  readonly retries: number
  readonly retryMs: number
  /** A turn in the call budget that is nearer than this is waited for. */
  readonly waitMs: number
  /** The circuit opens when half of the last `breakWindow` calls, at least `breakAfter`, failed. */
  readonly breakWindow: number
  readonly breakAfter: number
  /** How long it stays open at first; up to eight times as long when it fails again. */
  readonly breakMs: number
  readonly keepAliveMs: number
}

export const DEFAULT_LIMITS: PlatformLimits = {
  connectMs: 2000,
  headersMs: 10_000,
  bodyIdleMs: 5000,
  totalMs: 5000,
  bytesMax: 4 * 1024 * 1024,
  concurrency: 4,
  queueMax: 32,
  retries: 1,
  retryMs: 150,
  waitMs: 250,
  breakWindow: 20,
  breakAfter: 5,
  breakMs: 2000,
  keepAliveMs: 30_000,
}

/** Orders are read by background jobs, which may wait longer. */
export const JOB_CALL = { deadlineMs: 15_000, waitMs: 10_000 } as const

/** On whose behalf a call is made: whose share of a budget it uses. */
export interface Payer {
  readonly tier: string
  readonly agent: string
}

/** How many calls a gateway may get; shared by all nodes that call the same gateway. */
export interface Budget {
  /**
   * Takes one call: 0 when granted, else how many milliseconds until the next try.
   * Without a payer the operator's own job pays.
   */
  take(payer?: Payer): Promise<number>
  /** Closes the budget for so long, as the gateway demands. */
  limited(ms: number): Promise<void>
}

export interface LocalBudgetOptions {
  readonly clock: Clock
  readonly ratePerSecond: number
  readonly burst: number
  /** Tokens that a payer leaves to others. Default: none. */
  readonly keptFor?: (payer: Payer | undefined) => number
}

/** For one process: a token bucket, closed while the gateway demands it. */
export function createLocalBudget(
  { clock, ratePerSecond, burst, keptFor = () => 0 }: LocalBudgetOptions,
): Budget {
  let tokens = burst
  let at = clock.now()
  let closedUntil = 0
  return {
    take(payer) {
      const now = clock.now()
      if (now < closedUntil) return Promise.resolve(closedUntil - now)
      tokens = Math.min(burst, tokens + (Math.max(now - at, 0) / 1000) * ratePerSecond)
      at = now
      const needed = 1 + keptFor(payer)
      if (tokens < needed) {
        return Promise.resolve(Math.ceil(((needed - tokens) / ratePerSecond) * 1000))
      }
      tokens -= 1
      return Promise.resolve(0)
    },
    limited(ms) {
      closedUntil = Math.max(closedUntil, clock.now() + ms)
      return Promise.resolve()
    },
  }
}
