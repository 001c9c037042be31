/** An account's entries of a month as CSV, with what each book was before and after it. */
import { labelsOf } from '../accounts/ownership.ts'
import { isoTime } from '../contract/time.ts'
import { yuanNumber } from '../contract/money.ts'
import { BOOKS, readEntries, type Book, type Entry, type ReadPlace } from './books.ts'
import { addLegs, balancesAt, lastBefore } from './closings.ts'
import { csvLine, sheetText } from './csv.ts'
import { readCommissions } from './line-commissions.ts'
import { orderOf } from './records.ts'

/** What an account's owner has: the platform's is the other side of it. */
const OWN = BOOKS.filter((book) => book !== 'platform')
const COLUMNS = ['at', 'entry', 'about', 'order_amount', 'bps', ...OWN, 'mode'] as const
const SHEET_COLUMNS = ['at', 'entry', 'about', 'agent', 'agent_name', 'order_amount_yuan',
  'rate_percent', ...OWN.map((book) => `${book}_yuan`), 'mode']

interface Bounds {
  readonly start: number
  readonly end: number
}

interface Row {
  readonly at: number
  readonly entry: string
  /** Empty of a balance. */
  readonly about: string
  readonly amount?: number | undefined
  readonly bps?: number | undefined
  readonly books: Readonly<Partial<Record<Book, number>>>
}

/** Amounts in fen, for programs. */
export async function* statement(
  place: ReadPlace, account: string, bounds: Bounds, signal?: AbortSignal,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const rows of rowsOf(place, account, bounds, signal)) {
    yield rows.map(({ at, entry, about, amount = '', bps = '', books }) => csvLine([
      isoTime(at), entry, about, amount, bps, ...OWN.map((book) => books[book] ?? 0), place.mode,
    ])).join('')
  }
}

/** Amounts in yuan and agents by name, for people and their spreadsheets. */
export async function* statementSheet(
  place: ReadPlace, account: string, bounds: Bounds, signal?: AbortSignal,
): AsyncGenerator<string> {
  const { ledger, mode } = place
  yield csvLine(SHEET_COLUMNS)
  for await (const rows of rowsOf(place, account, bounds, signal)) {
    const agents = (await readCommissions(ledger, account,
      rows.map(({ about: subject }) => ({ subject, mode })))).map((record) => record?.agent)
    const names = await labelsOf(ledger, agents.filter((agent) => agent !== undefined))
    yield rows.map(({ at, entry, about, amount, bps, books }, index) => csvLine([
      isoTime(at), entry, orderOf(about), agents[index] ?? '',
      sheetText(names.get(agents[index] ?? '') ?? ''),
      amount === undefined ? '' : yuanNumber(amount), bps === undefined ? '' : bps / 100,
      ...OWN.map((book) => yuanNumber(books[book] ?? 0)), mode,
    ])).join('')
  }
}

/**
 * The first and the last are the balances. Reads the entries of its time, and those from the last
 * month that was closed before it: of all years at most once.
 */
async function* rowsOf(
  place: ReadPlace, account: string, { start, end }: Bounds, signal: AbortSignal | undefined,
): AsyncGenerator<Row[]> {
  const sums = await balancesAt(place, account, start, signal)
  if (!sums) return
  yield [{ at: start, entry: 'balance before', about: '', books: { ...sums } }]
  for await (const page of readEntries(place, account, String(start), lastBefore(end))) {
    for (const entry of page) addLegs(sums, entry)
    yield page.filter(({ legs }) => Object.keys(legs).length > 0).map(rowOf)
  }
  yield [{ at: end, entry: 'balance after', about: '', books: { ...sums } }]
}

function rowOf({ id, at, legs, facts }: Entry): Row {
  const [, about = id, kind = ''] = /^(?:merge:[^:]+:)?(.*):([a-z]+)$/.exec(id) ?? []
  const isMerge = id.startsWith('merge:')
  return {
    at, entry: isMerge ? 'merged' : kind, about: isMerge ? String(facts['subject']) : about,
    amount: numberOf(facts['amount']), bps: numberOf(facts['bps']), books: legs,
  }
}

const numberOf = (value: unknown): number | undefined =>
  (typeof value === 'number' ? value : undefined)
