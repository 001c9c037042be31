/**
 * A durable consumer of the outboxes: each entry's effects at least once, and of no entry that a
 * failover can still take back.
 */
import { monotonicMs } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition, type Doorbell } from '../redis/doorbell.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { isReachable, laneOf, runMany } from '../redis/slots.ts'
import { lastIds, readOutbox, STREAM_START, type OutboxEvent } from '../redis/streams.ts'
import { isTrouble } from './aside.ts'
import { createIsolation } from './isolate.ts'
import { startWorker, type LeaseOptions, type RunningWorker, type Worker } from './lease.ts'

export interface Consumer {
  readonly name: string
  /**
   * Resolves when the effects are durable. They must bear being repeated, and being done in
   * another order than their events happened: one that fails for good is set aside and done later.
   */
  handle(events: readonly OutboxEvent[]): Promise<void>
}

export interface ConsumerPlace {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'send' | 'read'>
  readonly log: Logger
  /** Between two attempts at an event that fails. */
  readonly restMs?: number
  /** Between two looks at every partition, which catch what a lost bell missed. */
  readonly sweepMs?: number
}

const SWEEP_MS = 5000
const EVERY_MS = 1000
/** Together these bound the effects in flight: they share the way to the ledger with orders. */
const READ_MAX = 50
const PARTITIONS_AT_ONCE = 8
/** A tick ends after this many rounds, so that its lease is renewed in time. */
const ROUNDS_MAX = 10

/** While bells ring places are saved this often, and else at the end of a tick. */
const SAVE_MS = 1000

/** Only forward: a node that slept through the end of its lease knows less than its successor. */
const outboxProgress = defineScript('outbox-progress', ['progress'], ['consumer', 'id'],
  (moved: number) => moved === 1)

export function startConsumer(
  consumer: Consumer, { doorbell, ...options }: LeaseOptions & ConsumerPlace & {
    doorbell: Doorbell,
  },
): RunningWorker {
  const { worker, mark } = consumerWorker(consumer, options)
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
  consumer: Consumer, place: ConsumerPlace,
): { worker: Worker, mark(partition: number): void } {
  const { ledger, durable, log, sweepMs = SWEEP_MS } = place
  const isolation = createIsolation(consumer, place)
  const marked = new Set<number>()
  const positions = new Map<number, string>()
  const unsaved = new Set<number>()
  let savedAt = -Infinity
  let sweptAt = -Infinity
  const at = (partition: number): string => positions.get(partition) ?? STREAM_START

  /** A master that is away leaves its partitions for later, and no other behind. */
  const isWithin = (partition: number): boolean => isReachable(ledger, keys.outbox(partition))

  /** Where others, or this node before, got to. */
  async function findPlaces(partitions: readonly number[]): Promise<void> {
    const unknown = partitions.filter((partition) => !positions.has(partition))
    const replies = await runMany(ledger, unknown.map((partition) =>
      ['hget', keys.progress(partition), consumer.name] as const))
    for (const [index, partition] of unknown.entries()) {
      positions.set(partition, (replies[index] as string | null) ?? STREAM_START)
    }
  }

  /** A sweep asks the replicas only about partitions in which something is new. */
  async function withMore(
    partitions: readonly number[], rung: ReadonlySet<number>,
  ): Promise<number[]> {
    const last = await lastIds(ledger, partitions)
    return partitions.filter((partition, index) =>
      rung.has(partition) || last[index] !== at(partition))
  }

  /**
   * Handles what follows the partitions' positions; returns those that have more. Those of a master
   * that cannot confirm what it says are left for the next tick, with all others of that master.
   */
  async function advance(asked: readonly number[], unsure: Set<string>): Promise<number[]> {
    const masterOf = (partition: number): string => laneOf(ledger, keys.outbox(partition))
    const sure = asked.filter((partition) => !unsure.has(masterOf(partition)))
    const read = await Promise.allSettled(sure.map((partition) =>
      readOutbox(durable.read, partition, at(partition), READ_MAX)))
    const partitions: number[] = []
    const found: OutboxEvent[][] = []
    for (const [index, partition] of sure.entries()) {
      const result = read[index] as (typeof read)[number]
      if (result.status === 'fulfilled') {
        partitions.push(partition)
        found.push(result.value)
      } else {
        if (!isTrouble(result.reason)) throw result.reason
        unsure.add(masterOf(partition))
      }
    }
    // The entry at the position comes along, and has been handled.
    const fresh = found.map((events, index) =>
      events.filter(({ id }) => id !== at(partitions[index] ?? 0)))
    for (const [index, partition] of partitions.entries()) {
      if (fresh[index]?.length === 0) isolation.forget(partition)
    }
    const done = await handle(fresh)
    for (const [partition, id] of done) {
      positions.set(partition, id)
      unsaved.add(partition)
    }
    return partitions.filter((partition, index) =>
      found[index]?.length === READ_MAX && done.get(partition) === found[index]?.at(-1)?.id)
  }

  /** What is not saved is done again by whoever works next: that costs work, and nothing else. */
  async function save(): Promise<void> {
    const partitions = [...unsaved]
    unsaved.clear()
    await Promise.all(partitions.map((partition) =>
      outboxProgress.run(ledger, { progress: keys.progress(partition) },
        { consumer: consumer.name, id: at(partition) })))
    savedAt = monotonicMs()
  }

  /** The last id of each partition up to which everything was handled, or set aside. */
  async function handle(fresh: readonly OutboxEvent[][]): Promise<Map<number, string>> {
    const batches = fresh.filter((events) => events.length > 0)
    const done = new Map<number, string>()
    if (batches.length === 0) return done
    try {
      await consumer.handle(batches.flat())
      for (const events of batches) {
        isolation.forget(events[0]?.partition ?? 0)
        note(done, events.at(-1))
      }
    } catch (error) {
      if (isTrouble(error)) throw error
      for (const events of batches) note(done, await isolation.handle(events))
    }
    return done
  }

  return {
    mark: (partition) => marked.add(partition),
    worker: {
      name: `outbox:${consumer.name}`,
      everyMs: EVERY_MS,
      async begin() {
        positions.clear()
        unsaved.clear()
        sweptAt = -Infinity
      },
      async tick() {
        const isSweep = monotonicMs() - sweptAt >= sweepMs
        if (isSweep) sweptAt = monotonicMs()
        const asked = (isSweep ? everyPartition() : [...marked]).filter(isWithin)
        const wanted = asked.filter((partition) => !isolation.rests(partition))
        const rung = new Set(marked)
        // Before the first wait: a bell that is heard meanwhile marks for the next tick.
        marked.clear()
        await findPlaces(wanted)
        let behind = isSweep ? await withMore(wanted, rung) : wanted
        const unsure = new Set<string>()
        for (let round = 0; round < ROUNDS_MAX && behind.length > 0; round += 1) {
          const more: number[] = []
          for (let from = 0; from < behind.length; from += PARTITIONS_AT_ONCE) {
            more.push(...await advance(behind.slice(from, from + PARTITIONS_AT_ONCE), unsure))
          }
          behind = more
        }
        if (unsure.size > 0) {
          log.warn({ masters: [...unsure] }, 'outboxes not confirmed by replicas: effects wait')
          sweptAt = -Infinity
        }
        for (const partition of [...behind, ...isolation.waiting()]) marked.add(partition)
        if (marked.size === 0 || monotonicMs() - savedAt > SAVE_MS) await save()
        return behind.length > 0
      },
    },
  }
}

function note(done: Map<number, string>, event: OutboxEvent | undefined): void {
  if (event) done.set(event.partition, event.id)
}
