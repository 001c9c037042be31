/** Finds the events on which a batch fails, so that one of them holds nothing up for long. */
import { monotonicMs } from '../contract/time.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { isTrouble, setAside } from './aside.ts'
import type { Consumer, ConsumerPlace } from './consumer.ts'

export interface Isolation {
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

const ATTEMPTS_MAX = 3
/** Between two of them: what is wrong may right itself in a second or two. */
const REST_MS = 1000

interface Waiting {
  /** Failures by event; the batch that was read bounds them. */
  readonly failed: Map<string, number>
  readonly restsUntil: number
}

export function createIsolation(
  consumer: Consumer, { ledger, durable, log, restMs = REST_MS }: ConsumerPlace,
): Isolation {
  /** The partitions that stand at an event. */
  const waiting = new Map<number, Waiting>()

  /** Whether the event is done with. */
  async function attempt(event: OutboxEvent, failed: Map<string, number>): Promise<boolean> {
    const { id, partition, type } = event
    try {
      await consumer.handle([event])
      return true
    } catch (error) {
      if (isTrouble(error)) throw error
      const attempts = (failed.get(id) ?? 0) + 1
      failed.set(id, attempts)
      if (attempts < ATTEMPTS_MAX) return false
      const facts = { consumer: consumer.name, partition, id, type }
      const isAside = await setAside({ ledger, durable, consumer: consumer.name, event, error })
      if (isAside) log.error(facts, 'event set aside: see agentmall outbox aside')
      else log.error(facts, 'too many events set aside: the consumer waits here')
      return isAside
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
      // Noted first: it holds also when the ledger goes away in the middle.
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
