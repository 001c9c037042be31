/**
 * Daily quotas: calls that reach an affiliate platform, one a source, in UTC days by the ledger's
 * clock. Nodes take units in small batches and give back what they did not use within a second;
 * the sum of what all of them grant is never above the limit. What a node held when it crashed,
 * at most a batch, is lost for that day: it counts as used.
 */
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Logger } from '../log.ts'
import type { Caller } from '../contract/caller.ts'
import type { Durable } from '../redis/durable.ts'
import { DailyLease } from './daily-lease.ts'
import type { Run } from './day.ts'
import type { Standing } from './headers.ts'
import { tierOf, type Tiers } from './tiers.ts'

const LEASES_MAX = 10_000
const SWEEP_MS = 250

/** One unit that was taken. */
export interface QuotaUnit {
  /** For a call that never reached the platform. A second time does nothing. */
  giveBack(): void
}

export interface Quota {
  /**
   * Takes one unit for one call to one source, before the call. Refuses with `quota_exhausted`,
   * without a key with `key_required`, and with `unavailable` while the ledger is away. Answers
   * from a cache, an open circuit or a skipped source must not take any.
   */
  take(caller: Caller, source: string): Promise<QuotaUnit>
  /** What an answer may say; undefined for callers that have no quota at all. */
  standing(caller: Caller): Standing | undefined
  /** Gives back what this node holds. */
  close(): Promise<void>
}

export interface QuotaOptions {
  readonly durable: Pick<Durable, 'run'>
  readonly tiers: Tiers
  readonly log: Pick<Logger, 'warn'>
}

export function createQuota({ durable, tiers, log }: QuotaOptions): Quota {
  const run: Run = (script, names, args) => durable.run(script, names, args)
  const returns = new Set<Promise<void>>()
  const leases = new LRUCache<string, DailyLease>({
    max: LEASES_MAX, dispose: (lease) => { lease.surrender() },
  })

  function leaseOf(agent: string): DailyLease {
    let lease = leases.get(agent)
    if (!lease) {
      leases.set(agent, lease = new DailyLease({ agent, run, now: monotonicMs, returned }))
    }
    return lease
  }

  function returned(work: Promise<void>): void {
    const settled = work.catch((error: Error) => {
      log.warn({ error: error.message }, 'unused quota was not given back: it counts as used')
    }).finally(() => { returns.delete(settled) })
    returns.add(settled)
  }

  const sweeper = setInterval(() => {
    for (const lease of leases.values()) lease.expire()
  }, SWEEP_MS).unref()

  return {
    async take({ agent, tier }, source) {
      if (agent === null) throw new Refusal('key_required')
      const [, { daily_quota }] = tierOf(tiers, agent, tier)
      return await leaseOf(agent).take(daily_quota, source)
    },
    standing({ agent, tier }) {
      if (agent === null) return undefined
      const [, { daily_quota }] = tierOf(tiers, agent, tier)
      return leases.peek(agent)?.standing(daily_quota) ?? { limit: daily_quota }
    },
    async close() {
      clearInterval(sweeper)
      leases.clear()
      while (returns.size > 0) await Promise.all(returns)
    },
  }
}
