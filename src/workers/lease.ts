/**
 * A lease lets one node do a worker's job. It saves work and guards nothing: every effect is
 * idempotent, so two holders do no harm, and without the counters each node simply works.
 */
import { randomUUID } from 'node:crypto'
import { monotonicMs } from '../contract/time.ts'
import { createOutageLog, type Logger, type OutageLog } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { counters as keys } from '../redis/keys.ts'
import { leaseKeep } from '../redis/script.ts'

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
  const loop = new WorkerLoop(worker, options)
  loop.plan(0)
  return loop
}

class WorkerLoop implements RunningWorker {
  private readonly worker: Worker
  private readonly lease: Lease
  private readonly failures: OutageLog
  private mayWork = false
  private hasBegun = false
  private timer: NodeJS.Timeout | undefined
  private round: Promise<void> | undefined
  private isWoken = false
  private isStopped = false

  constructor(worker: Worker, options: LeaseOptions) {
    this.worker = worker
    this.lease = new Lease(worker.name, options)
    this.failures = createOutageLog(options.log, 'worker tick failed', 'worker ticks again')
  }

  wake(): void {
    if (this.isWoken || !this.mayWork) return
    this.isWoken = true
    this.plan(WAKE_MS)
  }

  async stop(): Promise<void> {
    this.isStopped = true
    clearTimeout(this.timer)
    await this.round
    await this.lease.release()
  }

  /** Has a round begin after so many milliseconds, unless one is under way. */
  plan(ms: number): void {
    if (this.isStopped || this.round) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.isWoken = false
      this.round = this.run().then((isBehind) => {
        this.round = undefined
        this.plan(isBehind ? 0 : this.isWoken ? WAKE_MS : this.worker.everyMs)
      })
    }, ms)
    this.timer.unref()
  }

  /** Whether there is more to do at once. */
  private async run(): Promise<boolean> {
    const { worker } = this
    try {
      this.mayWork = await this.lease.keep()
      if (!this.mayWork) {
        this.hasBegun = false
        return false
      }
      if (!this.hasBegun) await worker.begin?.()
      this.hasBegun = true
      const isBehind = await worker.tick()
      this.failures.end({ worker: worker.name })
      return isBehind
    } catch (error) {
      this.hasBegun = false
      this.failures.report((error as Error).message, { worker: worker.name })
      return false
    }
  }
}

class Lease {
  private readonly name: string
  private readonly key: string
  private readonly counters: RedisClient
  private readonly ttlMs: number
  private readonly outages: OutageLog
  private readonly holder = randomUUID()
  private isHeld = false
  private mayWork = false
  private askAt = 0

  constructor(name: string, { counters, log, ttlMs = TTL_MS }: LeaseOptions) {
    this.name = name
    this.key = keys.lease(name)
    this.counters = counters
    this.ttlMs = ttlMs
    this.outages = createOutageLog(log, 'no lease: working anyway', 'leases are given again')
  }

  /** Whether this holder may work; asked again when a third of the time is over. */
  async keep(): Promise<boolean> {
    if (monotonicMs() < this.askAt) return this.mayWork
    this.askAt = monotonicMs() + this.ttlMs / 3
    this.mayWork = await this.ask()
    return this.mayWork
  }

  async release(): Promise<void> {
    if (!this.isHeld) return
    await leaseKeep.run(this.counters, { lease: this.key }, { holder: this.holder, ttl_ms: 0 })
      .catch(() => {})
  }

  private async ask(): Promise<boolean> {
    const { counters, key, holder, ttlMs } = this
    try {
      this.isHeld &&= await leaseKeep.run(counters, { lease: key }, { holder, ttl_ms: ttlMs })
      this.isHeld ||= await counters.set(key, holder, 'PX', ttlMs, 'NX') === 'OK'
      this.outages.end({ worker: this.name })
      return this.isHeld
    } catch (error) {
      this.outages.report((error as Error).message, { worker: this.name })
      return true
    }
  }
}
