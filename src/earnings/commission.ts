/**
 * Brings an order's commission to where its order is: none, pending, confirmed or reversed. What
 * was posted stays: an order that is not where it was has a reversal, and a new round.
 */
import { keepTrial } from '../accounts/trials.ts'
import { nowMs } from '../contract/time.ts'
import {
  mergedInto, post, readRecord, untilFresh, type Legs, type Place, type Posting,
} from './books.ts'
import type { Mode } from '../contract/money.ts'
import { ledger as keys } from '../redis/keys.ts'
import { finishOpen, payDebts } from './lots.ts'
import { moveSubjects } from './merge.ts'
import { monthOf } from './month.ts'
import {
  dayPlace, debtOf, nextRound, OPEN, readJson, type Commission, type CommissionState, type Taker,
} from './records.ts'
import { bpsAt, commissionOf } from './terms.ts'

const AHEAD_MS_MAX = 3_600_000

/** Where an order stands, as its own record says at this moment. */
export interface Earned {
  readonly account: string
  /** Of the order: its commission is in the books of that mode. */
  readonly mode: Mode
  /** Whose order it is, for the count of the day. */
  readonly agent?: string
  /** Fen. */
  readonly amount: number
  readonly state: 'none' | 'pending' | 'confirmed' | 'reversed'
  /** When it was paid, ms: its rate is that of this moment; the present one without it. */
  readonly paidAt?: number
  /** When it was earned, ms; with `confirmed`. */
  readonly confirmedAt?: number
  /**
   * When a platform's line was changed to this, ms: such a line can come back after it was invalid,
   * and its amount can change. An order of ours has none: only a failover that lost its moves, or a
   * restored copy, sets it back.
   */
  readonly version?: number
}

/**
 * Repeating it, in any order and at once, is as doing it once with what `read` says last. Reads
 * the order first and the commission after, and both again where another was faster.
 */
export async function bring(
  store: Omit<Place, 'mode'>, subject: string, read: () => Promise<Earned | undefined>,
): Promise<void> {
  await untilFresh(async () => {
    const earned = await read()
    if (!earned) return true
    const place: Place = { ...store, mode: earned.mode }
    const account = await standing(place, earned.account, subject)
    const [current, text] = await lastRound(place, account, subject)
    const record = text === null ? undefined : readJson<Commission>(text)
    const isBack = record !== undefined && wentBack(record, earned)
    // A reader that was slow knows an older order than the record does, which set nothing back: the
    // order that is read after the record is never older.
    if (isBack && JSON.stringify(await read()) !== JSON.stringify(earned)) return undefined
    const rate: Rate = record && !isBack
      ? { bps: record.bps } : await rateOf(place, earned, account)
    const open = record?.state === 'settled'
      ? await readRecord(place, account, OPEN) : null
    const postings = postingsFor({ subject: current, text, record, rate, open }, earned)
    // Lots that an open withdrawal counts on are named by it before one of them is reversed.
    if (postings.length > 0 && open?.endsWith('filling')) {
      await finishOpen(place, account)
      return undefined
    }
    if (postings.length === 0) {
      // Nothing is to be done, and no failover may take back what says so.
      const kept = text === null
        || await place.durable.read('hget', keys.records(account, place.mode), current) === text
      return kept ? true : undefined
    }
    // What earned stays: a trial's key and code must not end before its money is collected.
    if (rate.isTrial) await keepTrial(place, account)
    const { codes } = await post(place, account, postings)
    if (!codes?.every((code) => code === 'posted')) return undefined
    if (record?.state === 'settled') await payDebts(place, account)
    // A platform's line may be what it was before, and others have found nothing to do about it
    // while this was on its way: whoever posts looks again.
    return earned.version === undefined ? true : undefined
  })
}

/** The account that an order's commission belongs to now; it is moved there where it was not. */
async function standing(place: Place, account: string, subject: string): Promise<string> {
  const other = await mergedInto(place.ledger, account)
  if (other === null) return account
  for (let next: string | undefined = subject; next !== undefined;) {
    await moveSubjects(place, account, other, [next])
    const text: string | null = await readRecord(place, account, next)
    next = text === null ? undefined : readJson<Commission>(text).next
  }
  return other
}

async function lastRound(
  place: Place, account: string, subject: string,
): Promise<[string, string | null]> {
  const text = await readRecord(place, account, subject)
  const next = text === null ? undefined : readJson<Commission>(text).next
  return next === undefined ? [subject, text] : await lastRound(place, account, next)
}

interface Rate {
  readonly bps: number
  /** Whether the account that is posted to is a trial that was not kept for good yet. */
  readonly isTrial?: boolean
  /** With the terms of the account that is posted to: those of a merged one do not change. */
  readonly basis?: Posting['rate']
}

/** By the terms of the account that the order belonged to when it was paid. */
async function rateOf(
  { ledger }: Pick<Place, 'ledger'>, { account, paidAt }: Earned, postedTo: string,
): Promise<Rate> {
  const [own, into, mergedAt, kind, kept] = await ledger.hmget(
    keys.account(account), 'terms', 'merged_into', 'merged_at', 'kind', 'kept')
  const isEarlier = paidAt !== undefined && paidAt < Date.parse(mergedAt ?? '')
  const holder = !into || isEarlier ? account : into
  const terms = holder === account ? own : await ledger.hget(keys.account(holder), 'terms')
  return {
    bps: bpsAt(terms, paidAt),
    ...(kind === 'trial' && kept !== 'yes' && { isTrial: true }),
    ...(holder === postedTo && { basis: { terms: terms ?? '', paidAt: believable(paidAt) } }),
  }
}

