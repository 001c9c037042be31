/** A durable consumer of the outboxes: each entry's effects at least once, in order. */
import { everyPartition, type Doorbell } from '../redis/doorbell.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { readOutboxes, STREAM_START, type OutboxEvent } from '../redis/streams.ts'
import { startWorker, type LeaseOptions, type RunningWorker, type Worker } from './lease.ts'

export interface Consumer {
  readonly name: string
  /** Resolves when the effects are durable; they must bear being repeated. */
  handle(events: readonly OutboxEvent[]): Promise<void>
}

/** A sweep of every partition catches what a lost bell missed. */
const SWEEP_TICKS = 5
const EVERY_MS = 1000
/** Together these bound the effects in flight: they share the way to the ledger with orders. */
const READ_MAX = 50
const PARTITIONS_AT_ONCE = 8
/** A tick ends after this many rounds, so that its lease is renewed in time. */
const ROUNDS_MAX = 10

export function startConsumer(
  consumer: Consumer, { ledger, doorbell, ...options }: LeaseOptions & {
    ledger: RedisClient, doorbell: Doorbell,
  },
): RunningWorker {
  const { worker, mark } = consumerWorker(consumer, ledger)
  const running = startWorker(worker, options)
  const unhear = doorbell.onRing((partition) => {
    mark(partition)
    running.wake()
  })
  return {
    wake: () => running.wake(),
    async stop() {
      unhear()
      await running.stop()
    },
  }
}

export function consumerWorker(
  consumer: Consumer, ledger: RedisClient,
): { worker: Worker, mark(partition: number): void } {
  const marked = new Set<number>()
  let positions: string[] = []
  let ticks = 0
  const at = (partition: number): string => positions[partition] ?? STREAM_START

  /** Handles what follows the partitions' positions; returns those that have more. */
  async function advance(partitions: readonly number[]): Promise<number[]> {
    // The entry at the position comes along, and has been handled.
    const found = await readOutboxes(ledger, partitions, at, READ_MAX)
    const fresh = found.map((events, index) =>
      events.filter(({ id }) => id !== at(partitions[index] ?? 0)))
    const events = fresh.flat()
    if (events.length === 0) return []
    await consumer.handle(events)
    const done = partitions.flatMap((partition, index) => {
      const last = fresh[index]?.at(-1)
      return last ? [{ partition, id: last.id }] : []
    })
    await runMany(ledger, done.map(({ partition, id }) =>
      ['hset', keys.progress(partition), consumer.name, id] as const))
    for (const { partition, id } of done) positions[partition] = id
    return partitions.filter((_, index) => found[index]?.length === READ_MAX)
  }

  return {
    mark: (partition) => marked.add(partition),
    worker: {
      name: `outbox:${consumer.name}`,
      everyMs: EVERY_MS,
      async begin() {
        const replies = await runMany(ledger, everyPartition().map((partition) =>
          ['hget', keys.progress(partition), consumer.name] as const))
        positions = replies.map((reply) => (reply as string | null) ?? STREAM_START)
        ticks = 0
      },
      async tick() {
        const isSweep = ticks % SWEEP_TICKS === 0
        ticks += 1
        let behind = isSweep ? everyPartition() : [...marked]
        marked.clear()
        for (let round = 0; round < ROUNDS_MAX && behind.length > 0; round += 1) {
          const more: number[] = []
          for (let from = 0; from < behind.length; from += PARTITIONS_AT_ONCE) {
            more.push(...await advance(behind.slice(from, from + PARTITIONS_AT_ONCE)))
          }
          behind = more
        }
        for (const partition of behind) marked.add(partition)
        return behind.length > 0
      },
    },
  }
}
