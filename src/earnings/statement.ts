/** An account's entries of a month as CSV, with what each book was before and after it. */
import { labelsOf } from '../accounts/agent-records.ts'
import { isoTime } from '../contract/time.ts'
import { yuanNumber } from '../contract/money.ts'
import {
  addLegs, balancesAt, BOOKS, lastBefore, readBookEntries, type Book, type BookEntry,
  type EarningsReader,
} from './books.ts'
import { dayKeyOf, isSubject, orderOfSubject, readCommissions } from './records.ts'

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
  store: EarningsReader, account: string, bounds: Bounds, signal?: AbortSignal,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for await (const rows of rowsOf(store, account, bounds, signal)) {
    yield rows.map(({ at, entry, about, amount = '', bps = '', books }) => csvLine([
      isoTime(at), entry, about, amount, bps, ...OWN.map((book) => books[book] ?? 0), store.mode,
    ])).join('')
  }
}

/** Amounts in yuan and agents by name, for people and their spreadsheets. */
export async function* statementSheet(
  store: EarningsReader, account: string, bounds: Bounds, signal?: AbortSignal,
): AsyncGenerator<string> {
  const { ledger, mode } = store
  yield csvLine(SHEET_COLUMNS)
  for await (const rows of rowsOf(store, account, bounds, signal)) {
    const agents = (await readCommissions(ledger, account,
      rows.map(({ about: subject }) => ({ subject, mode })))).map((record) => record?.agent)
    const names = await labelsOf(ledger, agents.filter((agent) => agent !== undefined))
    yield rows.map(({ at, entry, about, amount, bps, books }, index) => csvLine([
      isoTime(at), entry, orderOfSubject(about), agents[index] ?? '',
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
  store: EarningsReader, account: string, { start, end }: Bounds, signal: AbortSignal | undefined,
): AsyncGenerator<Row[]> {
  const sums = await balancesAt(store, account, start, signal)
  if (!sums) return
  yield [{ at: start, entry: 'balance before', about: '', books: { ...sums } }]
  for await (const page of readBookEntries(store, account, String(start), lastBefore(end))) {
    for (const entry of page) addLegs(sums, entry)
    yield page.filter(({ legs }) => Object.keys(legs).length > 0).map(rowOf)
  }
  yield [{ at: end, entry: 'balance after', about: '', books: { ...sums } }]
}

function rowOf({ id, at, legs, facts }: BookEntry): Row {
  const [, about = id, kind = ''] = /^(?:merge:[^:]+:)?(.*):([a-z]+)$/.exec(id) ?? []
  const isMerge = id.startsWith('merge:')
  return {
    at, entry: isMerge ? 'merged' : kind, about: isMerge ? String(facts['subject']) : about,
    amount: numberOf(facts['amount']), bps: numberOf(facts['bps']), books: legs,
  }
}

const numberOf = (value: unknown): number | undefined =>
  (typeof value === 'number' ? value : undefined)

interface DescribedEntry {
  readonly type: 'commission' | 'withdrawal'
  readonly at: number
  readonly data: {
    readonly at: string
    /** What became of it, such as `pending` or `paid`. */
    readonly kind: string
    /** The order, the platform's line, or the withdrawal. */
    readonly about: string
    readonly source?: string
    /** Fen by book. */
    readonly changes: Readonly<Record<string, number>>
  }
}

const MERGED = /^merge:[^:]+:(.+)$/
const WITHDRAWAL = 'withdrawal:'

/** Undefined for what changes nothing of the owner's. */
export function describeEntry({ id, at, legs }: BookEntry): DescribedEntry | undefined {
  const { platform: _counter, ...changes } = legs
  if (Object.keys(changes).length === 0) return undefined
  const merged = MERGED.exec(id)?.[1]
  const cut = id.lastIndexOf(':')
  const [subject, kind] = merged === undefined ? [id.slice(0, cut), id.slice(cut + 1)]
    : [merged, 'merged']
  const told = { at: isoTime(at), kind, changes }
  if (subject.startsWith(WITHDRAWAL)) {
    return { type: 'withdrawal', at, data: { ...told, about: subject.slice(WITHDRAWAL.length) } }
  }
  if (!isSubject(subject)) return undefined
  const { source } = dayKeyOf(subject, {})
  return { type: 'commission', at, data: { ...told, source, about: orderOfSubject(subject) } }
}

/** One record of a CSV file. */
export const csvLine = (values: readonly (string | number)[]): string =>
  `${values.map(cell).join(',')}\n`

/** So that a spreadsheet shows a name or title, and does not compute it. */
export const sheetText = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Without it spreadsheets take a file for one in the code of their country. */
export const BYTE_ORDER_MARK = '\uFEFF'

function cell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
