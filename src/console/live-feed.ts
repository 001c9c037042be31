/**
 * What happens to an account, merged from where it is kept: its agents' orders and clicks, and its
 * books. An event's id says how far each of them has been told, so that a follower who comes back
 * to any node misses nothing.
 */
import { agentsOf } from '../accounts/ownership.ts'
import { isoTime, sleepUnless } from '../contract/time.ts'
import { entryOf } from '../earnings/books.ts'
import { describeEntry } from '../earnings/describe.ts'
import { Refusal } from '../contract/errors.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { fieldsOf } from '../redis/replies.ts'
import { runMany } from '../redis/slots.ts'
import { STREAM_START } from '../redis/streams.ts'
import { isAway } from '../redis/verdict.ts'

export interface LiveEvent {
  /** `ready` follows what is shown first; after `reset` totals have to be read anew. */
  readonly type: 'click' | 'order' | 'commission' | 'withdrawal' | 'ready' | 'reset'
  /** Absent in what is shown first. */
  readonly id?: string
  readonly data: object
}

/** The last id told of each stream, by a short name of it. */
export type Places = Map<string, string>

/** With the time that the events take to get there, well under a second. */
const EVERY_MS = 400
/** Looks without anything new, after which an empty batch is given. */
const QUIET_LOOKS = 10
/** Looks after which the account's agents are read again. */
const AGENTS_LOOKS = 5
const READ_MAX = 100
/** Of each type, shown to a follower who has seen nothing yet. */
const RECENT = 20
const PLACES_LENGTH_MAX = 4096
/** Short names of the books' streams. */
const ENTRIES_OF = { sandbox: 'e', live: 'el' } as const satisfies Record<Mode, string>
const PLACE = /^((?:el?|[oc]:[\w-]{1,70}))=(\d{1,15}-\d{1,10})$/

interface Stream {
  readonly name: string
  readonly key: string
  read(entry: Entry): Told | undefined
}

const TYPES = ['click', 'order', 'commission', 'withdrawal'] as const

type Entry = [id: string, fields: string[]]

/** An event, and the time (ms) by which it is put among those of other streams. */
interface Told extends Pick<LiveEvent, 'type'> {
  readonly at: number
  readonly data: object
}

/** Undefined where it is not an id of ours. */
export function readPlaces(id: string): Places | undefined {
  if (id.length > PLACES_LENGTH_MAX) return undefined
  const found = id.split('~').map((part) => PLACE.exec(part))
  return found.every((match) => match !== null)
    ? new Map(found.map((match) => [match[1] ?? '', match[2] ?? ''])) : undefined
}

const writePlaces = (places: Places): string =>
  [...places].map(([name, id]) => `${name}=${id}`).join('~')

export interface Following {
  readonly ledger: RedisClient
  readonly account: string
  /** Which of its books. */
  readonly mode: Mode
  /** Where to go on; with what happened last without them. */
  readonly places: Places | undefined
  readonly signal: AbortSignal
  /** Asked before each look: whether the follower may hear more. */
  readonly mayGoOn: () => Promise<boolean>
}

/** Batches in their order, an empty one now and then; ends when Redis is away. */
export async function* followAccount(
  { ledger, account, mode, places: given, signal, mayGoOn }: Following,
): AsyncGenerator<readonly LiveEvent[]> {
  const places: Places = given ?? new Map()
  let streams: Stream[] = []
  let isFresh = given === undefined
  let quiet = 0
  try {
    for (let look = 0; !signal.aborted && await mayGoOn(); look += 1) {
      if (look % AGENTS_LOOKS === 0) {
        streams = streamsOf({ account, mode }, await agentsOf(ledger, account))
      }
      const events = isFresh ? await recent(ledger, streams, places)
        : await next(ledger, streams, places)
      isFresh = false
      quiet = events.length > 0 ? 0 : quiet + 1
      if (quiet % QUIET_LOOKS === 0) yield events
      if (events.length < READ_MAX) await sleepUnless(signal, EVERY_MS)
    }
  } catch (error) {
    const isOver = error instanceof Refusal && error.error === 'unavailable'
    if (!isOver && !isAway(error)) throw error
  }
}

