/** Holds an account's books of one mode against everything that must be true of them. */
import { modeOf, type Mode } from '../contract/money.ts'
import { ledger as keys } from '../redis/keys.ts'
import { valuesOf } from '../redis/replies.ts'
import {
  BOOKS, entryOf, readEntries, readRecords, type Book, type Entry, type ReadPlace,
} from './books.ts'
import { createSums, type Sums } from './audit-sums.ts'
import { closingsOf, placedAt, type Closing } from './closings.ts'
import {
  debtOf, isSubject, readJson, withdrawalField, type Commission, type Taker, type Withdrawal,
} from './records.ts'
import { commissionOf } from './terms.ts'

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

export interface Audit {
  readonly violations: readonly { invariant: keyof typeof EARNINGS_INVARIANTS, detail: string }[]
  readonly entries: number
  /** Something was posted meanwhile: look again, or believe only what is not `AT_REST`. */
  readonly hasMoved: boolean
}

/** A page of entries at a time: memory grows with withdrawals and debts, not with orders. */
export async function auditAccount(
  place: ReadPlace, account: string, onCommission: OnCommission = async () => {},
): Promise<Audit> {
  const found: { invariant: keyof typeof EARNINGS_INVARIANTS, detail: string }[] = []
  const bad: Bad = (invariant, detail) => { found.push({ invariant, detail }) }
  const start = await readHead(place, account)
  const sums = createSums()
  const closings = [...start.closings]
  for await (const page of readEntries(place, account, '-', start.last)) {
    for (const entry of page) {
      checkClosings(closings, sums, placedAt(entry), bad)
      addEntry(sums, entry, place.mode, bad)
    }
    await addRecords({ place, account, sums, bad, onCommission }, page)
  }
  checkClosings(closings, sums, Infinity, bad)
  compare(sums, start, bad)
  const end = await readHead(place, account)
  return { violations: found, entries: sums.entries, hasMoved: end.last !== start.last }
}

export type OnCommission =
  (commissions: readonly (readonly [subject: string, record: Commission])[]) => Promise<void>
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

async function readHead({ ledger, mode }: ReadPlace, account: string): Promise<Head> {
  const replies = valuesOf(await ledger.multi()
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
    last: last[0] ? entryOf(last[0]).place : '0-0',
    // One field counts the calls.
    length, posted: Math.max(0, posted - 1), balances, waiting, lots, debts,
    closings: closingsOf(closings),
  }
}

/** Those that end until `at`, with all entries before it in `sums`; each is looked at once. */
function checkClosings(closings: Closing[], sums: Sums, at: number, bad: Bad): void {
  for (let closing = closings[0]; closing && closing.end <= at; closing = closings[0]) {
    closings.shift()
    for (const book of BOOKS) {
      const [is, should] = [closing.balances[book], sums.books[book]]
      if (is === should) continue
      bad('closing', `${book} was closed at ${closing.end} with ${is}, and had ${should}`)
    }
  }
}

function addEntry(sums: Sums, { id, legs, mode }: Entry, of: Mode, bad: Bad): void {
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
  { place, account, sums, bad, onCommission }: {
    place: ReadPlace, account: string, sums: Sums, bad: Bad, onCommission: OnCommission,
  }, page: readonly Entry[],
): Promise<void> {
  const fields = page.flatMap(begunBy)
  const texts = await readRecords(place, account, fields)
  const commissions: [string, Commission][] = []
  for (const [index, field] of fields.entries()) {
    const text = texts[index]
    if (typeof text !== 'string') bad('once', `${field} has entries and no record`)
    else if (isSubject(field)) commissions.push([field, readJson<Commission>(text)])
    else if (field.startsWith('debt:')) addTaker(sums, field, readJson<Taker>(text))
    else addWithdrawal(sums, field, readJson<Withdrawal>(text), bad)
  }
  for (const [subject, record] of commissions) {
    addCommission(sums, subject, record, bad)
    if (modeOf(record.mode) !== place.mode) bad('mode', `${subject} is of ${record.mode}`)
  }
  await onCommission(commissions)
}

function begunBy({ id, facts }: Entry): string[] {
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

function addCommission(sums: Sums, subject: string, record: Commission, bad: Bad): void {
  const { state, amount, bps, commission, left = 0, takes = {} } = record
  if (state === 'pending' || state === 'confirmed') sums.states[state] += commission
  if (state === 'confirmed') sums.waiting += 1
  if (left > 0) sums.lots += 1
  sums.left += left
  let taken = 0
  for (const [taker, fen] of Object.entries(takes)) {
    taken += fen
    sums.takes.set(taker, (sums.takes.get(taker) ?? 0) + fen)
  }
  if (commission !== commissionOf(amount, bps)) {
    bad('commission', `${subject}: ${commission} is not ${bps} basis points of ${amount}`)
  }
  const whole = state === 'settled' ? left + taken === commission : left + taken <= commission
  if (!whole || left < 0) bad('lots', `${subject}: ${left} left and ${taken} taken`)
}

function addTaker(sums: Sums, field: string, { amount, missing }: Taker): void {
  sums.missing += missing
  if (missing > 0 && field.startsWith('debt:')) sums.debts += 1
  sums.has.set(field, amount - missing)
}

function addWithdrawal(sums: Sums, field: string, record: Withdrawal, bad: Bad): void {
  const { state, amount, missing } = record
  addTaker(sums, field, record)
  if (state === 'failed') sums.has.set(field, 0)
  if (state === 'returning') sums.has.set(field, -missing)
  if (state === 'requested' || state === 'exported') sums.reserved += amount
  if (state === 'paid') sums.paid += amount
  if (state !== 'paid' && state !== 'failed') sums.open += 1
  if (sums.open > 1) bad('payout', `${field} is not the only one that is open`)
}

function compare(sums: Sums, head: Head, bad: Bad): void {
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
  for (const [taker, fen] of sums.has) same('taken', taker, sums.takes.get(taker) ?? 0, fen)
  for (const taker of sums.takes.keys()) {
    if (!sums.has.has(taker)) bad('taken', `${taker} took and is not there`)
  }
}
