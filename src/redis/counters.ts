/** Questions to counters: the shared token buckets, and the one view of whether counters are up. */
import type { Logger } from '../log.ts'
import type { RedisClient } from './connect.ts'
import { defineScript } from './script.ts'

/** What a bucket gave. */
export interface Taken {
  readonly granted: number
  /** Whole tokens left in the shared bucket. */
  readonly left: number
  /** Until it has one more. */
  readonly waitMs: number
}

const tokenBucket = defineScript(
  'token-bucket', ['bucket'], ['waiting', 'ahead', 'hold_ms', 'rate', 'burst'],
  ([granted, left, waitMs]: [number, number, number]): Taken => ({ granted, left, waitMs }))

const RETRY_MS = 1000

/** A bucket: tokens a second, and tokens when it is full. */
export interface Shape {
  readonly rate_per_s: number
  readonly burst: number
}

/** Counters did not answer: who asks decides by itself. */
export class CountersUnavailable extends Error {}

/**
 * Asks counters as long as they answer. One call that failed, at the client's command deadline at
 * the latest, is enough: from then on nobody waits, until an answer to our own question shows that
 * they are back.
 */
export class Counters {
  readonly client: RedisClient
  private readonly log: Pick<Logger, 'warn'>
  private isAway = false

  constructor(client: RedisClient, log: Pick<Logger, 'warn'>) {
    this.client = client
    this.log = log
  }

  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.isAway) throw new CountersUnavailable()
    if (this.client.status !== 'ready') return this.leave('not connected')
    try {
      return await question()
    } catch (error) {
      return this.leave((error as Error).message)
    }
  }

  take(
    bucket: string, shape: Shape, waiting: number, ahead = 0, hold_ms = 0,
  ): Promise<Taken> {
    const { rate_per_s: rate, burst } = shape
    return this.ask(() =>
      tokenBucket.run(this.client, { bucket }, { waiting, ahead, hold_ms, rate, burst }))
  }

  private leave(error: string): never {
    if (!this.isAway) {
      this.isAway = true
      this.log.warn({ error }, 'counters are away: this node limits by itself')
      this.comeBackLater()
    }
    throw new CountersUnavailable()
  }

  private comeBackLater(): void {
    setTimeout(() => {
      if (this.client.status === 'end') return
      // Without a connection this fails at once.
      this.client.ping().then(() => { this.isAway = false }, () => { this.comeBackLater() })
    }, RETRY_MS).unref()
  }
}