/** Later changes of terms must not wait for what a platform's clock says: it may be years ahead. */
const believable = (paidAt = 0): number => (paidAt < nowMs() + AHEAD_MS_MAX ? paidAt : 0)

interface Standing {
  readonly subject: string
  /** The record as it was read. */
  readonly text: string | null
  readonly record: Commission | undefined
  readonly rate: Rate
  /** The record of the open withdrawal. */
  readonly open: string | null
}

/** Whether an order of ours stands before what its commission says of it. */
function wentBack(record: Commission, { state, amount, version }: Earned): boolean {
  if (version !== undefined) return false
  const isLive = record.state !== 'reversed'
  if (state === 'none') return isLive
  if (state === 'reversed') return false
  return !isLive || record.amount !== amount || (state === 'pending' && record.state !== 'pending')
}

function postingsFor(now: Standing, earned: Earned): Posting[] {
  const { record, subject, text, rate } = now
  const { state, amount, version } = earned
  if (!record) {
    if (state === 'none') return []
    return state === 'reversed' ? [tombstone(subject, rate, earned)] : begin(subject, rate, earned)
  }
  if (version !== undefined && version <= (record.version ?? 0)) return []
  const isLive = record.state !== 'reversed'
  const isWanted = state === 'pending' || state === 'confirmed'
  const isOther = version === undefined ? wentBack(record, earned)
    : !isLive || record.amount !== amount
  if (isWanted && isOther) {
    // A round of its own: what was posted before stays as it is.
    const next = nextRound(subject)
    // The order was counted with the first round: what is new is the difference.
    const counted = { orders: 0, amount: amount - record.amount }
    if (isLive) return [reverse(now, record, { next }), ...begin(next, rate, earned, counted)]
    const [first, ...more] = begin(next, rate, earned, counted)
    const link = [subject, text, JSON.stringify({ ...record, next })] as const
    return [{ ...first as Posting, records: [link, ...first?.records ?? []] }, ...more]
  }
  if (!isWanted && isLive) return [reverse(now, record, { version })]
  if (state === 'confirmed' && record.state === 'pending') {
    return [confirm(subject, { ...record, ...(version !== undefined && { version }) },
      text, earned.confirmedAt)]
  }
  return []
}

/** Says that there never is a commission of it, to whoever read the order earlier. */
const tombstone = (
  subject: string, { bps, basis }: Rate, { amount, version, mode }: Earned,
): Posting => ({
  id: `${subject}:void`,
  facts: { amount, bps },
  ...(basis && { rate: basis }),
  records: [[subject, null, JSON.stringify({
    state: 'reversed', mode, amount, bps, commission: commissionOf(amount, bps),
    ...(version !== undefined && { version }),
  } satisfies Commission)]],
})

function begin(
  subject: string, { bps, basis }: Rate, earned: Earned,
  counted: { orders: number, amount: number } = { orders: 1, amount: earned.amount },
): Posting[] {
  const { agent, amount, mode, state, version, confirmedAt } = earned
  const commission = commissionOf(amount, bps)
  const record: Commission = {
    state: 'pending', mode, amount, bps, commission, ...(version !== undefined && { version }),
    ...(agent !== undefined && { agent }),
  }
  const text = JSON.stringify(record)
  const pending: Posting = {
    id: `${subject}:pending`,
    legs: { platform: -commission, pending: commission },
    facts: { amount, bps },
    ...(basis && { rate: basis }),
    records: [[subject, null, text]],
    tally: { ...dayPlace(subject, record), ...counted, commission },
  }
  return state === 'confirmed' ? [pending, confirm(subject, record, text, confirmedAt)] : [pending]
}

function confirm(
  subject: string, record: Commission, text: string | null, confirmedAt = 0,
): Posting {
  const { amount, bps, commission } = record
  return {
    id: `${subject}:confirmed`,
    legs: { pending: -commission, confirmed: commission },
    facts: { amount, bps },
    records: [[subject, text, JSON.stringify({
      ...record, state: 'confirmed', confirmed_at: confirmedAt, month: monthOf(confirmedAt),
    } satisfies Commission)]],
    confirmed: [[subject, confirmedAt]],
  }
}

/** Where a commission's fen are while it is in a state; `moved` and `reversed` have none. */
const BOOK_OF = {
  pending: 'pending', confirmed: 'confirmed', settled: 'withdrawable',
} as const satisfies Partial<Record<CommissionState, keyof Legs>>

function reverse(
  { subject, text, open }: Standing, record: Commission, more: Partial<Commission>,
): Posting {
  const { amount, bps, commission, state, left = 0 } = record
  const book = BOOK_OF[state as keyof typeof BOOK_OF]
  const after: Commission = {
    ...record, ...JSON.parse(JSON.stringify(more)) as Partial<Commission>, state: 'reversed',
    ...(state === 'settled' && { left: 0 }),
  }
  const owed = state === 'settled' ? commission - left : 0
  const debt: Taker = { amount: owed, missing: owed, parts: 0 }
  return {
    id: `${subject}:reversed`,
    legs: { [book]: -commission, platform: commission },
    facts: { amount, bps, ...(state === 'settled' && { owed }) },
    records: [
      [subject, text, JSON.stringify(after)],
      ...(state === 'settled' ? [[OPEN, open, open] as const] : []),
      ...(owed > 0 ? [[debtOf(subject), null, JSON.stringify(debt)] as const] : []),
    ],
    ...(state === 'confirmed' && { confirmed: [[subject, null] as const] }),
    ...(state === 'settled' && { lots: [[subject, null] as const] }),
    ...(owed > 0 && { debts: [[subject, 'now'] as const] }),
    tally: { ...dayPlace(subject, record), reversed: commission },
  }
}
