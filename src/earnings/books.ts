/**
 * An account's books. Every change goes through one script: entries are appended once by their id,
 * their legs sum to zero, and the records they are about change in the same call, if they still
 * are what the caller read.
 */
import { nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import { modeOf, type Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { fieldsOf, redisTimeMs } from '../redis/replies.ts'
import { defineScript } from '../redis/script.ts'
import { tallyFields, type DayTally } from './days.ts'
import { noteAccount } from './listed-accounts.ts'
import { dayOf, monthBounds, monthOf } from './month.ts'

export const BOOKS =
  ['platform', 'pending', 'confirmed', 'withdrawable', 'reserved', 'paid'] as const
export type Book = (typeof BOOKS)[number]

/** Fen that each book gains; together zero. */
export type Legs = Partial<Record<Book, number>>

/** A sorted set's member with its score; `now` is the ledger's time, null takes it out. */
export type IndexChange = readonly [member: string, score: number | 'now' | null]

export type RecordChange =
  readonly [field: string, before: string | null, after: string | null]

export interface Posting {
  /** `subject:kind`: posted once. */
  readonly id: string
  readonly legs?: Legs
  /** Kept with the entry. */
  readonly facts?: object
  /** Each as it was read, null where there was none, and as it will be. */
  readonly records?: readonly RecordChange[]
  /** Only while these are the account's terms; later changes count after this payment, ms. */
  readonly rate?: { readonly terms: string, readonly paidAt: number }
  /** Only if withdrawable is not below zero afterwards. */
  readonly isSolvent?: boolean
  /** Only while the account is not closed: decided in the same step as its closing. */
  readonly isOwned?: boolean
  readonly confirmed?: readonly IndexChange[]
  readonly lots?: readonly IndexChange[]
  readonly debts?: readonly IndexChange[]
  /** What the day of the posting gains by it. */
  readonly tally?: DayTally
  /** Its id, to be listed at this moment. */
  readonly withdrawal?: string
}

/**
 * `known` was posted before, `stale` found other records or terms than the caller read, `short`
 * would have brought a book below zero, `closed` needs an account that is not; only `posted`
 * changed anything.
 */
type PostCode = 'posted' | 'known' | 'stale' | 'short' | 'closed'

type PostResult =
  { readonly codes: readonly PostCode[], readonly mergedInto?: undefined }
  | { readonly mergedInto: string, readonly codes?: undefined }

/** The books of one mode; nothing here reads or changes those of the other. */
export interface EarningsReader {
  readonly ledger: RedisClient
  readonly mode: Mode
}

export interface EarningsStore extends EarningsReader {
  readonly durable: Pick<Durable, 'run' | 'read'>
}

const earningsPost = defineScript('earnings-post',
  ['account', 'entries', 'posted', 'balances', 'records', 'confirmed', 'lots', 'debts',
    'withdrawals', 'days'],
  ['postings', 'leaving', 'mode'],
  ([code, ...rest]: [string, ...string[]]): PostResult => {
    if (code === 'merged') return { mergedInto: rest[0] as string }
    if (rest.includes('unbalanced')) throw new Error('legs do not sum to zero')
    return { codes: rest as PostCode[] }
  })

/** With no postings it still writes, so that what was read before is as durable as a write. */
export async function postEntries(
  { durable, mode }: Pick<EarningsStore, 'durable' | 'mode'>, account: string,
  postings: readonly Posting[],
  leaving = '',
): Promise<PostResult> {
  const day = dayOf(nowMs())
  const month = day.slice(0, 7)
  const isEarning = postings.some(({ confirmed }) => confirmed?.some(([, score]) => score !== null))
  const isWithdrawal = postings.some(({ withdrawal }) => withdrawal !== undefined)
  // Before it: who settles or pays out a month looks at the accounts that are noted.
  if (isEarning) await noteAccount({ durable, mode }, 'earners', account, month)
  if (isWithdrawal) await noteAccount({ durable, mode }, 'withdrawals', account, month)
  return await durable.run(earningsPost, {
    account: keys.account(account),
    entries: keys.entries(account, mode),
    posted: keys.posted(account, mode),
    balances: keys.balances(account, mode),
    records: keys.records(account, mode),
    confirmed: keys.confirmed(account, mode),
    lots: keys.lots(account, mode),
    debts: keys.debts(account, mode),
    withdrawals: keys.withdrawals(account, mode),
    days: keys.earnedDays(account, month, mode),
  }, { postings: JSON.stringify(postings.map((posting) => wireOf(posting, day))), leaving, mode })
}

function wireOf(posting: Posting, day: string): object {
  const { id, legs = {}, facts = {}, records = [], isSolvent, isOwned, ...rest } = posting
  const { confirmed, lots, debts, withdrawal, tally, rate } = rest
  return {
    id,
    legs: legsText(legs),
    facts: JSON.stringify(facts),
    records: records.map(([field, before, after]) => [field, before ?? false, after ?? false]),
    ...(rate && { rate: [rate.terms, rate.paidAt] }),
    ...(isSolvent && { solvent: true }),
    ...(isOwned && { owned: true }),
    ...(confirmed && { confirmed: confirmed.map(changeOf) }),
    ...(lots && { lots: lots.map(changeOf) }),
    ...(debts && { debts: debts.map(changeOf) }),
    ...(withdrawal !== undefined && { withdrawal }),
    ...(tally && { tally: tallyFields(tally, day) }),
  }
}

const changeOf = ([member, score]: IndexChange): readonly unknown[] =>
  [member, score === 'now' ? true : score ?? false]

const legsText = (legs: Legs): string =>
  Object.entries(legs).map(([book, fen]) => `${book}:${fen}`).join(' ')

const readLegs = (text: string): Legs => Object.fromEntries(
  text.split(' ').filter(Boolean).map((leg) => {
    const [book = '', fen] = leg.split(':')
    return [book, Number(fen)]
  }))

export interface BookEntry {
  /** Its id in the stream: reading goes on after it. */
  readonly streamId: string
  readonly id: string
  /** Milliseconds, Redis's clock. */
  readonly at: number
  readonly legs: Legs
  readonly facts: Readonly<Record<string, unknown>>
  readonly mode: Mode
}

const PAGE = 1000

/** Oldest first, from one id or time to another, in batches. */
export async function* readBookEntries(
  { ledger, mode }: EarningsReader, account: string, from = '-', to = '+',
): AsyncGenerator<BookEntry[]> {
  for (let start = from; ;) {
    const found = await ledger.xrange(keys.entries(account, mode), start, to, 'COUNT', PAGE)
    if (found.length > 0) yield found.map(bookEntryOf)
    if (found.length < PAGE) return
    start = `(${found.at(-1)?.[0] ?? ''}`
  }
}

/** Undefined when nothing was posted by that id. */
export async function findEntry(
  { ledger, mode }: EarningsReader, account: string, id: string,
): Promise<BookEntry | undefined> {
  const streamId = await ledger.hget(keys.posted(account, mode), id)
  if (streamId === null) return undefined
  const [entry] =
    await ledger.xrange(keys.entries(account, mode), streamId, streamId)
  return entry && bookEntryOf(entry)
}

export function bookEntryOf([streamId, fields]: [string, string[]]): BookEntry {
  const value = fieldsOf(fields)
  return {
    streamId,
    id: value['id'] ?? '',
    at: Number(value['at']),
    legs: readLegs(value['legs'] ?? ''),
    facts: JSON.parse(value['facts'] ?? '{}') as BookEntry['facts'],
    mode: modeOf(value['mode']),
  }
}

export type Balances = Readonly<Record<Book, number>>

export async function readBalances(
  { ledger, mode }: EarningsReader, account: string,
): Promise<Balances> {
  const found = await ledger.hmget(keys.balances(account, mode), ...BOOKS)
  return Object.fromEntries(BOOKS.map((book, index) => [book, Number(found[index] ?? 0)])) as
    Record<Book, number>
}

export const readRecord = ({ ledger, mode }: EarningsReader, account: string, field: string) =>
  ledger.hget(keys.records(account, mode), field)

/** In the order of the fields; none is no trouble. */
export const readRecords = async (
  { ledger, mode }: EarningsReader, account: string, fields: readonly string[],
): Promise<(string | null)[]> =>
  (fields.length === 0 ? [] : await ledger.hmget(keys.records(account, mode), ...fields))

export const mergedInto = (ledger: RedisClient, account: string): Promise<string | null> =>
  ledger.hget(keys.account(account), 'merged_into')

/** What is changed by several at once is read again: these are few, and each time one succeeds. */
const TRIES_MAX = 50

/** Repeats `attempt` until it gives something: undefined where others were faster. */
export async function untilFresh<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new Refusal('unavailable')
}

/** Fen by book. */
type BookSums = Record<Book, number>

export interface Closing {
  /** The first moment after the month, ms. */
  readonly end: number
  readonly balances: Balances
}

/** For clocks of masters that differ, and for what a failover may still take back. */
const KEPT_MS = 86_400_000

const NOTHING: BookSums =
  { platform: 0, pending: 0, confirmed: 0, withdrawable: 0, reserved: 0, paid: 0 }

/** By the time of its id: the ledger's clock, never back. */
export const entryTimeOf = ({ streamId }: BookEntry): number => Number(streamId.split('-')[0])

export function addLegs(sums: BookSums, { legs }: BookEntry): void {
  for (const book of BOOKS) sums[book] += legs[book] ?? 0
}

/** What was posted before `end`, ms, as a bound of `readEntries`. */
export const lastBefore = (end: number): string => String(Math.max(0, end - 1))

/**
 * The sum of all entries before `at`, ms. Begins at the last month that was closed before it, and
 * closes those that it passes and that are over for a day. Undefined when the signal was aborted.
 */
export async function balancesAt(
  store: EarningsReader, account: string, at: number, signal?: AbortSignal,
): Promise<BookSums | undefined> {
  const last = (await readClosings(store, account)).findLast(({ end }) => end <= at)
  const sums = { ...NOTHING, ...last?.balances }
  const closings = new Map<string, string>()
  const close = (month: string | undefined): void => {
    if (month !== undefined) closings.set(month, JSON.stringify(sums))
  }
  let month: string | undefined
  const from = last ? String(last.end) : '-'
  for await (const page of readBookEntries(store, account, from, lastBefore(at))) {
    if (signal?.aborted) return undefined
    for (const entry of page) {
      const of = monthOf(entryTimeOf(entry))
      if (of !== month) close(month)
      month = of
      addLegs(sums, entry)
    }
  }
  close(month)
  await keep(store, account, closings, at)
  return sums
}

async function keep(
  { ledger, mode }: EarningsReader, account: string, closings: ReadonlyMap<string, string>,
  at: number,
): Promise<void> {
  if (closings.size === 0) return
  const readBefore = Math.min(at, await redisTimeMs(ledger) - KEPT_MS)
  const over = [...closings]
    .filter(([month]) => (monthBounds(month)?.end ?? Infinity) <= readBefore)
  if (over.length > 0) await ledger.hset(keys.closings(account, mode), ...over.flat())
}

/** The earliest first. */
export async function readClosings(
  { ledger, mode }: EarningsReader, account: string,
): Promise<Closing[]> {
  return closingsOf(await ledger.hgetall(keys.closings(account, mode)))
}

export const closingsOf = (fields: Readonly<Record<string, string>>): Closing[] =>
  Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([month, text]) => {
      const { end } = monthBounds(month) ?? {}
      return end === undefined ? [] : [{ end, balances: JSON.parse(text) as Balances }]
    })
