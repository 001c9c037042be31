/** Holds an account's books of one mode against everything that must be true of them. */
import { modeOf, type Mode } from '../contract/money.ts'
import { ledger as keys } from '../redis/keys.ts'
import { replyValues } from '../redis/replies.ts'
import {
  bookEntryOf, BOOKS, closingsOf, entryTimeOf, readBookEntries, readRecords, type Book,
  type BookEntry, type Closing, type EarningsReader,
} from './books.ts'
import {
  commissionOf, debtOf, isSubject, readJson, withdrawalField, type Claimant, type CommissionRecord,
  type WithdrawalRecord,
} from './records.ts'

export const EARNINGS_INVARIANTS = {
  legs: 'The legs of every entry sum to zero.',
  balance: 'The balance of every book is the sum of its entries.',
  closing: 'What a month was closed with is the sum of the entries until its end.',
  once: 'Every entry is there once.',
  mode: 'Every entry and every commission is of the mode of its books.',
  book: 'No book is below zero, but platform and, by what is owed, withdrawable.',
  commission: 'A commission is the floor of its order\'s amount times its rate.',
  state: 'The books pending and confirmed are the sums of the commissions in that state.',
  lots: 'What is left of all lots is withdrawable and what withdrawals and debts still miss.',
  taken: 'What a withdrawal or a debt has is what lots say that it took.',
  payout: 'Open withdrawals are what is reserved, paid ones what is paid; one is open at most.',
} as const

/** Sums over records, which are read one after the other: for books at rest alone. */
export const AT_REST: ReadonlySet<string> = new Set(['state', 'lots', 'taken', 'payout'])

interface Audit {
  readonly violations: readonly { invariant: keyof typeof EARNINGS_INVARIANTS, detail: string }[]
  readonly entries: number
  /** Something was posted meanwhile: look again, or believe only what is not `AT_REST`. */
  readonly hasMoved: boolean
}

/** A page of entries at a time: memory grows with withdrawals and debts, not with orders. */
export async function auditAccount(
  store: EarningsReader, account: string, onCommission: OnCommission = async () => {},
): Promise<Audit> {
  const found: { invariant: keyof typeof EARNINGS_INVARIANTS, detail: string }[] = []
  const bad: Bad = (invariant, detail) => { found.push({ invariant, detail }) }
  const start = await readHead(store, account)
  const sums = createSums()
  const closings = [...start.closings]
  for await (const page of readBookEntries(store, account, '-', start.last)) {
    for (const entry of page) {
      checkClosings(closings, sums, entryTimeOf(entry), bad)
      addEntry(sums, entry, store.mode, bad)
    }
    await addRecords({ store, account, sums, bad, onCommission }, page)
  }
  checkClosings(closings, sums, Infinity, bad)
  compare(sums, start, bad)
  const end = await readHead(store, account)
  return { violations: found, entries: sums.entries, hasMoved: end.last !== start.last }
}

export type OnCommission =
  (commissions: readonly (readonly [subject: string, record: CommissionRecord])[]) => Promise<void>
type Bad = (invariant: keyof typeof EARNINGS_INVARIANTS, detail: string) => void

interface Head {
  readonly last: string
  readonly length: number
  readonly posted: number
  readonly balances: Readonly<Record<string, string>>
  readonly waiting: number
  readonly lots: number
  readonly debts: number
  readonly closings: readonly Closing[]
}

async function readHead({ ledger, mode }: EarningsReader, account: string): Promise<Head> {
  const replies = replyValues(await ledger.multi()
    .xrevrange(keys.entries(account, mode), '+', '-', 'COUNT', 1)
    .xlen(keys.entries(account, mode))
    .hlen(keys.posted(account, mode))
    .hgetall(keys.balances(account, mode))
    .zcard(keys.confirmed(account, mode))
    .zcard(keys.lots(account, mode))
    .zcard(keys.debts(account, mode))
    .hgetall(keys.closings(account, mode))
    .exec())
  const [last, length, posted, balances, waiting, lots, debts, closings] = replies as [
    [string, string[]][], number, number, Record<string, string>, number, number, number,
    Record<string, string>]
  return {
    last: last[0] ? bookEntryOf(last[0]).streamId : '0-0',
    // One field counts the calls.
    length, posted: Math.max(0, posted - 1), balances, waiting, lots, debts,
    closings: closingsOf(closings),
  }
}

/** Those that end until `at`, with all entries before it in `sums`; each is looked at once. */
function checkClosings(closings: Closing[], sums: AuditSums, at: number, bad: Bad): void {
  for (let closing = closings[0]; closing && closing.end <= at; closing = closings[0]) {
    closings.shift()
    for (const book of BOOKS) {
      const [is, should] = [closing.balances[book], sums.books[book]]
      if (is === should) continue
      bad('closing', `${book} was closed at ${closing.end} with ${is}, and had ${should}`)
    }
  }
}

function addEntry(sums: AuditSums, { id, legs, mode }: BookEntry, of: Mode, bad: Bad): void {
  sums.entries += 1
  if (mode !== of) bad('mode', `${id} is an entry of ${mode}`)
  let sum = 0
  for (const [book, fen] of Object.entries(legs)) {
    sum += fen
    sums.books[book as Book] += fen
  }
  if (sum !== 0) bad('legs', `${id} sums to ${sum}`)
}

