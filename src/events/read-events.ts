/**
 * The one reader of what leaves the service: the streams of an agent or of an account, merged by
 * time. A reader keeps the position behind the last entry of each, and goes on from there on any
 * node.
 */
import { agentsOf } from '../accounts/agent-records.ts'
import type { Mode } from '../contract/money.ts'
import { measures } from '../measures.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { fieldsOf } from '../redis/replies.ts'
import { type Read, readWith } from '../redis/send.ts'
import { type RawEntry, STREAM_START } from '../redis/streams.ts'

export interface EventStream {
  /** Short, for positions. */
  readonly name: string
  readonly key: string
  readonly kind: 'feed' | 'clicks' | 'books'
  /** The agent, or the account. */
  readonly owner: string
  readonly mode?: Mode
  /** Of books: only what is about this agent. */
  readonly onlyAgent?: string
}

export interface StreamEntry {
  readonly stream: EventStream
  /** Its place in the stream. */
  readonly id: string
  /** When it happened, ms. */
  readonly at: number
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly entry: RawEntry
}

/** The last entry read of each stream, by the stream's name. */
export type Positions = Map<string, string>

/** Whose events: an agent's own, or those of an account and all its agents. */
export interface EventAudience {
  readonly account: string
  /** Undefined: the account's. */
  readonly agent?: string | undefined
  /** Which of its books. */
  readonly mode: Mode
}

export const READ_MAX = 100
const POSITIONS_LENGTH_MAX = 4096
const POSITION = /^((?:el?|[foc]:[\w-]{1,70}))=(\d{1,15}-\d{1,10})$/
/** Short names of the books' streams. */
const ENTRIES_OF = { sandbox: 'e', live: 'el' } as const satisfies Record<Mode, string>

/** The streams of whose events these are, as they are now. */
export async function streamsOf(
  ledger: RedisClient, audience: EventAudience,
): Promise<EventStream[]> {
  const { account, agent, mode } = audience
  const agents = agent === undefined ? await agentsOf(ledger, account) : [agent]
  return [
    {
      name: ENTRIES_OF[mode], key: keys.entries(account, mode), kind: 'books', owner: account,
      mode, ...(agent !== undefined && { onlyAgent: agent }),
    },
    ...(agent === undefined
      ? [{ name: `f:${account}`, key: keys.feed(account), kind: 'feed', owner: account } as const]
      : []),
    ...agents.flatMap((one): EventStream[] => [
      { name: `o:${one}`, key: keys.feed(one), kind: 'feed', owner: one },
      { name: `c:${one}`, key: keys.clicks(one), kind: 'clicks', owner: one },
    ]),
  ]
}

/** Undefined where the text is not one of ours. */
export function parsePositions(text: string): Positions | undefined {
  if (text.length > POSITIONS_LENGTH_MAX) return undefined
  const found = text.split('~').map((part) => POSITION.exec(part))
  return found.every((match) => match !== null)
    ? new Map(found.map((match) => [match[1] ?? '', match[2] ?? ''])) : undefined
}

export const formatPositions = (positions: Positions): string =>
  [...positions].map(([name, id]) => `${name}=${id}`).join('~')

const entryOf = (stream: EventStream) => (entry: RawEntry): StreamEntry => {
  const fields = fieldsOf(entry[1])
  // By a time that is none nothing could be put in order.
  const at = Number(fields['at']) || Number(entry[0].split('-')[0])
  return { stream, id: entry[0], at, fields, entry }
}

/** Nothing of an entry that cannot be read: it is counted, and holds up none that follow. */
export function unlessUnreadable<T>({ stream: { kind } }: StreamEntry, read: () => T) {
  try {
    return read()
  } catch {
    measures.unreadableEntries.add(kind)
    return undefined
  }
}

const isOwn = (entry: StreamEntry): boolean => {
  const { stream: { onlyAgent }, fields } = entry
  return onlyAgent === undefined
    || unlessUnreadable(entry, () => agentOfPosting(fields['facts'])) === onlyAgent
}

const agentOfPosting = (facts = '{}'): unknown =>
  (JSON.parse(facts) as { agent?: unknown }).agent

/** The last entries of each stream by time, and the positions behind them. */
export async function readRecent(
  read: Read, streams: readonly EventStream[], count: number,
): Promise<{ entries: StreamEntry[], positions: Positions }> {
  const found = await Promise.all(streams.map(async ({ key }) =>
    await read('xrevrange', key, '+', '-', 'COUNT', count) as RawEntry[]))
  const positions: Positions = new Map()
  const entries = streams.flatMap((stream, index) => {
    positions.set(stream.name, found[index]?.[0]?.[0] ?? STREAM_START)
    return (found[index] ?? []).map(entryOf(stream)).filter(isOwn)
  })
  return { entries: entries.toSorted((one, other) => one.at - other.at), positions }
}

export interface NextEntries {
  /** By time. Whoever takes one moves the position of its stream to it. */
  readonly entries: readonly (StreamEntry & { readonly isHidden: boolean })[]
  /** Entries were trimmed before they were read: later ones may be lost, too. */
  readonly isTrimmed: boolean
}

/** What follows the positions. Those that were trimmed are set back to the beginning. */
export async function readNext(
  read: Read, streams: readonly EventStream[], positions: Positions, count = READ_MAX,
): Promise<NextEntries> {
  const positionOf = (name: string): string => positions.get(name) ?? STREAM_START
  // Read with the entry at the position: where that was trimmed, later ones may be lost, too.
  const found = await Promise.all(streams.map(async ({ name, key }) =>
    await read('xrange', key, positionOf(name), '+', 'COUNT', count + 1) as RawEntry[]))
  let isTrimmed = false
  const news = streams.flatMap((stream, index) => {
    const { name } = stream
    const entries = found[index] ?? []
    const isLost = positionOf(name) !== STREAM_START && entries[0]?.[0] !== positionOf(name)
    const fresh = entries.filter(([id]) => id !== positionOf(name)).map(entryOf(stream))
    if (isLost) positions.set(name, STREAM_START)
    isTrimmed ||= isLost
    let latest = 0
    // In the stream's own order, whatever the clocks of their writers were.
    return fresh.map((one) => {
      latest = Math.max(latest, one.at)
      return { ...one, isHidden: !isOwn(one), latest }
    })
  })
  return { entries: news.toSorted((one, other) => one.latest - other.latest), isTrimmed }
}

/** The same, of what no failover takes back; asks replicas only where there is something new. */
export async function readNextDurably(
  { ledger, durable }: { ledger: RedisClient, durable: { readonly read: Read } },
  streams: readonly EventStream[], positions: Positions, count = READ_MAX,
): Promise<NextEntries> {
  const look = await readNext(readWith(ledger), streams, new Map(positions), 1)
  return look.entries.length === 0 && !look.isTrimmed ? look
    : await readNext(durable.read, streams, positions, count)
}
