/**
 * Brings an order's commission to where its order is: none, pending, confirmed or reversed. What
 * was posted stays: an order that is not where it was has a reversal, and a new round.
 */
import { keepTrial } from '../accounts/trials.ts'
import { nowMs } from '../contract/time.ts'
import {
  mergedInto, postEntries, readRecord, untilFresh, type EarningsStore, type Legs, type Posting,
} from './books.ts'
import { modeOf, type Mode } from '../contract/money.ts'
import { ledger as keys } from '../redis/keys.ts'
import { finishOpen, payDebts } from './lots.ts'
import { moveSubjects } from './merge-trial.ts'
import { monthOf } from './month.ts'
import {
  bpsAt, commissionOf, dayKeyOf, debtOf, nextRound, OPEN, readJson, type Claimant,
  type CommissionRecord, type CommissionState,
} from './records.ts'
import type { OrderLine } from '../../adapters/index.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { timeOf, type Given, type OrderEvent, type OrderRecord } from '../orders/record.ts'
import type { Status } from '../orders/states.ts'
import type { Read } from '../redis/send.ts'

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
export async function reconcileCommission(
  base: Omit<EarningsStore, 'mode'>, subject: string, read: () => Promise<Earned | undefined>,
): Promise<void> {
  await untilFresh(async () => {
    const earned = await read()
    if (!earned) return true
    const isStill = async (): Promise<boolean> =>
      JSON.stringify(await read()) === JSON.stringify(earned)
    const store: EarningsStore = { ...base, mode: earned.mode }
    const account = await standing(store, earned.account, subject)
    const [current, text] = await lastRound(store, account, subject)
    const record = text === null ? undefined : readJson<CommissionRecord>(text)
    const isBack = record !== undefined && wentBack(record, earned)
    // A reader that was slow knows an older order than the record does, which set nothing back: the
    // order that is read after the record is never older.
    if (isBack && !await isStill()) return undefined
    const rate: Rate = record && !isBack
      ? { bps: record.bps } : await rateOf(store, earned, account)
    const open = record?.state === 'settled'
      ? await readRecord(store, account, OPEN) : null
    const postings = postingsFor({ subject: current, text, record, rate, open }, earned)
    const isTie = earned.version !== undefined && earned.version === record?.version
    if (isTie && postings.length > 0 && !await isStill()) return undefined
    // Lots that an open withdrawal counts on are named by it before one of them is reversed.
    if (postings.length > 0 && open?.endsWith('filling')) {
      await finishOpen(store, account)
      return undefined
    }
    if (postings.length === 0) {
      // Nothing is to be done, and no failover may take back what says so.
      const kept = text === null
        || await store.durable.read('hget', keys.records(account, store.mode), current) === text
      return kept ? true : undefined
    }
    // What earned stays: a trial's key and code must not end before its money is collected.
    if (rate.isTrial) await keepTrial(store, account)
    const { codes } = await postEntries(store, account, postings)
    if (!codes?.every((code) => code === 'posted')) return undefined
    if (record?.state === 'settled') await payDebts(store, account)
    // A platform's line may be what it was before, and others have found nothing to do about it
    // while this was on its way: whoever posts looks again.
    return earned.version === undefined ? true : undefined
  })
}

/** The account that an order's commission belongs to now; it is moved there where it was not. */
async function standing(store: EarningsStore, account: string, subject: string): Promise<string> {
  const other = await mergedInto(store.ledger, account)
  if (other === null) return account
  for (let next: string | undefined = subject; next !== undefined;) {
    await moveSubjects(store, account, other, [next])
    const text: string | null = await readRecord(store, account, next)
    next = text === null ? undefined : readJson<CommissionRecord>(text).next
  }
  return other
}

async function lastRound(
  store: EarningsStore, account: string, subject: string,
): Promise<[string, string | null]> {
  const text = await readRecord(store, account, subject)
  const next = text === null ? undefined : readJson<CommissionRecord>(text).next
  return next === undefined ? [subject, text] : await lastRound(store, account, next)
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
  { ledger }: Pick<EarningsStore, 'ledger'>, { account, paidAt }: Earned, postedTo: string,
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
  readonly record: CommissionRecord | undefined
  readonly rate: Rate
  /** The record of the open withdrawal. */
  readonly open: string | null
}

/** Whether an order of ours stands before what its commission says of it. */
function wentBack(record: CommissionRecord, { state, amount, version }: Earned): boolean {
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
  // Platforms count whole seconds: what is of the same one may be a later change.
  if (version !== undefined && version < (record.version ?? 0)) return []
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
  } satisfies CommissionRecord)]],
})

function begin(
  subject: string, { bps, basis }: Rate, earned: Earned,
  counted: { orders: number, amount: number } = { orders: 1, amount: earned.amount },
): Posting[] {
  const { agent, amount, mode, state, version, confirmedAt } = earned
  const commission = commissionOf(amount, bps)
  const record: CommissionRecord = {
    state: 'pending', mode, amount, bps, commission, ...(version !== undefined && { version }),
    ...(agent !== undefined && { agent }),
  }
  const text = JSON.stringify(record)
  const pending: Posting = {
    id: `${subject}:pending`,
    legs: { platform: -commission, pending: commission },
    facts: { amount, bps, agent },
    ...(basis && { rate: basis }),
    records: [[subject, null, text]],
    tally: { ...dayKeyOf(subject, record), ...counted, commission },
  }
  return state === 'confirmed' ? [pending, confirm(subject, record, text, confirmedAt)] : [pending]
}

