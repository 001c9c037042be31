/** What happens to an agent, as one stream that can be followed from any place in it. */
import { partitionOfOrder } from '../contract/ids.ts'
import type { OrderEvent } from '../orders/record.ts'
import { EVENTS } from '../orders/states.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { fieldsOf } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { runMany, type KeyCommand } from '../redis/send.ts'
import { FEED_MAX, FEED_TTL_MS, type OutboxEvent } from '../redis/streams.ts'

const agentAppend = defineScript('agent-append', ['list', 'feed', 'known', 'followers'],
  ['length', 'ttl_ms', 'orders', 'events'], (followers: string[]) => followers)

/** Fields of an entry, the name by which it is appended once first. */
type Line = readonly string[]

/**
 * Lists an agent's new orders and puts the events at the end of its feed, each once however often
 * it is called. One script for both: they share a slot, and every order costs it. Returns the
 * webhook endpoints that follow the feed.
 */
export async function appendForAgent(
  durable: Pick<Durable, 'run'>, agent: string, events: readonly OutboxEvent[],
): Promise<string[]> {
  const orders = events.filter(({ type }) => type === 'created')
    .map(({ orderNo, at }) => [orderNo, at] as const)
  return await append(durable, agent, events.map(lineOf), orders)
}

function lineOf(event: OutboxEvent): Line {
  const { id, partition, type, at, orderNo = '', status, aftersale, why, amount } = event
  const origin = `${partition}:${id}`
  return [
    origin, 'event', type, 'order_no', orderNo, 'at', String(at), 'origin', origin,
    ...(type === 'aftersale' && status ? ['status', status] : []),
    ...(aftersale ? ['aftersale', aftersale] : []),
    ...(why ? ['why', why] : []),
    ...(amount !== undefined ? ['amount', String(amount)] : []),
  ]
}

/** An entry that is about no order of ours. */
export interface FeedNotice {
  /** Names it: it is appended once. */
  readonly origin: string
  readonly event: 'mall_order' | 'webhook_disabled'
  readonly at: number
  readonly facts: Readonly<Record<string, string>>
}

/** The same for other events of an agent, or of an account as a whole. */
export const appendNotices = (
  durable: Pick<Durable, 'run'>, owner: string, notices: readonly FeedNotice[],
): Promise<string[]> => append(durable, owner, notices.map(({ origin, event, at, facts }) => [
  origin, 'event', event, 'at', String(at), 'origin', origin, ...Object.entries(facts).flat(),
]), [])

const append = (
  durable: Pick<Durable, 'run'>, owner: string, lines: readonly Line[],
  orders: readonly (readonly [orderNo: string | undefined, at: number])[],
): Promise<string[]> => durable.run(agentAppend, {
  list: keys.agentOrders(owner), feed: keys.feed(owner), known: keys.feedKnown(owner),
  followers: keys.followers(owner),
}, {
  length: FEED_MAX, ttl_ms: FEED_TTL_MS,
  orders: JSON.stringify(orders), events: JSON.stringify(lines),
})

const PAGE = 200
const TIMED: ReadonlySet<string> = new Set(EVENTS)

interface FeedLine {
  readonly id: string
  readonly order_no: string
  readonly event: string
  readonly at: number
}

interface FeedCheck {
  readonly entries: number
  /** Of no order, of another agent's, or of a move that its order's timeline lacks. */
  readonly strays: readonly FeedLine[]
}

/**
 * A page at a time. An order that was never paid is dropped after some weeks: of an entry that is
 * older than a feed without news nothing is said.
 */
export async function* checkFeed(
  ledger: RedisClient, agent: string, now: number,
): AsyncGenerator<FeedCheck> {
  for (let from = '-'; ;) {
    const page = await ledger.xrange(keys.feed(agent), from, '+', 'COUNT', PAGE)
    const lines = page.map(([id, fields]): FeedLine => {
      const { order_no = '', event = '', at } = fieldsOf(fields)
      return { id, order_no, event, at: Number(at) }
    }).filter(({ order_no }) => order_no !== '')
    const replies = await runMany(ledger, lines.flatMap(({ order_no: orderNo }): KeyCommand[] => {
      const partition = partitionOfOrder(orderNo) ?? 0
      return [['hget', keys.order(partition, orderNo), 'agent'],
        ['lrange', keys.events(partition, orderNo), 0, -1]]
    }))
    yield {
      entries: page.length,
      strays: lines.filter(({ event, at }, index) => {
        const [owner, timeline] =
          replies.slice(index * 2, index * 2 + 2) as [string | null, string[]]
        if (owner === null) return now - at < FEED_TTL_MS
        // The timeline of an order in the archive left with it.
        const isKnown = timeline.length > 0
        return owner !== agent || (isKnown && TIMED.has(event) && !timeline.some((line) => {
          const happened = JSON.parse(line) as OrderEvent
          return happened.event === event && happened.at === at
        }))
      }),
    }
    if (page.length < PAGE) return
    from = `(${page.at(-1)?.[0] ?? ''}`
  }
}
