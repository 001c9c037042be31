/** How many calls a gateway may get. One budget is shared by all that call the same gateway. */
import type { Clock } from './time.ts'

export interface Budget {
  /** Takes one call: 0 when granted, else how many milliseconds until it is worth asking again. */
  take(): Promise<number>
  /** The gateway said: no calls for so long. */
  limited(ms: number): Promise<void>
}

export interface LocalBudgetOptions {
  readonly clock: Clock
  readonly ratePerSecond: number
  readonly burst: number
}

/** For one process: a token bucket, shut while the gateway says so. */
export function createLocalBudget({ clock, ratePerSecond, burst }: LocalBudgetOptions): Budget {
  let tokens = burst
  let at = clock.now()
  let shutUntil = 0
  return {
    take() {
      const now = clock.now()
      if (now < shutUntil) return Promise.resolve(shutUntil - now)
      tokens = Math.min(burst, tokens + (Math.max(now - at, 0) / 1000) * ratePerSecond)
      at = now
      if (tokens < 1) return Promise.resolve(Math.ceil(((1 - tokens) / ratePerSecond) * 1000))
      tokens -= 1
      return Promise.resolve(0)
    },
    limited(ms) {
      shutUntil = Math.max(shutUntil, clock.now() + ms)
      return Promise.resolve()
    },
  }
}
