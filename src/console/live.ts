/**
 * An account's events as the console shows them: orders and clicks of its agents, and its books, as
 * server-sent events. An event's id holds the position in each stream, so that a follower who
 * reconnects to any node misses nothing.
 */
import type { Session } from '../contract/caller.ts'
import type { HttpReply, HttpRequest } from '../contract/http.ts'
import { isoTime } from '../contract/time.ts'
import { bookEntryOf } from '../earnings/books.ts'
import { describeEntry } from '../earnings/statement.ts'
import { type FollowedBatch, followEvents, passEntry } from '../events/follow-events.ts'
import {
  formatPositions, parsePositions, type StreamEntry, unlessUnreadable,
} from '../events/read-events.ts'
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts'
import { EVENTS } from '../orders/states.ts'
import type { Services } from '../services.ts'

/** What a browser waits before it reconnects. */
const RETRY_MS = 1000
/** Of each type, sent to a follower without a position. */
const RECENT = 20
const TYPES = ['click', 'order', 'mall_order', 'commission', 'withdrawal'] as const

interface LiveEvent {
  /** `ready` follows the recent events; after `reset` totals have to be read anew. */
  readonly type: (typeof TYPES)[number] | 'ready' | 'reset'
  /** Absent in recent events. */
  readonly id?: string
  readonly data: object
}

export function createLive(
  { ledger, sessions, earnings: { mode } }: Pick<Services, 'ledger' | 'sessions' | 'earnings'>,
) {
  const limit = createConcurrencyLimit({
    policy: 'console-live', hint: 'Close other windows of the console, or come back in a moment.',
    eachMax: 10, totalMax: 500,
  })

  async function* stream(
    { id, account }: Session, from: string | undefined, signal: AbortSignal,
  ): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`
    const batches = followEvents({
      ledger, audience: { account, mode }, signal, recent: RECENT,
      positions: from === undefined ? undefined : parsePositions(from),
      // Ends the stream of a window that stays open after its session has ended.
      mayRead: async () => await sessions.find(id) !== undefined,
    })
    for await (const batch of batches) {
      const events = batch.isFirst ? recentEvents(batch) : nextEvents(batch)
      // A comment now and then keeps proxies from closing the connection as idle.
      yield events.length === 0 ? ':\n\n' : events.map(textOf).join('')
    }
  }

  return (request: HttpRequest, session: Session): HttpReply => ({
    status: 200,
    headers: [
      ['Content-Type', 'text/event-stream; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      // Proxies that buffer answers would hold back every event.
      ['X-Accel-Buffering', 'no'],
    ],
    stream: limit.hold(request, session.account,
      stream(session, request.header('last-event-id'), request.signal)),
    isEndless: true,
  })
}

const textOf = ({ type, id, data }: LiveEvent): string =>
  `event: ${type}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

function recentEvents({ entries, positions }: FollowedBatch): LiveEvent[] {
  const described = entries.flatMap((entry) =>
    unlessUnreadable(entry, () => describe(entry)) ?? [])
  const shown = new Set(TYPES.flatMap((type) =>
    described.filter((one) => one.type === type).slice(-RECENT)))
  return [
    ...described.filter((one) => shown.has(one)),
    { type: 'ready', id: formatPositions(positions), data: {} },
  ]
}

function nextEvents({ entries, positions, isTrimmed }: FollowedBatch): LiveEvent[] {
  const events: LiveEvent[] = isTrimmed
    ? [{ type: 'reset', id: formatPositions(positions), data: {} }] : []
  for (const entry of entries) {
    passEntry(positions, entry)
    const event = unlessUnreadable(entry, () => describe(entry))
    if (event) events.push({ ...event, id: formatPositions(positions) })
  }
  return events
}

/** After-sale statuses for which the order has an event of its own. */
const SENT_BY_ORDER = ['requested', 'refunded']
const SHOWN: ReadonlySet<string> = new Set([...EVENTS, 'refunding', 'aftersale'])

function describe(
  { stream: { kind, owner: agent }, at, fields, entry }: StreamEntry,
): LiveEvent | undefined {
  if (kind === 'books') return describeEntry(bookEntryOf(entry))
  if (kind === 'clicks') {
    const { source, item } = fields
    return { type: 'click', data: { at: isoTime(at), agent, source, item: item || null } }
  }
  const { order_no, event = '', status } = fields
  if (event === 'mall_order') {
    const { source, mall_order_no, amount } = fields
    return {
      type: 'mall_order',
      data: { at: isoTime(at), agent, source, mall_order_no, status, amount: Number(amount) },
    }
  }
  if (!SHOWN.has(event)) return undefined
  if (event === 'aftersale' && SENT_BY_ORDER.includes(status ?? '')) return undefined
  return {
    type: 'order',
    data: {
      at: isoTime(at), agent, order_no, event, ...(status && { aftersale_status: status }),
    },
  }
}
