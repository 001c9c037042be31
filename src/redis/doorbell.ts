/** Pub/sub that names the partition whose outbox grew. A lost message costs only time. */
import type { Redis } from 'ioredis'
import { sleep } from '../contract/time.ts'
import { createOutageLog, type Logger } from '../log.ts'
import type { RedisClient } from './connect.ts'
import { channels, PARTITIONS } from './keys.ts'
import { addressOf, masterAddress, mastersOf } from './send.ts'

export interface Doorbell {
  /** Calls back with the partition; the result ends it. */
  onRing(listener: (partition: number) => void): () => void
  close(): Promise<void>
}

/** A connection to one master, and the partitions that it is subscribed to. */
interface Bell {
  readonly client: Redis
  readonly heard: Set<number>
}

/** A slot that moved, or a master that took over, is followed within this time. */
const TUNE_MS = 1000

/**
 * One subscription for everything in a node that follows the outboxes. Each partition has a channel
 * in its own slot (SPUBLISH), which its master tells to those who asked it: a PUBLISH would go to
 * every server of a cluster. ioredis's own sharded subscribers compare all 16,384 slots as text at
 * each refresh, some milliseconds a second in which a node answers nothing.
 */
export function openDoorbell(ledger: RedisClient, log: Logger): Doorbell {
  const listeners = new Set<(partition: number) => void>()
  const bells = new Map<string, Bell>()
  const trouble = createOutageLog(log, 'doorbell is not heard: the sweep does its work',
    'doorbell is heard again')

  /** Subscribes each partition at the master that holds it, and nowhere else. */
  function tune(): void {
    const wanted = new Map<string, number[]>()
    for (const partition of everyPartition()) {
      const address = masterAddress(ledger, channels.doorbell(partition))
      wanted.set(address, [...wanted.get(address) ?? [], partition])
    }
    for (const [address, { client }] of bells) if (!wanted.has(address)) client.disconnect()
    for (const [address, partitions] of wanted) {
      const bell = bells.get(address) ?? open(address)
      if (bell) hearThese(bell, partitions).catch(warn)
    }
  }

  function open(address: string): Bell | undefined {
    const master = mastersOf(ledger).find((one) => addressOf(ledger, one) === address)
    if (!master) return undefined
    const client = master.duplicate({
      autoResubscribe: false, lazyConnect: false, retryStrategy: () => null,
    })
    const bell = { client, heard: new Set<number>() }
    bells.set(address, bell)
    client.on('ready', () => {
      trouble.end()
      tune()
    })
    client.on('error', warn)
    client.on('end', () => { if (bells.get(address) === bell) bells.delete(address) })
    client.on('smessage', (_, message: string) => {
      const partition = Number(message)
      if (!(partition >= 0 && partition < PARTITIONS)) return
      for (const listener of listeners) listener(partition)
    })
    return bell
  }

  const warn = (error: Error): void => {
    trouble.report(error.message)
  }

  const timer = setInterval(tune, TUNE_MS)
  timer.unref()
  tune()
  return {
    onRing(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      clearInterval(timer)
      listeners.clear()
      for (const { client } of bells.values()) client.disconnect()
    },
  }
}

async function hearThese({ client, heard }: Bell, partitions: readonly number[]): Promise<void> {
  if (client.status !== 'ready') return
  const here = new Set(partitions)
  // Of a slot that moved away the server has ended the subscription.
  for (const partition of heard) if (!here.has(partition)) heard.delete(partition)
  const added = partitions.filter((partition) => !heard.has(partition))
  for (const partition of added) heard.add(partition)
  // One at a time: channels of several slots are refused.
  const made = await Promise.allSettled(added.map((partition) =>
    client.ssubscribe(channels.doorbell(partition))))
  const failed = added.filter((_, index) => made[index]?.status === 'rejected')
  for (const partition of failed) heard.delete(partition)
  const [first] = made.filter((one) => one.status === 'rejected')
  if (first) throw first.reason
}

export interface PollLoop {
  /** Asks for a partition to be read soon. */
  mark(partition: number): void
  /** Stops, when the round under way has ended. */
  stop(): Promise<void>
}

export interface PollLoopOptions {
  readonly doorbell: Doorbell
  /** Rings are gathered for this long, so that a burst is read at once. */
  readonly gatherMs: number
  /** All partitions are read this often, whether a doorbell rang or not. */
  readonly sweepMs: number
  /** Reads these partitions; returns those that have more. A failure has them read again. */
  read(partitions: readonly number[], isSweep: boolean): Promise<readonly number[]>
  readonly log: Logger
}

const RETRY_MS = 500

/** Reads partitions when they ring and all of them from time to time, one round at a time. */
export function startPollLoop(options: PollLoopOptions): PollLoop {
  const marked = new Set<number>()
  const trouble = createOutageLog(options.log, 'outboxes cannot be read',
    'outboxes are read again')
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
      trouble.end()
    } catch (error) {
      trouble.report((error as Error).message)
      for (const partition of partitions) marked.add(partition)
      sweepDue ||= isSweep
      await sleep(RETRY_MS)
    }
  }

  const mark = (partition: number): void => {
    marked.add(partition)
    plan(options.gatherMs)
  }
  const unsubscribe = options.doorbell.onRing(mark)
  const sweep = setInterval(() => {
    sweepDue = true
    plan(0)
  }, options.sweepMs)
  sweep.unref()
  return {
    mark,
    async stop() {
      stopped = true
      unsubscribe()
      clearInterval(sweep)
      clearTimeout(timer)
      await round
    },
  }
}

export const everyPartition = (): number[] =>
  Array.from({ length: PARTITIONS }, (_, partition) => partition)
