/** An account's entries of a month as CSV, with what each book was before and after it. */
import { isoTime } from '../clock.ts'
import { BOOKS, readEntries, type Entry, type ReadPlace } from './books.ts'
import { addLegs, balancesAt, lastBefore } from './closings.ts'
import { csvLine } from './csv.ts'

/** What an account's owner has: the platform's is the other side of it. */
const OWN = BOOKS.filter((book) => book !== 'platform')
const COLUMNS = ['at', 'entry', 'about', 'order_amount', 'bps', ...OWN, 'mode'] as const

/**
 * Its first and last line are the balances; amounts in fen. Reads the entries of its time, and
 * those from the last month that was closed before it: of all years at most once.
 */
export async function* statement(
  place: ReadPlace, account: string, { start, end }: { start: number, end: number },
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const sums = await balancesAt(place, account, start, signal)
  if (!sums) return
  const balanceLine = (at: number, entry: string): string =>
    csvLine([isoTime(at), entry, '', '', '', ...OWN.map((book) => sums[book]), place.mode])
  yield csvLine(COLUMNS)
  yield balanceLine(start, 'balance before')
  for await (const page of readEntries(place, account, String(start), lastBefore(end))) {
    for (const entry of page) addLegs(sums, entry)
    yield page.filter(({ legs }) => Object.keys(legs).length > 0).map(lineOf).join('')
  }
  yield balanceLine(end, 'balance after')
}

function lineOf({ id, at, legs, facts, mode }: Entry): string {
  const [, about = id, kind = ''] = /^(?:merge:[^:]+:)?(.*):([a-z]+)$/.exec(id) ?? []
  const isMerge = id.startsWith('merge:')
  return csvLine([isoTime(at), isMerge ? 'merged' : kind,
    isMerge ? String(facts['subject']) : about, text(facts['amount']), text(facts['bps']),
    ...OWN.map((book) => legs[book] ?? 0), mode])
}

const text = (value: unknown): string => (typeof value === 'number' ? String(value) : '')
