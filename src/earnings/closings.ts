/**
 * What each book held when a month ended, kept so that nobody reads the entries of years again. No
 * entry's place in the stream lies before an earlier one's, so a month that is over gets none.
 */
import { ledger as keys } from '../redis/keys.ts'
import { redisTimeMs } from '../redis/replies.ts'
import {
  BOOKS, readEntries, type Balances, type Book, type Entry, type ReadPlace,
} from './books.ts'
import { boundsOf, monthOf } from './month.ts'

/** Fen by book. */
export type Sums = Record<Book, number>

export interface Closing {
  /** The first moment after the month, ms. */
  readonly end: number
  readonly balances: Balances
}

/** For clocks of masters that differ, and for what a failover may still take back. */
const KEPT_MS = 86_400_000

const NOTHING: Sums =
  { platform: 0, pending: 0, confirmed: 0, withdrawable: 0, reserved: 0, paid: 0 }

/** By the time of its place: the ledger's clock, never back. */
export const placedAt = ({ place }: Entry): number => Number(place.split('-')[0])

export function addLegs(sums: Sums, { legs }: Entry): void {
  for (const book of BOOKS) sums[book] += legs[book] ?? 0
}

/** What was posted before `end`, ms, as a bound of `readEntries`. */
export const lastBefore = (end: number): string => String(Math.max(0, end - 1))

/**
 * The sum of all entries before `at`, ms. Begins at the last month that was closed before it, and
 * closes those that it passes and that are over for a day. Undefined when the signal was aborted.
 */
export async function balancesAt(
  place: ReadPlace, account: string, at: number, signal?: AbortSignal,
): Promise<Sums | undefined> {
  const last = (await readClosings(place, account)).findLast(({ end }) => end <= at)
  const sums = { ...NOTHING, ...last?.balances }
  const closings = new Map<string, string>()
  const close = (month: string | undefined): void => {
    if (month !== undefined) closings.set(month, JSON.stringify(sums))
  }
  let month: string | undefined
  const from = last ? String(last.end) : '-'
  for await (const page of readEntries(place, account, from, lastBefore(at))) {
    if (signal?.aborted) return undefined
    for (const entry of page) {
      const of = monthOf(placedAt(entry))
      if (of !== month) close(month)
      month = of
      addLegs(sums, entry)
    }
  }
  close(month)
  await keep(place, account, closings, at)
  return sums
}

async function keep(
  { ledger, mode }: ReadPlace, account: string, closings: ReadonlyMap<string, string>, at: number,
): Promise<void> {
  if (closings.size === 0) return
  const readBefore = Math.min(at, await redisTimeMs(ledger) - KEPT_MS)
  const over = [...closings].filter(([month]) => (boundsOf(month)?.end ?? Infinity) <= readBefore)
  if (over.length > 0) await ledger.hset(keys.closings(account, mode), ...over.flat())
}

/** The earliest first. */
export async function readClosings(
  { ledger, mode }: ReadPlace, account: string,
): Promise<Closing[]> {
  return closingsOf(await ledger.hgetall(keys.closings(account, mode)))
}

export const closingsOf = (fields: Readonly<Record<string, string>>): Closing[] =>
  Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([month, text]) => {
      const { end } = boundsOf(month) ?? {}
      return end === undefined ? [] : [{ end, balances: JSON.parse(text) as Balances }]
    })
