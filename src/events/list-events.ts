/** The feed: a page of events behind a cursor, waited for where there is none yet. */
import { Refusal } from '../contract/errors.ts'
import { monotonicMs, sleepUnless } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { readWith } from '../redis/send.ts'
import { type AgentEvent, matchesTypes } from './catalogue.ts'
import { eventOf } from './describe.ts'
import {
  type EventAudience, formatPositions, parsePositions, type Positions, READ_MAX, readNextDurably,
  readRecent, type StreamEntry, streamsOf,
} from './read-events.ts'

export interface EventQuery {
  /** A cursor, or `latest`; without one from the oldest that is kept. */
  readonly after?: string | undefined
  /** Names and families; everything without them. */
  readonly types?: readonly string[] | undefined
  readonly limit: number
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
}

export interface EventPage {
  readonly events: readonly AgentEvent[]
  readonly next_cursor: string
  readonly has_more: boolean
  /** Events before these were dropped before they were read. */
  readonly is_trimmed: boolean
}

export interface FeedStores {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'read'>
}

export const LATEST = 'latest'
const POLL_MS = 400
const AGENTS_POLLS = 5

export const feedCursorOf = (positions: Positions): string =>
  Buffer.from(formatPositions(positions)).toString('base64url')

/** Refuses what is none of ours. */
export function positionsOf(cursor: string, path = 'after'): Positions {
  const positions = parsePositions(Buffer.from(cursor, 'base64url').toString())
  if (positions) return positions
  throw new Refusal('invalid_request', {
    fields: [{ path, problem: 'must be one that an answer gave' }],
  })
}

export async function latestPositions(
  { ledger }: Pick<FeedStores, 'ledger'>, audience: EventAudience,
): Promise<Positions> {
  const streams = await streamsOf(ledger, audience)
  return (await readRecent(readWith(ledger), streams, 1)).positions
}

export async function readEventPage(
  stores: FeedStores, audience: EventAudience,
  { after, types = ['*'], limit, waitMs, signal = new AbortController().signal }: EventQuery,
): Promise<EventPage> {
  const positions = after === undefined ? new Map<string, string>()
    : after === LATEST ? await latestPositions(stores, audience) : positionsOf(after)
  const end = monotonicMs() + waitMs
  let streams = await streamsOf(stores.ledger, audience)
  for (let poll = 1; ; poll += 1) {
    const { entries, isTrimmed } = await readNextDurably(stores, streams, positions)
    const events = takeEvents(entries, positions, types, limit)
    const left = end - monotonicMs()
    if (events.length > 0 || isTrimmed || left <= 0 || signal.aborted) {
      return {
        events, next_cursor: feedCursorOf(positions), is_trimmed: isTrimmed,
        has_more: events.length >= limit || entries.length >= READ_MAX,
      }
    }
    if (entries.length < READ_MAX) await sleepUnless(signal, Math.min(POLL_MS, left))
    if (poll % AGENTS_POLLS === 0) streams = await streamsOf(stores.ledger, audience)
  }
}

/** Up to `limit` of those that were asked for; positions move behind what was looked at. */
export function takeEvents(
  entries: readonly (StreamEntry & { readonly isHidden: boolean })[], positions: Positions,
  types: readonly string[], limit: number,
): AgentEvent[] {
  const events: AgentEvent[] = []
  for (const entry of entries) {
    if (events.length >= limit) break
    positions.set(entry.stream.name, entry.id)
    const event = entry.isHidden ? undefined : eventOf(entry)
    if (event && matchesTypes(types, event.type)) events.push(event)
  }
  return events
}
