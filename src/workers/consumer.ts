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
import { isReachable, masterAddress, runMany } from '../redis/send.ts'
import {
  inCommands, lastIds, readOutboxes, STREAM_START, type OutboxEvent,
} from '../redis/streams.ts'
import { createPoisonHandler, isTransient, type PoisonHandler } from './dead-letters.ts'
import { startWorker, type LeaseOptions, type RunningWorker, type Worker } from './lease.ts'

export interface Consumer {
  readonly name: string
  /**
   * Resolves when the effects are durable. They must bear being repeated, and being done in
   * another order than their events happened: one that fails for good is set aside and done later.
   */
  handle(events: readonly OutboxEvent[]): Promise<void>
}

export interface ConsumerOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'send' | 'read' | 'isOneServer'>
  readonly log: Logger
  /** Between two attempts at an event that fails. */
  readonly restMs?: number
  /** Between two looks at every partition, which catch what a lost bell missed. */
  readonly sweepMs?: number
}

const SWEEP_MS = 5000
const EVERY_MS = 1000
/** Of a partition, and of all together: effects share the way to the ledger with orders. */
const READ_MAX = 50
const EVENTS_AT_ONCE = 400
const PARTITIONS_AT_ONCE = 64
/** A tick ends after this many rounds, so that its lease is renewed in time. */
const ROUNDS_MAX = 10

/**
 * While bells ring places are saved this often, and else at the end of a tick: each costs three
 * commands, and what was not saved before a crash is done once more.
 */
const SAVE_MS = 5000

/** Only forward: a node that slept through the end of its lease knows less than its successor. */
const outboxProgress = defineScript('outbox-progress', ['progress'], ['consumer', 'id'],
  (moved: number) => moved === 1)

export function startConsumer(
  consumer: Consumer, { doorbell, ...options }: LeaseOptions & ConsumerOptions & {
    doorbell: Doorbell,
  },
): RunningWorker {
  const worker = new ConsumerWorker(consumer, options)
  const running = startWorker(worker, options)
  const unsubscribe = doorbell.onRing((partition) => {
    worker.mark(partition)
    running.wake()
  })
  return {
    wake: () => running.wake(),
    async stop() {
      unsubscribe()
      await running.stop()
    },
  }
}

export class ConsumerWorker implements Worker {
  readonly name: string
  readonly everyMs = EVERY_MS
  private readonly consumer: Consumer
  private readonly ledger: RedisClient
  private readonly durable: Pick<Durable, 'send' | 'read' | 'isOneServer'>
  private readonly log: Logger
  private readonly sweepMs: number
  private readonly poison: PoisonHandler
  private readonly marked = new Set<number>()
  private readonly positions = new Map<number, string>()
  private readonly unsaved = new Set<number>()
  private savedAt = -Infinity
  private sweptAt = -Infinity

  constructor(consumer: Consumer, options: ConsumerOptions) {
    this.name = `outbox:${consumer.name}`
    this.consumer = consumer
    this.ledger = options.ledger
    this.durable = options.durable
    this.log = options.log
    this.sweepMs = options.sweepMs ?? SWEEP_MS
    this.poison = createPoisonHandler(consumer, options)
  }

  /** Has the next tick read this partition. */
  mark(partition: number): void {
    this.marked.add(partition)
  }

  async begin(): Promise<void> {
    this.positions.clear()
    this.unsaved.clear()
    this.sweptAt = -Infinity
  }

  async tick(): Promise<boolean> {
    let behind = await this.start()
    const unsure = new Set<string>()
    for (let round = 0; round < ROUNDS_MAX && behind.length > 0; round += 1) {
      const more: number[] = []
      for (let from = 0; from < behind.length; from += PARTITIONS_AT_ONCE) {
        more.push(...await this.advance(behind.slice(from, from + PARTITIONS_AT_ONCE), unsure))
      }
      behind = more
    }
    if (unsure.size > 0) {
      this.log.warn({ masters: [...unsure] }, 'outboxes not confirmed by replicas: effects wait')
      this.sweptAt = -Infinity
    }
    for (const partition of [...behind, ...this.poison.waiting()]) this.marked.add(partition)
    if (this.marked.size === 0 || monotonicMs() - this.savedAt > SAVE_MS) await this.save()
    return behind.length > 0
  }

