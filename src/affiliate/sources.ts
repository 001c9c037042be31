/**
 * All sources of goods as one list: the configured platforms and our own shelf; and how often all
 * nodes together call a platform, whose calls go first, and how long a platform gets none.
 */
import { type Clock, malls, type Observation, type Source } from '../../adapters/index.ts'
import { type Budget, createLocalBudget, type Payer } from '../../adapters/limits.ts'
import { MALL_NAMES, type MallName, type SourceName } from '../../adapters/names.ts'
import { nowMs } from '../contract/time.ts'
import type { Goods } from '../goods/goods.ts'
import type { Tiers } from '../limits/tiers.ts'
import type { Logger } from '../log.ts'
import { measures } from '../measures.ts'
import type { Counters, Shape } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { MallSettings } from './settings.ts'
import { createShelfSource } from './shelf.ts'
import type { ShopPages } from './shop-pages.ts'

export type Sources = ReadonlyMap<SourceName, Source>

export interface SourcesOptions {
  readonly settings: MallSettings
  readonly shopPages: Pick<ShopPages, 'around' | 'has' | 'isSimulated'>
  readonly callsPerSecond: number
  readonly tiers: Tiers
  readonly goods: Goods
  readonly counters: Counters
  readonly log: Logger
  /** Called after every call to a platform. */
  readonly observe?: ((seen: Observation) => void) | undefined
}

const CLOCK: Clock = { now: nowMs }

export function openSources(
  {
    settings, shopPages, callsPerSecond, tiers, goods, counters, log, observe: onCall,
  }: SourcesOptions,
): { readonly sources: Sources, close(): Promise<void> } {
  const observe = (observation: Observation): void => {
    const { outcome, ...seen } = observation
    onCall?.(observation)
    measures.mallCalls.add(`${seen.source} ${outcome}`)
    if (outcome === 'ok') log.debug(seen, 'platform answered')
    else log.info({ ...seen, outcome }, 'platform failed')
  }
  const open = (name: MallName): [SourceName, Source][] => {
    const given = settings[name]
    if (!given) return []
    const shape = { rate_per_s: callsPerSecond, burst: 2 * callsPerSecond }
    const budget = createCallBudget({ counters, source: name, shape, tiers, clock: CLOCK })
    // Checked against the mall's own schema when they were read.
    const source = malls[name].open(given as never, { clock: CLOCK, budget, observe })
    return [[name, shopPages.around(source)]]
  }
  // Calls to a simulator cost nothing: a sandbox may promise any quota.
  const real = MALL_NAMES.filter((name) => settings[name] && !shopPages.isSimulated(name))
  const warning = real.length > 0 ? overPromised(tiers, callsPerSecond, real.length) : undefined
  if (warning !== undefined) log.warn(warning)
  const sources = new Map<SourceName, Source>(
    [['shelf', createShelfSource(goods, shopPages.has)], ...MALL_NAMES.flatMap(open)])
  return {
    sources,
    async close() {
      await Promise.all([...sources.values()].map((source) => source.close()))
    },
  }
}

// The call budget of a platform.

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

/** Of a bucket, for the jobs that read the platforms' orders: commissions depend on them. */
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

/** The tiers whose daily quota exceeds the calls of all agents together, as a warning. */
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

/** While the counters are unavailable each node keeps to the whole rate by itself. */
export function createCallBudget(options: CallBudgetOptions): Budget {
  const { counters, source, shape, tiers, clock } = options
  const { rate_per_s: rate, burst } = shape
  const margin = marginOf(burst)
  const local = createLocalBudget({
    clock, ratePerSecond: rate, burst, keptFor: (payer) => keptFor(tiers, burst, payer),
  })
  const [bucket, shut] = [keys.callBudget(source), keys.callsShut(source)]
  const { client } = counters
  let closedUntil = 0

  return {
    async take(payer) {
      const now = clock.now()
      if (now < closedUntil) return closedUntil - now
      const kept = keptFor(tiers, burst, payer)
      const agents = keys.callShares(source, payer?.tier ?? 'jobs')
      try {
        const { isGranted, waitMs, shutMs } = await counters.ask(() => callBudget.run(
          client, { bucket, shut, agents },
          { rate, burst, kept, margin, agent: payer?.agent ?? '' }))
        if (shutMs > 0) closedUntil = now + shutMs
        return isGranted ? 0 : waitMs
      } catch {
        return await local.take(payer)
      }
    },
    async limited(ms) {
      closedUntil = Math.max(closedUntil, clock.now() + ms)
      await local.limited(ms)
      const whole = Math.ceil(ms)
      try {
        // The longest of the bans that several nodes received.
        const [, , leftMs] = await counters.ask(() => Promise.all([
          client.set(shut, '1', 'PX', whole, 'NX'), client.pexpire(shut, whole, 'GT'),
          client.pttl(shut),
        ]))
        closedUntil = Math.max(closedUntil, clock.now() + leftMs)
      } catch {
        // This node keeps to it; the others receive it from the platform.
      }
    },
  }
}
