/** What happens to an agent's orders, as one stream that can be followed from any place. */
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { fieldsOf } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany, type KeyCommand } from '../redis/send.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { OrderEvent } from './record.ts'
import { EVENTS, type AftersaleStatus, type EventName } from './states.ts'

interface FeedEntry {
  /** The place in the feed: reading goes on after it. */
  readonly id: string
  readonly order_no: string
  /** `aftersale` comes with the status that it took on. */
  readonly event: EventName | 'refunding' | 'aftersale'
  readonly aftersale_status?: AftersaleStatus
  /** Milliseconds, Redis's clock. */
  readonly at: number
}

/** Entries of a feed: a reader that missed more reads the orders themselves. */
export const FEED_MAX = 1000
const FEED_TTL_MS = 7 * 86_400_000

const agentAppend = defineScript('agent-append', ['list', 'feed', 'known'],
  ['length', 'ttl_ms', 'orders', 'events'], (added: number) => added)

/**
 * Lists an agent's new orders and puts the events at the end of its feed, each once however often
 * it is called. One script for both: they share a slot, and every order costs it.
 */
export async function appendForAgent(
  durable: Pick<Durable, 'run'>, agent: string, events: readonly OutboxEvent[],
): Promise<void> {
  await durable.run(agentAppend, {
    list: keys.agentOrders(agent), feed: keys.feed(agent), known: keys.feedKnown(agent),
  }, {
    length: FEED_MAX,
    ttl_ms: FEED_TTL_MS,
    orders: JSON.stringify(events.filter(({ type }) => type === 'created')
      .map(({ orderNo, at }) => [orderNo, at])),
    events: JSON.stringify(events.map(({ id, partition, type, at, orderNo = '', status }) => [
      `${partition}:${id}`, 'event', type, 'order_no', orderNo, 'at', String(at),
      ...(type === 'aftersale' && status ? ['status', status] : []),
    ])),
  })
}

/** Oldest first, after a place; from the beginning of what is kept without one. */
export async function readFeed(
  ledger: RedisClient, agent: string, after: string | undefined, count: number,
): Promise<FeedEntry[]> {
  const from = after === undefined ? '-' : `(${after}`
  const entries = await ledger.xrange(keys.feed(agent), from, '+', 'COUNT', count)
  return entries.map(([id, fields]) => {
    const value = fieldsOf(fields)
    return {
      id,
      order_no: value['order_no'] ?? '',
      event: value['event'] as FeedEntry['event'],
      ...(value['status'] && { aftersale_status: value['status'] as AftersaleStatus }),
      at: Number(value['at']),
    }
  })
}

const PAGE = 200
const TIMED: ReadonlySet<string> = new Set(EVENTS)

interface FeedCheck {
  readonly entries: number
  /** Of no order, of another agent's, or of a move that its order's timeline lacks. */
  readonly strays: readonly FeedEntry[]
}

/**
 * A page at a time. An order that was never paid is dropped after some weeks: of an entry that is
 * older than a feed without news nothing is said.
 */
export async function* checkFeed(
  ledger: RedisClient, agent: string, now: number,
): AsyncGenerator<FeedCheck> {
  for (let after: string | undefined; ;) {
    const entries = await readFeed(ledger, agent, after, PAGE)
    const replies = await runMany(ledger, entries.flatMap(({ order_no: orderNo }): KeyCommand[] => {
      const partition = partitionOfOrder(orderNo) ?? 0
      return [['hget', keys.order(partition, orderNo), 'agent'],
        ['lrange', keys.events(partition, orderNo), 0, -1]]
    }))
    yield {
      entries: entries.length,
      strays: entries.filter(({ event, at }, index) => {
        const [owner, lines] = replies.slice(index * 2, index * 2 + 2) as [string | null, string[]]
        if (owner === null) return now - at < FEED_TTL_MS
        return owner !== agent || (TIMED.has(event) && !lines.some((line) => {
          const happened = JSON.parse(line) as OrderEvent
          return happened.event === event && happened.at === at
        }))
      }),
    }
    after = entries.at(-1)?.id
    if (entries.length < PAGE) return
  }
}