function confirm(
  subject: string, record: CommissionRecord, text: string | null, confirmedAt = 0,
): Posting {
  const { agent, amount, bps, commission } = record
  return {
    id: `${subject}:confirmed`,
    legs: { pending: -commission, confirmed: commission },
    facts: { amount, bps, agent },
    records: [[subject, text, JSON.stringify({
      ...record, state: 'confirmed', confirmed_at: confirmedAt, month: monthOf(confirmedAt),
    } satisfies CommissionRecord)]],
    confirmed: [[subject, confirmedAt]],
  }
}

/** Where a commission's fen are while it is in a state; `moved` and `reversed` have none. */
const BOOK_OF = {
  pending: 'pending', confirmed: 'confirmed', settled: 'withdrawable',
} as const satisfies Partial<Record<CommissionState, keyof Legs>>

function reverse(
  { subject, text, open }: Standing, record: CommissionRecord, more: Partial<CommissionRecord>,
): Posting {
  const { agent, amount, bps, commission, state, left = 0 } = record
  const book = BOOK_OF[state as keyof typeof BOOK_OF]
  const after: CommissionRecord = {
    ...record, ...JSON.parse(JSON.stringify(more)) as Partial<CommissionRecord>, state: 'reversed',
    ...(state === 'settled' && { left: 0 }),
  }
  const owed = state === 'settled' ? commission - left : 0
  const debt: Claimant = { amount: owed, missing: owed, parts: 0 }
  return {
    id: `${subject}:reversed`,
    legs: { [book]: -commission, platform: commission },
    facts: { amount, bps, agent, ...(state === 'settled' && { owed }) },
    records: [
      [subject, text, JSON.stringify(after)],
      ...(state === 'settled' ? [[OPEN, open, open] as const] : []),
      ...(owed > 0 ? [[debtOf(subject), null, JSON.stringify(debt)] as const] : []),
    ],
    ...(state === 'confirmed' && { confirmed: [[subject, null] as const] }),
    ...(state === 'settled' && { lots: [[subject, null] as const] }),
    ...(owed > 0 && { debts: [[subject, 'now'] as const] }),
    tally: { ...dayKeyOf(subject, record), reversed: commission },
  }
}

/** A refund under way may still be of no effect: what is refunded says so. */
export function earnedOf(
  order: Pick<OrderRecord, 'agent' | 'mode' | 'status' | 'amount' | 'given' | 'events'>,
): Earned {
  const { agent, status, mode, amount, given: { account } } = order
  const of = { account, agent, mode, amount }
  const paidAt = timeOf(order, 'paid')
  if (paidAt === undefined) return { ...of, state: 'none' }
  const confirmedAt = timeOf(order, 'completed')
  if (confirmedAt !== undefined && status === 'completed') {
    return { ...of, state: 'confirmed', paidAt, confirmedAt }
  }
  const isOver = status === 'refunded' || status === 'closed'
  return { ...of, state: isOver ? 'reversed' : 'pending', paidAt }
}

/** The last three are of an order in the archive, instead of its status and its timeline. */
const ORDER_FIELDS = [
  'agent', 'mode', 'amount', 'given', 'status', 'ended', 'paid_at', 'completed_at',
] as const

/** Undefined where there is no such order. */
export async function earnedByOrder(read: Read, orderNo: string): Promise<Earned | undefined> {
  const partition = partitionOfOrder(orderNo)
  if (partition === undefined) return undefined
  const [found, lines] = await Promise.all([
    read('hmget', keys.order(partition, orderNo), ...ORDER_FIELDS),
    read('lrange', keys.events(partition, orderNo), 0, -1),
  ])
  const [agent, mode, amount, given, current, ended, paidAt, completedAt] =
    found as (string | null)[]
  const status = current ?? ended
  if (!status || !agent || !given) return undefined
  return earnedOf({
    agent, mode: modeOf(mode), status: status as Status, amount: Number(amount),
    given: JSON.parse(given) as Given,
    events: ended === null ? (lines as string[]).map((line) => JSON.parse(line) as OrderEvent)
      : archivedEvents({ paid: paidAt, completed: completedAt }),
  })
}

const archivedEvents = (times: Partial<Record<OrderEvent['event'], string | null>>): OrderEvent[] =>
  Object.entries(times).flatMap(([event, at]) =>
    (typeof at === 'string' ? [{ event: event as OrderEvent['event'], at: Number(at) }] : []))

/** What a platform says of a line, in our words; of the others nothing follows. */
const LINE_STATES = {
  paid: 'pending', received: 'confirmed', settled: 'confirmed', invalid: 'reversed',
} as const satisfies Partial<Record<OrderLine['status'], Earned['state']>>

/** Undefined where nobody earns by it: no mark, or an agent that is gone. */
export async function earnedByLine(
  read: Read, source: string, line: string,
): Promise<Earned | undefined> {
  const [agent, data, mode] =
    await read('hmget', keys.mallOrder(source, line), 'agent', 'data', 'mode') as
      (string | null)[]
  if (!agent || !data) return undefined
  const { status, amount, sub_id: mark, updated_at: version, paid_at, ordered_at } =
    JSON.parse(data) as OrderLine
  // The mark's own account first: a trial's, of which the merge carries the rate along.
  const account = (mark === null ? null : await read('hget', keys.subId(source, mark), 'account'))
    ?? await read('hget', keys.agent(agent), 'account')
  const state = LINE_STATES[status as keyof typeof LINE_STATES]
  if (typeof account !== 'string' || !state) return undefined
  const paidAt = paid_at ?? ordered_at ?? version
  return {
    account, agent, mode: modeOf(mode), amount, state, version, paidAt, confirmedAt: version,
  }
}
