/** How many calls a gateway may get. One budget is shared by all that call the same gateway. */
import type { Clock } from './time.ts'

/** On whose behalf a call is made: whose share of a budget it uses. */
export interface Payer {
  readonly tier: string
  readonly agent: string
}

export interface Budget {
  /**
   * Takes one call: 0 when granted, else how many milliseconds until it is worth asking again.
   * Without a payer it is a job of the operator's own.
   */
  take(payer?: Payer): Promise<number>
  /** The gateway said: no calls for so long. */
  limited(ms: number): Promise<void>
}

export interface LocalBudgetOptions {
  readonly clock: Clock
  readonly ratePerSecond: number
  readonly burst: number
  /** Tokens that a payer leaves to others. Default: none. */
  readonly keptFor?: (payer: Payer | undefined) => number
}

/** For one process: a token bucket, shut while the gateway says so. */
export function createLocalBudget(
  { clock, ratePerSecond, burst, keptFor = () => 0 }: LocalBudgetOptions,
): Budget {
  let tokens = burst
  let at = clock.now()
  let shutUntil = 0
  return {
    take(payer) {
      const now = clock.now()
      if (now < shutUntil) return Promise.resolve(shutUntil - now)
      tokens = Math.min(burst, tokens + (Math.max(now - at, 0) / 1000) * ratePerSecond)
      at = now
      const wanted = 1 + keptFor(payer)
      if (tokens < wanted) {
        return Promise.resolve(Math.ceil(((wanted - tokens) / ratePerSecond) * 1000))
      }
      tokens -= 1
      return Promise.resolve(0)
    },
    limited(ms) {
      shutUntil = Math.max(shutUntil, clock.now() + ms)
      return Promise.resolve()
    },
  }
}
