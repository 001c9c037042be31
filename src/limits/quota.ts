/**
 * Daily quotas: calls that reach an affiliate platform, one a source, in UTC days by the ledger's
 * clock. Nodes take units in small batches and give back what they did not use within a second;
 * the sum of what all of them grant is never above the limit. What a node held when it crashed,
 * at most a batch, is lost for that day: it counts as used.
 */
import { LRUCache } from 'lru-cache'
import type { Caller } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import type { MaybePromise } from '../contract/maybe-promise.ts'
import { monotonicMs } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { DAY_S, type DayTaken, returnToDay, type Run, takeOfDay } from './day.ts'
import { DAILY, type Standing, waitSeconds } from './headers.ts'
import { tierOf, type Tiers } from './tiers.ts'

const LEASES_MAX = 10_000
const SWEEP_MS = 250

/** One unit that was taken. */
interface QuotaUnit {
  /** For a call that never reached the platform. A second time does nothing. */
  giveBack(): void
}

export interface Quota {
  /**
   * Takes one unit for one call to one source, before the call. Refuses with `quota_exhausted`,
   * without a key with `key_required`, and with `unavailable` while the ledger is down. Answers
   * from a cache, an open circuit or a skipped source must not take any.
   */
  take(caller: Caller, source: string): Promise<QuotaUnit>
  /** What an answer may say; undefined for callers that have no quota at all. */
  standing(caller: Caller): Standing | undefined
  /** Gives back what this node holds. */
  close(): Promise<void>
}

interface QuotaOptions {
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

/** Units are given back when they were not used for this long; so is what a new limit ends. */
const HOLD_MS = 1000
/** A day that was used up is looked at again after this: others may have given back. */
const EXHAUSTED_MS = 500
/** The most a node holds: half a percent of the day, and no more than this. */
const BATCH_MAX = 100
const WAITERS_MAX = 1000

export const batchOf = (limit: number): number =>
  Math.max(1, Math.min(BATCH_MAX, Math.floor(limit / 200)))

interface DailyLeaseOptions {
  readonly agent: string
  readonly run: Run
  readonly now: () => number
  /** Hears of every return that is on its way. */
  readonly returned: (work: Promise<void>) => void
}

interface Waiter {
  readonly source: string
  readonly resolve: (unit: QuotaUnit) => void
  readonly reject: (refusal: unknown) => void
}

/** What one node holds of one agent's daily quota. */
class DailyLease {
  private readonly options: DailyLeaseOptions
  private limit = -1
  private units = 0
  private day = -1
  /** Of the whole day, by all nodes, when last asked. */
  private used = 0
  private dayEndsAt = -Infinity
  private heldUntil = -Infinity
  private exhaustedUntil = -Infinity
  private askedAt = -Infinity
  /** Calls since then. */
  private calls = 0
  private isAsking = false
  private waiters: Waiter[] = []

  constructor(options: DailyLeaseOptions) {
    this.options = options
  }

  take(limit: number, source: string): MaybePromise<QuotaUnit> {
    const at = this.options.now()
    if (limit !== this.limit) this.changeLimit(limit)
    this.expire()
    this.calls += 1
    if (this.units > 0) {
      this.units -= 1
      return this.unit()
    }
    if (at < this.exhaustedUntil) throw this.exhausted(source)
    if (this.waiters.length >= WAITERS_MAX) throw new Refusal('unavailable')
    return new Promise((resolve, reject) => {
      this.waiters.push({ source, resolve, reject })
      if (!this.isAsking) void this.ask()
    })
  }

  standing(limit: number): Standing {
    const leftMs = this.dayEndsAt - this.options.now()
    if (limit !== this.limit || leftMs <= 0) return { limit }
    const remaining = Math.max(0, limit - this.used) + this.units
    return { limit, remaining, resetS: waitSeconds(leftMs) }
  }

  /** Gives back what was not used in time. */
  expire(): void {
    if (this.units > 0 && this.options.now() >= this.heldUntil) this.surrender()
  }

  surrender(): void {
    const { units } = this
    this.units = 0
    this.giveToLedger(units, this.day)
  }

  private giveToLedger(units: number, day: number): void {
    const { agent, run, returned } = this.options
    if (units > 0) returned(returnToDay(run, keys.quota(agent, day), units))
  }

  /** Units that came back while others were asked for. */
  private giveOverflow(): void {
    const over = this.units - batchOf(this.limit)
    if (over <= 0) return
    this.units -= over
    this.giveToLedger(over, this.day)
  }

  private changeLimit(limit: number): void {
    this.surrender()
    this.limit = limit
    this.heldUntil = -Infinity
    this.exhaustedUntil = -Infinity
    this.dayEndsAt = -Infinity
  }

  private async ask(): Promise<void> {
    const { agent, run, now } = this.options
    const { limit } = this
    this.isAsking = true
    const batch = batchOf(limit)
    const waiting = this.waiters.splice(0, batch)
    const at = now()
    const want = waiting.length + Math.min(batch - waiting.length, this.ahead(at))
    try {
      const taken = await takeOfDay(run, (day) => keys.quota(agent, day), limit, want)
      this.receive(taken, waiting, limit, at)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
    this.isAsking = false
    if (this.waiters.length > 0) this.serveLate()
  }

  /** As in a slice of tokens: what it uses at its pace, so that a rare caller's node keeps none. */
  private ahead(at: number): number {
    const pace = Math.floor((this.calls * HOLD_MS) / 2 / Math.max(at - this.askedAt, 1))
    const ahead = Math.min(pace, 2 * this.calls)
    this.askedAt = at
    this.calls = 0
    return ahead
  }

  private receive(
    { granted, used, endsMs, day }: DayTaken, waiting: readonly Waiter[], limit: number, at: number,
  ): void {
    const kept = Math.max(0, granted - waiting.length)
    if (day !== this.day) this.units = 0
    this.day = day
    if (limit === this.limit) {
      this.used = used
      this.dayEndsAt = at + endsMs
      this.units += kept
      if (granted > 0) this.heldUntil = at + Math.min(HOLD_MS, endsMs)
      this.giveOverflow()
      if (granted < waiting.length) this.exhaustedUntil = at + Math.min(EXHAUSTED_MS, endsMs)
    } else {
      this.giveToLedger(kept, day)
    }
    for (const [index, { resolve, reject, source }] of waiting.entries()) {
      if (index < granted) resolve(this.unit())
      else reject(this.exhausted(source, endsMs))
    }
  }

  private serveLate(): void {
    while (this.waiters.length > 0 && this.units > 0) {
      this.units -= 1
      this.waiters.shift()?.resolve(this.unit())
    }
    if (this.options.now() < this.exhaustedUntil) {
      for (const { reject, source } of this.waiters.splice(0)) reject(this.exhausted(source))
    }
    if (this.waiters.length > 0) void this.ask()
  }

  private unit(): QuotaUnit {
    const { day } = this
    let isOut = true
    return {
      giveBack: () => {
        if (!isOut) return
        isOut = false
        this.takeBack(day)
      },
    }
  }

  private takeBack(day: number): void {
    const isHeld = day === this.day && this.units < batchOf(this.limit)
      && this.options.now() < this.heldUntil
    if (isHeld) this.units += 1
    else this.giveToLedger(1, day)
  }

  private exhausted(source: string, endsMs = this.dayEndsAt - this.options.now()): Refusal {
    return new Refusal('quota_exhausted', {
      policy: DAILY, limit: this.limit, window_s: DAY_S, source,
      retry_after_s: waitSeconds(endsMs),
    })
  }
}
