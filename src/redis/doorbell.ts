/** Pub/sub that names the partition whose outbox grew. A lost message costs only time. */
import { Cluster } from 'ioredis'
import { sleep } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from './connect.ts'
import { channels, PARTITIONS } from './keys.ts'

export interface Doorbell {
  /** Calls back with the partition; the result ends it. */
  onRing(listener: (partition: number) => void): () => void
  close(): Promise<void>
}

/** One subscription for everything in a node that follows the outboxes. */
export function openDoorbell(ledger: RedisClient, log: Logger): Doorbell {
  const listeners = new Set<(partition: number) => void>()
  // A cluster client keeps a subscriber of its own; a single connection cannot do both.
  const client = ledger instanceof Cluster ? ledger : ledger.duplicate()
  const subscribe = (): void => {
    client.subscribe(channels.doorbell).catch((error: Error) => {
      log.warn({ error: error.message }, 'doorbell is not heard: the sweep does its work')
    })
  }
  const hear = (channel: string, message: string): void => {
    const partition = Number(message)
    if (channel !== channels.doorbell || !(partition >= 0 && partition < PARTITIONS)) return
    for (const listener of listeners) listener(partition)
  }
  client.on('message', hear)
  client.on('ready', subscribe)
  if (client === ledger) {
    if (ledger.status === 'ready') subscribe()
  } else {
    client.on('error', (error: Error) => log.warn({ error: error.message }, 'redis connection'))
  }
  return {
    onRing(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      listeners.clear()
      client.off('message', hear)
      client.off('ready', subscribe)
      if (client !== ledger) client.disconnect()
      else await client.unsubscribe(channels.doorbell).catch(() => {})
    },
  }
}

export interface Rounds {
  /** Asks for a partition to be read soon. */
  mark(partition: number): void
  /** Stops, when the round under way has ended. */
  stop(): Promise<void>
}

export interface RoundOptions {
  readonly doorbell: Doorbell
  /** Rings are gathered for this long, so that a burst is read at once. */
  readonly gatherMs: number
  /** All partitions are read this often, whether a bell was heard or not. */
  readonly sweepMs: number
  /** Reads these partitions; returns those that have more. A failure has them read again. */
  read(partitions: readonly number[], isSweep: boolean): Promise<readonly number[]>
  readonly log: Logger
}

const RETRY_MS = 500

/** Reads partitions when they ring and all of them from time to time, one round at a time. */
export function startRounds(options: RoundOptions): Rounds {
  const marked = new Set<number>()
  let sweepDue = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  let stopped = false

  function plan(ms: number): void {
    if (stopped || timer || round) return
    timer = setTimeout(() => {
      timer = undefined
      round = run().finally(() => {
        round = undefined
        if (marked.size > 0 || sweepDue) plan(options.gatherMs)
      })
    }, ms)
    timer.unref()
  }

  async function run(): Promise<void> {
    const isSweep = sweepDue
    const partitions = isSweep ? everyPartition() : [...marked]
    marked.clear()
    sweepDue = false
    try {
      for (const partition of await options.read(partitions, isSweep)) marked.add(partition)
    } catch (error) {
      options.log.warn({ error: (error as Error).message }, 'outboxes cannot be read')
      for (const partition of partitions) marked.add(partition)
      sweepDue ||= isSweep
      await sleep(RETRY_MS)
    }
  }

  const mark = (partition: number): void => {
    marked.add(partition)
    plan(options.gatherMs)
  }
  const unhear = options.doorbell.onRing(mark)
  const sweep = setInterval(() => {
    sweepDue = true
    plan(0)
  }, options.sweepMs)
  sweep.unref()
  return {
    mark,
    async stop() {
      stopped = true
      unhear()
      clearInterval(sweep)
      clearTimeout(timer)
      await round
    },
  }
}

export const everyPartition = (): number[] =>
  Array.from({ length: PARTITIONS }, (_, partition) => partition)