/** Each record was begun by exactly one entry, by which it is found. */
async function addRecords(
  { store, account, sums, bad, onCommission }: {
    store: EarningsReader, account: string, sums: AuditSums, bad: Bad, onCommission: OnCommission,
  }, page: readonly BookEntry[],
): Promise<void> {
  const fields = page.flatMap(begunBy)
  const texts = await readRecords(store, account, fields)
  const commissions: [string, CommissionRecord][] = []
  for (const [index, field] of fields.entries()) {
    const text = texts[index]
    if (typeof text !== 'string') bad('once', `${field} has entries and no record`)
    else if (isSubject(field)) commissions.push([field, readJson<CommissionRecord>(text)])
    else if (field.startsWith('debt:')) addClaimant(sums, field, readJson<Claimant>(text))
    else addWithdrawal(sums, field, readJson<WithdrawalRecord>(text), bad)
  }
  for (const [subject, record] of commissions) {
    addCommission(sums, subject, record, bad)
    if (modeOf(record.mode) !== store.mode) bad('mode', `${subject} is of ${record.mode}`)
  }
  await onCommission(commissions)
}

function begunBy({ id, facts }: BookEntry): string[] {
  const [, subject = '', kind] = /^(.*):([a-z]+)$/.exec(id) ?? []
  // What arrived from a trial is begun here by that; what left for an account was begun before.
  if (typeof facts['from'] === 'string') return [String(facts['subject'])]
  if (typeof facts['to'] === 'string') return []
  if (isSubject(subject)) {
    if (kind === 'pending' || kind === 'void') return [subject]
    return kind === 'reversed' && Number(facts['owed']) > 0 ? [debtOf(subject)] : []
  }
  return kind === 'requested' ? [withdrawalField(String(facts['withdrawal']))] : []
}

function addCommission(sums: AuditSums, subject: string, record: CommissionRecord, bad: Bad): void {
  const { state, amount, bps, commission, left = 0, takes = {} } = record
  if (state === 'pending' || state === 'confirmed') sums.states[state] += commission
  if (state === 'confirmed') sums.waiting += 1
  if (left > 0) sums.lots += 1
  sums.left += left
  let taken = 0
  for (const [claimant, fen] of Object.entries(takes)) {
    taken += fen
    sums.takes.set(claimant, (sums.takes.get(claimant) ?? 0) + fen)
  }
  if (commission !== commissionOf(amount, bps)) {
    bad('commission', `${subject}: ${commission} is not ${bps} basis points of ${amount}`)
  }
  const whole = state === 'settled' ? left + taken === commission : left + taken <= commission
  if (!whole || left < 0) bad('lots', `${subject}: ${left} left and ${taken} taken`)
}

function addClaimant(sums: AuditSums, field: string, { amount, missing }: Claimant): void {
  sums.missing += missing
  if (missing > 0 && field.startsWith('debt:')) sums.debts += 1
  sums.has.set(field, amount - missing)
}

function addWithdrawal(sums: AuditSums, field: string, record: WithdrawalRecord, bad: Bad): void {
  const { state, amount, missing } = record
  addClaimant(sums, field, record)
  if (state === 'failed') sums.has.set(field, 0)
  if (state === 'returning') sums.has.set(field, -missing)
  if (state === 'requested' || state === 'exported') sums.reserved += amount
  if (state === 'paid') sums.paid += amount
  if (state !== 'paid' && state !== 'failed') sums.open += 1
  if (sums.open > 1) bad('payout', `${field} is not the only one that is open`)
}

function compare(sums: AuditSums, head: Head, bad: Bad): void {
  const balance = (book: Book): number => Number(head.balances[book] ?? 0)
  const same = (invariant: Parameters<Bad>[0], what: string, is: number, should: number): void => {
    if (is !== should) bad(invariant, `${what} is ${is}, and should be ${should}`)
  }
  for (const book of BOOKS) {
    same('balance', book, balance(book), sums.books[book])
    if (balance(book) < 0 && book !== 'platform' && book !== 'withdrawable') {
      bad('book', `${book} is ${balance(book)}`)
    }
  }
  same('once', 'the number of ids', head.posted, head.length)
  same('once', 'the number of entries', sums.entries, head.length)
  same('state', 'pending', balance('pending'), sums.states.pending)
  same('state', 'confirmed', balance('confirmed'), sums.states.confirmed)
  same('state', 'waiting for settlement', head.waiting, sums.waiting)
  same('lots', 'what is left', sums.left, balance('withdrawable') + sums.missing)
  same('lots', 'the number of lots', head.lots, sums.lots)
  same('lots', 'the number of debts', head.debts, sums.debts)
  same('payout', 'reserved', balance('reserved'), sums.reserved)
  same('payout', 'paid', balance('paid'), sums.paid)
  for (const [claimant, fen] of sums.has) {
    same('taken', claimant, sums.takes.get(claimant) ?? 0, fen)
  }
  for (const claimant of sums.takes.keys()) {
    if (!sums.has.has(claimant)) bad('taken', `${claimant} took and is not there`)
  }
}

interface AuditSums {
  entries: number
  readonly books: Record<Book, number>
  readonly states: { pending: number, confirmed: number }
  /** Commissions that wait for settlement, lots with something left, debts that are not paid. */
  waiting: number
  lots: number
  debts: number
  /** Of all lots; and what claimants do not have yet. */
  left: number
  missing: number
  reserved: number
  paid: number
  /** Withdrawals that are neither paid nor failed. */
  open: number
  /** By claimant: what lots say that it took, and what it says itself. */
  readonly takes: Map<string, number>
  readonly has: Map<string, number>
}

const createSums = (): AuditSums => ({
  entries: 0,
  books: { platform: 0, pending: 0, confirmed: 0, withdrawable: 0, reserved: 0, paid: 0 },
  states: { pending: 0, confirmed: 0 },
  waiting: 0, lots: 0, debts: 0, left: 0, missing: 0, reserved: 0, paid: 0, open: 0,
  takes: new Map(),
  has: new Map(),
})
