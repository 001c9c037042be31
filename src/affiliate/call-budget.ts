/**
 * How often all nodes together call a platform, whose calls go first, and for how long the platform
 * wants none at all.
 */
import { createLocalBudget, type Budget, type Payer } from '../../adapters/budget.ts'
import type { Clock } from '../../adapters/index.ts'
import type { Tiers } from '../limits/tiers.ts'
import type { Counters, Shape } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

export interface CallBudgetOptions {
  readonly counters: Counters
  readonly source: string
  readonly shape: Shape
  readonly tiers: Tiers
  readonly clock: Clock
}

const callBudget = defineScript(
  'call-budget', ['bucket', 'shut', 'agents'], ['rate', 'burst', 'kept', 'margin', 'agent'],
  ([granted, waitMs, shutMs]: [number, number, number]) =>
    ({ isGranted: granted === 1, waitMs, shutMs }))

/** Of a bucket, for the jobs that read the platforms' orders: without those nobody earns. */
const JOBS_SHARE = 0.05
/** Of a bucket, for agents of a tier that used no more than their share lately. */
const MARGIN_SHARE = 0.1

/**
 * Tokens that callers of a tier leave to others: to the operator's jobs, and the shares of tiers
 * that have a larger one. Any tier still reaches a full bucket.
 */
export function keptFor(tiers: Tiers, burst: number, payer: Payer | undefined): number {
  if (!payer) return 0
  const own = tiers[payer.tier]?.platform_share ?? 0
  const before = Object.values(tiers).map(({ platform_share: share = 0 }) => share)
    .filter((share) => share > own)
  const spare = burst - 1 - marginOf(burst)
  return spare * before.reduce((sum, share) => sum + share, JOBS_SHARE)
}

const DAY_S = 86_400

/**
 * What a single agent of each tier is promised above what all agents together can have, in a
 * sentence; undefined where the budget holds every one of them.
 */
export function overPromised(
  tiers: Tiers, callsPerSecond: number, platforms: number,
): string | undefined {
  const calls = callsPerSecond * DAY_S * platforms
  const over = Object.entries(tiers).filter(([, { daily_quota }]) => daily_quota > calls)
    .map(([name, { daily_quota }]) => `${name} ${daily_quota}`)
  if (over.length === 0) return undefined
  return `MALL_CALLS_PER_SECOND allows ${calls} calls a day to the ${platforms} platforms for all `
    + `agents together, and config/tiers.json promises a single agent more: ${over.join(', ')}`
}

const marginOf = (burst: number): number => Math.max(0, Math.min(burst * MARGIN_SHARE, burst - 1))

/** While counters are away each node keeps to the whole rate by itself. */
export function createCallBudget(options: CallBudgetOptions): Budget {
  const { counters, source, shape, tiers, clock } = options
  const { rate_per_s: rate, burst } = shape
  const margin = marginOf(burst)
  const local = createLocalBudget({
    clock, ratePerSecond: rate, burst, keptFor: (payer) => keptFor(tiers, burst, payer),
  })
  const [bucket, shut] = [keys.callBudget(source), keys.callsShut(source)]
  const { client } = counters
  let shutUntil = 0

  return {
    async take(payer) {
      const now = clock.now()
      if (now < shutUntil) return shutUntil - now
      const kept = keptFor(tiers, burst, payer)
      const agents = keys.callShares(source, payer?.tier ?? 'jobs')
      try {
        const { isGranted, waitMs, shutMs } = await counters.ask(() => callBudget.run(
          client, { bucket, shut, agents },
          { rate, burst, kept, margin, agent: payer?.agent ?? '' }))
        if (shutMs > 0) shutUntil = now + shutMs
        return isGranted ? 0 : waitMs
      } catch {
        return await local.take(payer)
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
