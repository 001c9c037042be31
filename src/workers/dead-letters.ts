/**
 * Events that a consumer could not handle, kept with the reason until an operator has them tried
 * again. Later events of the same order go on meanwhile: effects must bear any order. In a batch
 * that fails each event is tried alone, so that one of them holds nothing up for long.
 */
import { isoTime, monotonicMs, nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { isUnavailable } from '../redis/command-errors.ts'
import type { Consumer, ConsumerOptions } from './consumer.ts'

export interface DeadLetter {
  readonly consumer: string
  readonly event: OutboxEvent
  /** Our own words. */
  readonly reason: string
  /** ISO time at which it was given up, by the node's clock. */
  readonly since: string
}

interface RetryReport {
  done: number
  /** They stay set aside, with the reason of this time. */
  failed: number
}

export interface PoisonHandler {
  /**
   * Handles a partition's events one by one, and sets aside what has failed too often. Returns the
   * last one up to which that is done: those after it come again with the next tick.
   */
  handle(events: readonly OutboxEvent[]): Promise<OutboxEvent | undefined>
  /** Partitions that stand at an event which will be tried again. */
  waiting(): Iterable<number>
  /** Whether it is too early for that. */
  rests(partition: number): boolean
  /** It stands at none: what was wrong is right, or another node has dealt with it. */
  forget(partition: number): void
}

interface Waiting {
  /** Failures by event; the batch that was read bounds them. */
  readonly failed: Map<string, number>
  readonly restsUntil: number
}

/** A partition's: with more something is wrong with the consumer, and it had better stand still. */
export const DEAD_LETTERS_MAX = 1000
/** Answers of a Redis that is well and refuses this one command. */
const OWN_FAULT = /(^|: )(ERR|WRONGTYPE) /
const REASON_NAME_MAX = 40
const ATTEMPTS_MAX = 3
/** Between two of them: what is wrong may right itself in a second or two. */
const REST_MS = 1000

const fieldOf = (consumer: string, event: OutboxEvent): string => `${consumer} ${event.id}`

/** False where the partition has as many as it may. Once for each event, however often called. */
async function storeDeadLetter(
  { ledger, durable, consumer, event, error }: {
    ledger: RedisClient, durable: Pick<Durable, 'send'>, consumer: string, event: OutboxEvent,
    error: unknown,
  },
): Promise<boolean> {
  const list = keys.aside(event.partition)
  if (await ledger.hlen(list) >= DEAD_LETTERS_MAX) return false
  const entry: DeadLetter = {
    consumer, event, reason: reasonOf(error), since: isoTime(nowMs()),
  }
  await durable.send('hset', list, fieldOf(consumer, event), JSON.stringify(entry))
  return true
}

export const parseDeadLetter = (text: string): DeadLetter => JSON.parse(text) as DeadLetter

/** A partition's at a time, oldest first. */
export async function* deadLetters(ledger: RedisClient): AsyncGenerator<DeadLetter[]> {
  for (const partition of everyPartition()) {
    const found = (await ledger.hvals(keys.aside(partition))).map(parseDeadLetter)
    if (found.length > 0) yield found.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  }
}

/** What was given up in one millisecond is in one order, too. */
const placeOf = ({ since, consumer, event }: DeadLetter): string =>
  `${since} ${fieldOf(consumer, event)}`

/**
 * Has them handled again, whichever version's consumer set them aside; safe beside the consumer
 * itself, since effects bear repeating.
 */
export async function retryDeadLetters(
  { ledger, durable, consumer }: {
    ledger: RedisClient, durable: Pick<Durable, 'send'>, consumer: Consumer,
  },
): Promise<RetryReport> {
  const report = { done: 0, failed: 0 }
  for await (const found of deadLetters(ledger)) {
    for (const { consumer: name, event } of found) {
      const list = keys.aside(event.partition)
      try {
        await consumer.handle([event])
        await durable.send('hdel', list, fieldOf(name, event))
        report.done += 1
      } catch (error) {
        if (isTransient(error)) throw error
        const entry: DeadLetter = {
          consumer: name, event, reason: reasonOf(error), since: isoTime(nowMs()),
        }
        await durable.send('hset', list, fieldOf(name, event), JSON.stringify(entry))
        report.failed += 1
      }
    }
  }
  return report
}

export async function countDeadLetters(ledger: RedisClient): Promise<number> {
  const lengths = await runMany(ledger, everyPartition().map((partition) =>
    ['hlen', keys.aside(partition)] as const)) as number[]
  return lengths.reduce((sum, length) => sum + length, 0)
}

/** Whether it is the ledger's state, which passes, and not the event's. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Refusal) return error.error === 'unavailable'
  return isUnavailable(error)
}

/** Says it without the client's text, which may carry operands. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return `refused: ${error.error}`
  if (!(error instanceof Error)) return 'failed without an error'
  if (error.message.includes('WRONGTYPE ')) {
    return 'a key that it writes holds another kind of value'
  }
  if (OWN_FAULT.test(error.message)) return 'the ledger refused one of its commands'
  return `failed with ${error.name.slice(0, REASON_NAME_MAX)}`
}

export function createPoisonHandler(
  consumer: Consumer, { ledger, durable, log, restMs = REST_MS }: ConsumerOptions,
): PoisonHandler {
  /** The partitions that stand at an event. */
  const waiting = new Map<number, Waiting>()

  /** Whether the event is done with. */
  async function attempt(event: OutboxEvent, failed: Map<string, number>): Promise<boolean> {
    const { id, partition, type } = event
    try {
      await consumer.handle([event])
      return true
    } catch (error) {
      if (isTransient(error)) throw error
      const attempts = (failed.get(id) ?? 0) + 1
      failed.set(id, attempts)
      if (attempts < ATTEMPTS_MAX) return false
      const facts = { consumer: consumer.name, partition, id, type }
      const isStored = await storeDeadLetter({
        ledger, durable, consumer: consumer.name, event, error,
      })
      if (isStored) log.error(facts, 'event set aside: see agentmall outbox aside')
      else log.error(facts, 'too many events set aside: the consumer waits here')
      return isStored
    }
  }

  return {
    async handle(events) {
      const partition = events[0]?.partition ?? 0
      const before = waiting.get(partition)?.failed
      const failed = new Map(events.flatMap(({ id }): [string, number][] => {
        const attempts = before?.get(id)
        return attempts === undefined ? [] : [[id, attempts]]
      }))
      // Noted first: it holds also when the ledger fails in the middle.
      waiting.set(partition, { failed, restsUntil: monotonicMs() + restMs })
      let last: OutboxEvent | undefined
      let isHeldUp = false
      for (const event of events) {
        const isDone = await attempt(event, failed)
        isHeldUp ||= !isDone
        if (!isHeldUp) last = event
      }
      if (!isHeldUp) waiting.delete(partition)
      return last
    },
    waiting: () => waiting.keys(),
    forget: (partition) => { waiting.delete(partition) },
    rests: (partition) => monotonicMs() < (waiting.get(partition)?.restsUntil ?? 0),
  }
}
