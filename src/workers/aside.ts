/**
 * Events that a consumer could not handle, kept with the reason until an operator has them tried
 * again. Later events of the same order go on meanwhile: effects must bear any order.
 */
import { isoTime, nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { isAway } from '../redis/verdict.ts'
import type { Consumer } from './consumer.ts'

export interface AsideEvent {
  readonly consumer: string
  readonly event: OutboxEvent
  /** Our own words. */
  readonly reason: string
  /** ISO time at which it was given up, by the node's clock. */
  readonly since: string
}

/** A partition's: with more something is wrong with the consumer, and it had better stand still. */
export const ASIDE_MAX = 1000

const fieldOf = (consumer: string, event: OutboxEvent): string => `${consumer} ${event.id}`

/** False where the partition has as many as it may. Once for each event, however often called. */
export async function setAside(
  { ledger, durable, consumer, event, error }: {
    ledger: RedisClient, durable: Pick<Durable, 'send'>, consumer: string, event: OutboxEvent,
    error: unknown,
  },
): Promise<boolean> {
  const list = keys.aside(event.partition)
  if (await ledger.hlen(list) >= ASIDE_MAX) return false
  const entry: AsideEvent = {
    consumer, event, reason: reasonOf(error), since: isoTime(nowMs()),
  }
  await durable.send('hset', list, fieldOf(consumer, event), JSON.stringify(entry))
  return true
}

export const readAside = (text: string): AsideEvent => JSON.parse(text) as AsideEvent

/** A partition's at a time, oldest first. */
export async function* asideEvents(ledger: RedisClient): AsyncGenerator<AsideEvent[]> {
  for (const partition of everyPartition()) {
    const found = (await ledger.hvals(keys.aside(partition))).map(readAside)
    if (found.length > 0) yield found.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  }
}

/** What was given up in one millisecond is in one order, too. */
const placeOf = ({ since, consumer, event }: AsideEvent): string =>
  `${since} ${fieldOf(consumer, event)}`

export interface RetryReport {
  done: number
  /** They stay set aside, with the reason of this time. */
  failed: number
}

/**
 * Has them handled again, whichever version's consumer set them aside; safe beside the consumer
 * itself, since effects bear repeating.
 */
export async function retryAside(
  { ledger, durable, consumer }: {
    ledger: RedisClient, durable: Pick<Durable, 'send'>, consumer: Consumer,
  },
): Promise<RetryReport> {
  const report = { done: 0, failed: 0 }
  for await (const found of asideEvents(ledger)) {
    for (const { consumer: name, event } of found) {
      const list = keys.aside(event.partition)
      try {
        await consumer.handle([event])
        await durable.send('hdel', list, fieldOf(name, event))
        report.done += 1
      } catch (error) {
        if (isTrouble(error)) throw error
        const entry: AsideEvent = {
          consumer: name, event, reason: reasonOf(error), since: isoTime(nowMs()),
        }
        await durable.send('hset', list, fieldOf(name, event), JSON.stringify(entry))
        report.failed += 1
      }
    }
  }
  return report
}

export async function countAside(ledger: RedisClient): Promise<number> {
  const lengths = await runMany(ledger, everyPartition().map((partition) =>
    ['hlen', keys.aside(partition)] as const)) as number[]
  return lengths.reduce((sum, length) => sum + length, 0)
}

/** Answers of a Redis that is well and refuses this one command. */
const OWN_FAULT = /(^|: )(ERR|WRONGTYPE) /
/** Whether it is the ledger's state, which passes, and not the event's. */
export function isTrouble(error: unknown): boolean {
  if (error instanceof Refusal) return error.error === 'unavailable'
  return isAway(error)
}

const REASON_NAME_MAX = 40

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