const streamsOf = (
  { account, mode }: Pick<Following, 'account' | 'mode'>, agents: readonly string[],
): Stream[] => [
  {
    name: ENTRIES_OF[mode], key: keys.entries(account, mode),
    read: (entry) => describeEntry(entryOf(entry)),
  },
  ...agents.flatMap((agent): Stream[] => [
    { name: `o:${agent}`, key: keys.feed(agent), read: (entry) => orderTold(agent, entry) },
    { name: `c:${agent}`, key: keys.clicks(agent), read: (entry) => clickTold(agent, entry) },
  ]),
]

/** These come beside an event of the order that says the same. */
const SAID_BY_ORDER = ['requested', 'refunded']

function orderTold(agent: string, [, flat]: Entry): Told | undefined {
  const { order_no, event, status, at } = fieldsOf(flat)
  if (event === 'aftersale' && SAID_BY_ORDER.includes(status ?? '')) return undefined
  return {
    type: 'order', at: Number(at),
    data: {
      at: isoTime(Number(at)), agent, order_no, event, ...(status && { aftersale_status: status }),
    },
  }
}

function clickTold(agent: string, [, flat]: Entry): Told {
  const { source, item, at } = fieldsOf(flat)
  return {
    type: 'click', at: Number(at),
    data: { at: isoTime(Number(at)), agent, source, item: item || null },
  }
}

/** What happened last, and where following goes on. */
async function recent(
  ledger: RedisClient, streams: readonly Stream[], places: Places,
): Promise<LiveEvent[]> {
  const found = await runMany(ledger, streams.map(({ key }) =>
    ['xrevrange', key, '+', '-', 'COUNT', RECENT] as const)) as Entry[][]
  const told = streams.flatMap(({ name, read }, index) => {
    const entries = found[index] ?? []
    places.set(name, entries[0]?.[0] ?? STREAM_START)
    return entries.flatMap((entry) => read(entry) ?? [])
  })
  const sorted = told.toSorted((one, other) => one.at - other.at)
  const shown = new Set(TYPES.flatMap((type) =>
    sorted.filter((one) => one.type === type).slice(-RECENT)))
  return [
    ...sorted.filter((one) => shown.has(one))
      .map(({ type, data }): LiveEvent => ({ type, data })),
    { type: 'ready', id: writePlaces(places), data: {} },
  ]
}

async function next(
  ledger: RedisClient, streams: readonly Stream[], places: Places,
): Promise<LiveEvent[]> {
  const placeOf = (name: string): string => places.get(name) ?? STREAM_START
  // The entry at the place comes along: where it is gone, others may be gone as well.
  const found = await runMany(ledger, streams.map(({ name, key }) =>
    ['xrange', key, placeOf(name), '+', 'COUNT', READ_MAX + 1] as const)) as Entry[][]
  const isTrimmed = streams.some(({ name }, index) =>
    placeOf(name) !== STREAM_START && found[index]?.[0]?.[0] !== placeOf(name))
  const news = streams.flatMap(({ name, read }, index) => {
    const entries = (found[index] ?? []).filter(([id]) => id !== placeOf(name))
    let latest = 0
    // In a stream's own order, whatever the clocks said when its events happened.
    return entries.map((entry) => {
      const told = read(entry)
      latest = Math.max(latest, told?.at ?? 0)
      return { name, place: entry[0], told, latest }
    })
  })
  if (isTrimmed) {
    for (const [index, { name }] of streams.entries()) {
      if (found[index]?.[0]?.[0] !== placeOf(name)) places.set(name, STREAM_START)
    }
  }
  const events = news.toSorted((one, other) => one.latest - other.latest)
    .flatMap(({ name, place, told }): LiveEvent[] => {
      places.set(name, place)
      return told ? [{ type: told.type, id: writePlaces(places), data: told.data }] : []
    })
  return isTrimmed
    ? [{ type: 'reset', id: writePlaces(places), data: {} }, ...events] : events
}
