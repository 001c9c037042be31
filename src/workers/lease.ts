/**
 * A lease lets one node do a worker's job. It saves work and guards nothing: every effect is
 * idempotent, so two holders do no harm, and without the counters each node simply works.
 */
import { randomUUID } from 'node:crypto'
import { monotonicMs } from '../contract/time.ts'
import { createTroubleLog, type Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { counters as keys } from '../redis/keys.ts'
import { leaseKeep } from '../redis/lease.ts'

export interface Worker {
  readonly name: string
  /** Milliseconds between two ticks. */
  readonly everyMs: number
  /**
   * Does a bounded piece of work, far shorter than the lease; what it does twice must be as if
   * done once. True asks for the next tick at once.
   */
  tick(): Promise<boolean>
  /** Called before the first tick of a lease and after a failure: others may have worked. */
  begin?(): Promise<void>
}

export interface RunningWorker {
  /** Asks for a tick soon. */
  wake(): void
  /** Ends after the tick under way and gives the lease back. */
  stop(): Promise<void>
}

export interface LeaseOptions {
  readonly counters: RedisClient
  readonly log: Logger
  readonly ttlMs?: number
}

/** A node that died is replaced after this long at most, and a third more. */
const TTL_MS = 6000
/** Calls to wake are gathered for this long. */
const WAKE_MS = 30

export function startWorker(worker: Worker, options: LeaseOptions): RunningWorker {
  const { counters, log, ttlMs = TTL_MS } = options
  const holder = randomUUID()
  const lease = keys.lease(worker.name)
  const leasing = createTroubleLog(log, 'no lease: working anyway', 'leases are given again')
  const working = createTroubleLog(log, 'worker tick failed', 'worker ticks again')
  let isHeld = false
  let mayWork = false
  let hasBegun = false
  let askAt = 0
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  let isWoken = false
  let stopped = false

  async function ask(): Promise<boolean> {
    if (monotonicMs() < askAt) return mayWork
    askAt = monotonicMs() + ttlMs / 3
    try {
      isHeld &&= await leaseKeep.run(counters, { lease }, { holder, ttl_ms: ttlMs })
      isHeld ||= await counters.set(lease, holder, 'PX', ttlMs, 'NX') === 'OK'
      leasing.end({ worker: worker.name })
      return isHeld
    } catch (error) {
      leasing.report((error as Error).message, { worker: worker.name })
      return true
    }
  }

  /** Whether there is more to do at once. */
  async function run(): Promise<boolean> {
    try {
      mayWork = await ask()
      if (!mayWork) {
        hasBegun = false
        return false
      }
      if (!hasBegun) await worker.begin?.()
      hasBegun = true
      const isBehind = await worker.tick()
      working.end({ worker: worker.name })
      return isBehind
    } catch (error) {
      hasBegun = false
      working.report((error as Error).message, { worker: worker.name })
      return false
    }
  }

  function plan(ms: number): void {
    if (stopped || round) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      isWoken = false
      round = run().then((isBehind) => {
        round = undefined
        plan(isBehind ? 0 : isWoken ? WAKE_MS : worker.everyMs)
      })
    }, ms)
    timer.unref()
  }

  plan(0)
  return {
    wake() {
      if (isWoken || !mayWork) return
      isWoken = true
      plan(WAKE_MS)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
      if (isHeld) await leaseKeep.run(counters, { lease }, { holder, ttl_ms: 0 }).catch(() => {})
    },
  }
}