  /** The partitions that this tick reads, with their positions known. */
  private async start(): Promise<number[]> {
    const isSweep = monotonicMs() - this.sweptAt >= this.sweepMs
    if (isSweep) this.sweptAt = monotonicMs()
    const wanted = (isSweep ? everyPartition() : [...this.marked]).filter((partition) =>
      // A master that is down leaves its partitions for later, and no other behind.
      isReachable(this.ledger, keys.outbox(partition)) && !this.poison.rests(partition))
    const rung = new Set(this.marked)
    // Before the first wait: a doorbell that rings meanwhile marks for the next tick.
    this.marked.clear()
    await this.loadPositions(wanted)
    return isSweep ? await this.withMore(wanted, rung) : wanted
  }

  /** Where others, or this node before, got to. */
  private async loadPositions(partitions: readonly number[]): Promise<void> {
    const unknown = partitions.filter((partition) => !this.positions.has(partition))
    const replies = await runMany(this.ledger, unknown.map((partition) =>
      ['hget', keys.progress(partition), this.consumer.name] as const))
    for (const [index, partition] of unknown.entries()) {
      this.positions.set(partition, (replies[index] as string | null) ?? STREAM_START)
    }
  }

  private at(partition: number): string {
    return this.positions.get(partition) ?? STREAM_START
  }

  /** A sweep asks the replicas only about partitions in which something is new. */
  private async withMore(
    partitions: readonly number[], rung: ReadonlySet<number>,
  ): Promise<number[]> {
    const last = await lastIds(this.ledger, partitions)
    return partitions.filter((partition, index) =>
      rung.has(partition) || last[index] !== this.at(partition))
  }

  /** Handles what follows the partitions' positions; returns those that have more. */
  private async advance(asked: readonly number[], unsure: Set<string>): Promise<number[]> {
    // One more than is handled: the entry at the position comes along, and has been.
    const count = Math.min(READ_MAX, Math.ceil(EVENTS_AT_ONCE / asked.length)) + 1
    const found = await this.read(asked, count, unsure)
    const partitions = [...found.keys()]
    const fresh = partitions.map((partition) =>
      (found.get(partition) ?? []).filter(({ id }) => id !== this.at(partition)))
    for (const [index, partition] of partitions.entries()) {
      if (fresh[index]?.length === 0) this.poison.forget(partition)
    }
    const done = await this.handle(fresh)
    for (const [partition, id] of done) {
      this.positions.set(partition, id)
      this.unsaved.add(partition)
    }
    return partitions.filter((partition) => {
      const events = found.get(partition)
      return events?.length === count && done.get(partition) === events.at(-1)?.id
    })
  }

  /**
   * Events from the partitions' positions on. Those of a master that cannot confirm what it says
   * are left for the next tick, with all others of that master.
   */
  private async read(
    asked: readonly number[], count: number, unsure: Set<string>,
  ): Promise<Map<number, OutboxEvent[]>> {
    const masterOf = (partition: number): string =>
      masterAddress(this.ledger, keys.outbox(partition))
    const sure = asked.filter((partition) => !unsure.has(masterOf(partition)))
    const parts = inCommands(this.durable, sure)
    const results = await Promise.allSettled(parts.map((part) =>
      readOutboxes(this.durable.read, part, (partition) => this.at(partition), count)))
    const found = new Map<number, OutboxEvent[]>()
    for (const [index, part] of parts.entries()) {
      const result = results[index] as (typeof results)[number]
      if (result.status === 'fulfilled') {
        for (const partition of part) found.set(partition, result.value.get(partition) ?? [])
      } else {
        if (!isTransient(result.reason)) throw result.reason
        for (const partition of part) unsure.add(masterOf(partition))
      }
    }
    return found
  }

  /** The last id of each partition up to which everything was handled, or set aside. */
  private async handle(fresh: readonly OutboxEvent[][]): Promise<Map<number, string>> {
    const batches = fresh.filter((events) => events.length > 0)
    const done = new Map<number, string>()
    if (batches.length === 0) return done
    try {
      await this.consumer.handle(batches.flat())
      for (const events of batches) {
        this.poison.forget(events[0]?.partition ?? 0)
        note(done, events.at(-1))
      }
    } catch (error) {
      if (isTransient(error)) throw error
      for (const events of batches) note(done, await this.poison.handle(events))
    }
    return done
  }

  /** What is not saved is done again by whoever works next: that costs work, and nothing else. */
  private async save(): Promise<void> {
    const partitions = [...this.unsaved]
    this.unsaved.clear()
    await Promise.all(partitions.map((partition) =>
      outboxProgress.run(this.ledger, { progress: keys.progress(partition) },
        { consumer: this.consumer.name, id: this.at(partition) })))
    this.savedAt = monotonicMs()
  }
}

function note(done: Map<number, string>, event: OutboxEvent | undefined): void {
  if (event) done.set(event.partition, event.id)
}
