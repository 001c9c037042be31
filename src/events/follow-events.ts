/** Follows the events of an agent or an account while they happen. */
import { Refusal } from '../contract/errors.ts'
import { sleepUnless } from '../contract/time.ts'
import { isUnavailable } from '../redis/command-errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import { readWith } from '../redis/send.ts'
import {
  type EventAudience, type EventStream, type Positions, READ_MAX, readNext, readRecent,
  type StreamEntry, streamsOf,
} from './read-events.ts'

export interface Following {
  readonly ledger: RedisClient
  readonly audience: EventAudience
  /** Where to continue; without them the last entries of each stream come first. */
  readonly positions: Positions | undefined
  /** Of each stream, for a follower without positions. */
  readonly recent: number
  readonly signal: AbortSignal
  /** Checked now and then: the stream ends when its reader may no longer read. */
  readonly mayRead: () => Promise<boolean>
}

export interface FollowedBatch {
  readonly isFirst: boolean
  readonly isTrimmed: boolean
  readonly entries: readonly StreamEntry[]
  /** Moves on with each entry that `take` is called for. */
  readonly positions: Positions
}

/** Together with the time that events take to arrive, well under a second. */
const POLL_MS = 400
/** Polls without an event, after which an empty batch is given. */
const QUIET_POLLS = 10
/** Polls after which the account's agents, and whether it may be read, are read again. */
const AGENTS_POLLS = 5

/** Batches in their order, an empty one now and then; ends when Redis is unavailable. */
export async function* followEvents(following: Following): AsyncGenerator<FollowedBatch> {
  const { ledger, audience, positions: given, recent, signal, mayRead } = following
  const read = readWith(ledger)
  let positions: Positions = given ?? new Map()
  let streams: EventStream[] = []
  let quiet = 0
  try {
    for (let poll = 0; !signal.aborted && await mayRead(); poll += 1) {
      if (poll % AGENTS_POLLS === 0) streams = await streamsOf(ledger, audience)
      const isFirst = poll === 0 && given === undefined
      let batch: FollowedBatch
      if (isFirst) {
        const found = await readRecent(read, streams, recent)
        positions = found.positions
        batch = { isFirst, isTrimmed: false, entries: found.entries, positions }
      } else {
        const { entries, isTrimmed } = await readNext(read, streams, positions)
        batch = { isFirst, isTrimmed, entries: visible(entries, positions), positions }
      }
      const isQuiet = batch.entries.length === 0 && !batch.isFirst && !batch.isTrimmed
      quiet = isQuiet ? quiet + 1 : 0
      if (quiet % QUIET_POLLS === 0) yield batch
      if (batch.entries.length < READ_MAX) await sleepUnless(signal, POLL_MS)
    }
  } catch (error) {
    const isOver = error instanceof Refusal && error.error === 'unavailable'
    if (!isOver && !isUnavailable(error)) throw error
  }
}

/** Those that the reader may see; positions move over the others at once. */
function visible(
  entries: readonly (StreamEntry & { isHidden: boolean })[], positions: Positions,
): StreamEntry[] {
  if (entries.every(({ isHidden }) => isHidden)) {
    for (const { stream, id } of entries) positions.set(stream.name, id)
    return []
  }
  return entries.filter(({ isHidden }) => !isHidden)
}

/** Moves a reader's positions behind an entry. */
export const passEntry = (positions: Positions, { stream, id }: StreamEntry): void => {
  positions.set(stream.name, id)
}
