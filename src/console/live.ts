/**
 * An account's events as server-sent events: orders and clicks of its agents, and its books, merged
 * from the streams that keep them. An event's id holds the position in each stream, so that a
 * follower who reconnects to any node misses nothing.
 */
import { agentsOf } from '../accounts/agent-records.ts'
import type { Session } from '../contract/caller.ts'
import { Refusal } from '../contract/errors.ts'
import type { HttpReply, HttpRequest } from '../contract/http.ts'
import type { Mode } from '../contract/money.ts'
import { isoTime, sleepUnless } from '../contract/time.ts'
import { bookEntryOf } from '../earnings/books.ts'
import { describeEntry } from '../earnings/statement.ts'
import { isUnavailable } from '../redis/command-errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { fieldsOf } from '../redis/replies.ts'
import { runMany } from '../redis/send.ts'
import { STREAM_START } from '../redis/streams.ts'
import type { Services } from '../services.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'

/** What a browser waits before it reconnects. */
const RETRY_MS = 1000

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
    const positions = from === undefined ? undefined : parsePositions(from)
    // Ends the stream of a window that stays open after its session has ended.
    const isSignedIn = async (): Promise<boolean> => await sessions.find(id) !== undefined
    for await (const events of followAccount({
      ledger, account, mode, positions, signal, isSignedIn,
    })) {
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

interface LiveEvent {
  /** `ready` follows the recent events; after `reset` totals have to be read anew. */
  readonly type: 'click' | 'order' | 'commission' | 'withdrawal' | 'ready' | 'reset'
  /** Absent in recent events. */
  readonly id?: string
  readonly data: object
}

/** The last id sent of each stream, by a short name of it. */
type Positions = Map<string, string>

/** Together with the time that events take to arrive, well under a second. */
const POLL_MS = 400
/** Polls without an event, after which an empty batch is given. */
const QUIET_POLLS = 10
/** Polls after which the account's agents are read again. */
const AGENTS_POLLS = 5
const READ_MAX = 100
/** Of each type, sent to a follower without a position. */
const RECENT = 20
const POSITIONS_LENGTH_MAX = 4096
/** Short names of the books' streams. */
const ENTRIES_OF = { sandbox: 'e', live: 'el' } as const satisfies Record<Mode, string>
const POSITION = /^((?:el?|[oc]:[\w-]{1,70}))=(\d{1,15}-\d{1,10})$/

interface Stream {
  readonly name: string
  readonly key: string
  read(entry: Entry): Occurrence | undefined
}

const TYPES = ['click', 'order', 'commission', 'withdrawal'] as const

type Entry = [id: string, fields: string[]]

/** An event, and the time (ms) by which it is sorted among those of other streams. */
interface Occurrence extends Pick<LiveEvent, 'type'> {
  readonly at: number
  readonly data: object
}

/** Undefined where the id is not one of ours. */
function parsePositions(id: string): Positions | undefined {
  if (id.length > POSITIONS_LENGTH_MAX) return undefined
  const found = id.split('~').map((part) => POSITION.exec(part))
  return found.every((match) => match !== null)
    ? new Map(found.map((match) => [match[1] ?? '', match[2] ?? ''])) : undefined
}

const formatPositions = (positions: Positions): string =>
  [...positions].map(([name, id]) => `${name}=${id}`).join('~')

interface Following {
  readonly ledger: RedisClient
  readonly account: string
  /** Which of its books. */
  readonly mode: Mode
  /** Where to continue; without them recent events come first. */
  readonly positions: Positions | undefined
  readonly signal: AbortSignal
  /** Checked before each poll: the stream ends with the session. */
  readonly isSignedIn: () => Promise<boolean>
}

/** Batches in their order, an empty one now and then; ends when Redis is unavailable. */
async function* followAccount(
  { ledger, account, mode, positions: given, signal, isSignedIn }: Following,
): AsyncGenerator<readonly LiveEvent[]> {
  const positions: Positions = given ?? new Map()
  let streams: Stream[] = []
  let isFirst = given === undefined
  let quiet = 0
  try {
    for (let poll = 0; !signal.aborted && await isSignedIn(); poll += 1) {
      if (poll % AGENTS_POLLS === 0) {
        streams = streamsOf({ account, mode }, await agentsOf(ledger, account))
      }
      const events = isFirst ? await recent(ledger, streams, positions)
        : await next(ledger, streams, positions)
      isFirst = false
      quiet = events.length > 0 ? 0 : quiet + 1
      if (quiet % QUIET_POLLS === 0) yield events
      if (events.length < READ_MAX) await sleepUnless(signal, POLL_MS)
    }
  } catch (error) {
    const isOver = error instanceof Refusal && error.error === 'unavailable'
    if (!isOver && !isUnavailable(error)) throw error
  }
}

const streamsOf = (
  { account, mode }: Pick<Following, 'account' | 'mode'>, agents: readonly string[],
): Stream[] => [
  {
    name: ENTRIES_OF[mode], key: keys.entries(account, mode),
    read: (entry) => describeEntry(bookEntryOf(entry)),
  },
  ...agents.flatMap((agent): Stream[] => [
    { name: `o:${agent}`, key: keys.feed(agent), read: (entry) => readOrder(agent, entry) },
    { name: `c:${agent}`, key: keys.clicks(agent), read: (entry) => readClick(agent, entry) },
  ]),
]

/** After-sale statuses for which the order has an event of its own. */
const SENT_BY_ORDER = ['requested', 'refunded']

function readOrder(agent: string, [, flat]: Entry): Occurrence | undefined {
  const { order_no, event, status, at } = fieldsOf(flat)
  if (event === 'aftersale' && SENT_BY_ORDER.includes(status ?? '')) return undefined
  return {
    type: 'order', at: Number(at),
    data: {
      at: isoTime(Number(at)), agent, order_no, event, ...(status && { aftersale_status: status }),
    },
  }
}

function readClick(agent: string, [, flat]: Entry): Occurrence {
  const { source, item, at } = fieldsOf(flat)
  return {
    type: 'click', at: Number(at),
    data: { at: isoTime(Number(at)), agent, source, item: item || null },
  }
}

/** The last events, and the positions behind them. */
async function recent(
  ledger: RedisClient, streams: readonly Stream[], positions: Positions,
): Promise<LiveEvent[]> {
  const found = await runMany(ledger, streams.map(({ key }) =>
    ['xrevrange', key, '+', '-', 'COUNT', RECENT] as const)) as Entry[][]
  const occurrences = streams.flatMap(({ name, read }, index) => {
    const entries = found[index] ?? []
    positions.set(name, entries[0]?.[0] ?? STREAM_START)
    return entries.flatMap((entry) => read(entry) ?? [])
  })
  const sorted = occurrences.toSorted((one, other) => one.at - other.at)
  const shown = new Set(TYPES.flatMap((type) =>
    sorted.filter((one) => one.type === type).slice(-RECENT)))
  return [
    ...sorted.filter((one) => shown.has(one))
      .map(({ type, data }): LiveEvent => ({ type, data })),
    { type: 'ready', id: formatPositions(positions), data: {} },
  ]
}

async function next(
  ledger: RedisClient, streams: readonly Stream[], positions: Positions,
): Promise<LiveEvent[]> {
  const positionOf = (name: string): string => positions.get(name) ?? STREAM_START
  // Read with the entry at the position: where that was trimmed, later ones may be lost, too.
  const found = await runMany(ledger, streams.map(({ name, key }) =>
    ['xrange', key, positionOf(name), '+', 'COUNT', READ_MAX + 1] as const)) as Entry[][]
  const isTrimmed = streams.some(({ name }, index) =>
    positionOf(name) !== STREAM_START && found[index]?.[0]?.[0] !== positionOf(name))
  const news = streams.flatMap(({ name, read }, index) => {
    const entries = (found[index] ?? []).filter(([id]) => id !== positionOf(name))
    let latest = 0
    // In the stream's own order, whatever the clocks of their writers were.
    return entries.map((entry) => {
      const occurrence = read(entry)
      latest = Math.max(latest, occurrence?.at ?? 0)
      return { name, position: entry[0], occurrence, latest }
    })
  })
  if (isTrimmed) {
    for (const [index, { name }] of streams.entries()) {
      if (found[index]?.[0]?.[0] !== positionOf(name)) positions.set(name, STREAM_START)
    }
  }
  const events = news.toSorted((one, other) => one.latest - other.latest)
    .flatMap(({ name, position, occurrence }): LiveEvent[] => {
      positions.set(name, position)
      if (!occurrence) return []
      const { type, data } = occurrence
      return [{ type, id: formatPositions(positions), data }]
    })
  return isTrimmed
    ? [{ type: 'reset', id: formatPositions(positions), data: {} }, ...events] : events
}
