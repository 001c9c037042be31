/** How often all nodes together call a platform, and for how long it wants no calls at all. */
import { createLocalBudget, type Budget } from '../../adapters/budget.ts'
import type { Clock } from '../../adapters/index.ts'
import type { Counters, Shape } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'

export interface CallBudgetOptions {
  readonly counters: Counters
  readonly source: string
  readonly shape: Shape
  readonly clock: Clock
}

/** While counters are away each node keeps to the whole rate by itself. */
export function createCallBudget({ counters, source, shape, clock }: CallBudgetOptions): Budget {
  const { rate_per_s: ratePerSecond, burst } = shape
  const local = createLocalBudget({ clock, ratePerSecond, burst })
  const [bucket, shut] = [keys.callBudget(source), keys.callsShut(source)]
  const { client } = counters
  let shutUntil = 0

  return {
    async take() {
      const now = clock.now()
      if (now < shutUntil) return shutUntil - now
      try {
        const [shutMs, { granted, waitMs }] = await Promise.all([
          counters.ask(() => client.pttl(shut)), counters.take(bucket, shape, 1),
        ])
        // -2 where nobody has shut it.
        if (shutMs > 0) shutUntil = now + shutMs
        return shutMs > 0 ? shutMs : granted > 0 ? 0 : Math.max(waitMs, 1)
      } catch {
        return await local.take()
      }
    },
    async limited(ms) {
      shutUntil = Math.max(shutUntil, clock.now() + ms)
      await local.limited(ms)
      const whole = Math.ceil(ms)
      try {
        // The longest of what several nodes heard.
        const [, , leftMs] = await counters.ask(() => Promise.all([
          client.set(shut, '1', 'PX', whole, 'NX'), client.pexpire(shut, whole, 'GT'),
          client.pttl(shut),
        ]))
        shutUntil = Math.max(shutUntil, clock.now() + leftMs)
      } catch {
        // This node keeps to it; the others hear it from the platform.
      }
    },
  }
}
