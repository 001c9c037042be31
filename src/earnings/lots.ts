/**
 * Settled commissions are lots, and every fen that leaves is taken from the oldest of them, by
 * name. At every moment: what is left of all lots = withdrawable + what claimants still miss.
 */
import { ledger as keys } from '../redis/keys.ts'
import {
  mergedInto, postEntries, readRecord, readRecords, untilFresh, type EarningsStore,
  type IndexChange, type Posting, type RecordChange,
} from './books.ts'
import {
  debtOf, OPEN, openText, readJson, takesField, withdrawalField, type Claimant,
  type CommissionRecord, type Take, type WithdrawalRecord,
} from './records.ts'
import { accountsOf, LISTS, noteAllEarners } from './listed-accounts.ts'

/** Lots of one script call. */
const BATCH = 200

/** Takes until the claimant misses nothing, or no lot is left; in batches, to be repeated. */
export async function allocate(
  store: EarningsStore, account: string, claimant: string,
): Promise<void> {
  for (;;) {
    const isOver = await untilFresh(() => allocateOnce(store, account, claimant))
    if (isOver === 'over') return
  }
}

async function allocateOnce(
  store: EarningsStore, account: string, claimant: string,
): Promise<'over' | 'more' | undefined> {
  const { ledger } = store
  const text = await readRecord(store, account, claimant)
  const before = text === null ? undefined : readJson<Claimant>(text)
  if (!before || before.missing <= 0) return 'over'
  const subjects = await ledger.zrange(keys.lots(account, store.mode), '0', String(BATCH - 1))
  if (subjects.length === 0) return 'over'
  const texts = await readRecords(store, account, subjects)
  const takes: Take[] = []
  const records: RecordChange[] = []
  const emptied: IndexChange[] = []
  let { missing } = before
  for (const [index, subject] of subjects.entries()) {
    if (missing === 0) break
    const lotText = texts[index] ?? '{}'
    const lot = readJson<CommissionRecord>(lotText)
    const { left = 0, takes: taken = {} } = lot
    const fen = Math.min(left, missing)
    if (fen === 0) return undefined
    missing -= fen
    takes.push([subject, fen])
    records.push([subject, lotText, JSON.stringify({
      ...lot, left: left - fen, takes: { ...taken, [claimant]: (taken[claimant] ?? 0) + fen },
    } satisfies CommissionRecord)])
    if (left === fen) emptied.push([subject, null])
  }
  const after: Claimant = { ...before, missing, parts: before.parts + 1 }
  const { codes } = await postEntries(store, account, [{
    id: `${claimant}:lots:${before.parts}`,
    facts: { lots: takes.length, fen: before.missing - missing },
    records: [
      [claimant, text, JSON.stringify(after)],
      [takesField(claimant, before.parts), null, JSON.stringify(takes)],
      ...records,
      ...(missing === 0 ? openAllocated(claimant) : []),
    ],
    lots: emptied,
    ...(missing === 0 && { debts: debtPaid(claimant) }),
  }])
  return codes?.[0] === 'posted' ? missing === 0 ? 'over' : 'more' : undefined
}

function openAllocated(claimant: string): RecordChange[] {
  const id = /^withdrawal:(.*)$/.exec(claimant)?.[1]
  return id === undefined ? [] : [[OPEN, openText(id, true), openText(id, false)]]
}

const debtPaid = (claimant: string): IndexChange[] =>
  (claimant.startsWith('debt:') ? [[claimant.slice('debt:'.length), null]] : [])

/** A platform takes back many orders at once: one of them pays for all. */
const underWay = new WeakMap<object, Map<string, Promise<void>>>()

/**
 * Debts take the oldest lots first; what finds none waits for the next settlement. So does a debt
 * that comes in the moment in which others have just been paid.
 */
export async function payDebts(store: EarningsStore, account: string): Promise<void> {
  const ofStore = underWay.get(store.durable) ?? new Map<string, Promise<void>>()
  underWay.set(store.durable, ofStore)
  const books = keys.debts(account, store.mode)
  const paying = ofStore.get(books)
    ?? payAll(store, account).finally(() => ofStore.delete(books))
  ofStore.set(books, paying)
  await paying
}

async function payAll(store: EarningsStore, account: string): Promise<void> {
  const { ledger } = store
  for (;;) {
    const [subject] = await ledger.zrange(keys.debts(account, store.mode), '0', '0')
    if (subject === undefined || await ledger.zcard(keys.lots(account, store.mode)) === 0) return
    // An open withdrawal's lots are its own.
    await finishOpen(store, account)
    await allocate(store, account, debtOf(subject))
  }
}

/** Completes what a cut-off request began: its withdrawal names all its lots afterwards. */
export async function finishOpen(store: EarningsStore, account: string): Promise<void> {
  const open = await readRecord(store, account, OPEN)
  const [id, state] = open?.split(' ') ?? []
  if (id !== undefined && state === 'filling') await allocate(store, account, withdrawalField(id))
}

/** Gives a failed withdrawal's lots back, the last part first; in batches, to be repeated. */
export async function release(store: EarningsStore, account: string, id: string): Promise<void> {
  for (;;) {
    const isOver = await untilFresh(() => releaseOnce(store, account, id))
    if (isOver === 'over') return
  }
}

async function releaseOnce(
  store: EarningsStore, account: string, id: string,
): Promise<'over' | 'more' | undefined> {
  const claimant = withdrawalField(id)
  const text = await readRecord(store, account, claimant)
  const before = readJson<WithdrawalRecord>(text ?? '{}')
  if (before.state !== 'returning') return 'over'
  const { parts, returned = 0, missing } = before
  if (returned === parts) {
    const { codes } = await postEntries(store, account, [{
      id: `${claimant}:failed`,
      facts: { amount: before.amount },
      records: [
        [claimant, text, JSON.stringify({ ...before, state: 'failed' } satisfies WithdrawalRecord)],
        [OPEN, openText(id, false), null]],
    }])
    return codes?.[0] === 'posted' ? 'over' : undefined
  }
  const part = parts - returned - 1
  const takes =
    readJson<Take[]>(await readRecord(store, account, takesField(claimant, part)) ?? '[]')
  const texts = await readRecords(store, account, takes.map(([subject]) => subject))
  const fen = takes.reduce((sum, [, one]) => sum + one, 0)
  const after: WithdrawalRecord = { ...before, returned: returned + 1, missing: missing + fen }
  const { codes } = await postEntries(store, account, [releasePosting({
    id: `${claimant}:back:${part}`, claimant, takes, texts, fen,
    change: [claimant, text, JSON.stringify(after)],
  })])
  return codes?.[0] === 'posted' ? 'more' : undefined
}

function releasePosting({ id, claimant, takes, texts, fen, change }: {
  id: string, claimant: string, takes: readonly Take[], texts: readonly (string | null)[],
  fen: number, change: RecordChange,
}): Posting {
  const lots: IndexChange[] = []
  const records = takes.map(([subject, one], index): RecordChange => {
    const text = texts[index] ?? '{}'
    const lot = readJson<CommissionRecord>(text)
    const rest = (lot.takes?.[claimant] ?? 0) - one
    const { [claimant]: _, ...others } = lot.takes ?? {}
    lots.push([subject, lot.confirmed_at ?? 0])
    return [subject, text, JSON.stringify({
      ...lot, left: (lot.left ?? 0) + one,
      takes: rest > 0 ? { ...others, [claimant]: rest } : others,
    } satisfies CommissionRecord)]
  })
  return { id, facts: { lots: takes.length, fen }, records: [change, ...records], lots }
}

export interface Settled {
  readonly account: string
  /** Commissions, and their fen. */
  readonly entries: number
  readonly fen: number
}

/** Of one script call: orders wait behind it, so it takes a few milliseconds at most. */
const SETTLED_BATCH = 100
const ACCOUNTS_AT_ONCE = 8
/** Batches in a row in which others were faster. */
const VAIN_MAX = 50

/**
 * Each account as it is done, for `end` in ms. What came late for an earlier month is settled with
 * this one. It looks at the accounts that are noted as earners; may be cut off anywhere, and
 * repeated: what was settled is settled once.
 */
export async function* settleAccounts(store: EarningsStore, end: number): AsyncGenerator<Settled> {
  const { ledger, mode } = store
  const { months, noted } = LISTS.earners
  if (await ledger.exists(noted(mode)) === 0) await noteAllEarners(store)
  const listed = accountsOf(store, 'earners', await ledger.smembers(months(mode)))
  for await (const accounts of listed) {
    for (let from = 0; from < accounts.length; from += ACCOUNTS_AT_ONCE) {
      const part = accounts.slice(from, from + ACCOUNTS_AT_ONCE)
      const done = await Promise.all(part.map((account) => settleAccount(store, account, end)))
      yield* done.filter(({ entries }) => entries > 0)
        .map(({ hasMore: _, ...settled }) => settled)
    }
  }
}

/**
 * A trial that was merged is settled where its commissions went. `batchesMax` bounds the work of a
 * call, which says whether there is more.
 */
export async function settleAccount(
  store: EarningsStore, account: string, end: number, batchesMax = Infinity,
): Promise<Settled & { readonly hasMore: boolean }> {
  let entries = 0
  let fen = 0
  let hasMore = false
  for (let vain = 0, batches = 0; vain < VAIN_MAX; batches += 1) {
    const subjects = await store.ledger.zrangebyscore(
      keys.confirmed(account, store.mode), '-inf', `(${end}`, 'LIMIT', 0, SETTLED_BATCH)
    hasMore = subjects.length > 0 && batches >= batchesMax
    if (subjects.length === 0 || hasMore) break
    const texts = await readRecords(store, account, subjects)
    const postings = subjects.flatMap((subject, index) =>
      settlement(subject, texts[index] ?? null))
    const { codes } = await postEntries(store, account, postings)
    if (!codes) break
    const done = postings.filter((_, index) => codes[index] === 'posted')
    entries += done.length
    fen += done.reduce((sum, { legs }) => sum + (legs?.withdrawable ?? 0), 0)
    vain = done.length > 0 ? 0 : vain + 1
  }
  // What was cut off between a lot and the debts that it pays is made good here.
  if (await mergedInto(store.ledger, account) === null) await payDebts(store, account)
  return { account, entries, fen, hasMore }
}

function settlement(subject: string, text: string | null): Posting[] {
  const record = readJson<CommissionRecord>(text ?? '{}')
  // Another was faster: it is out of the set by now.
  if (record.state !== 'confirmed') return []
  const { agent, commission, amount, bps, confirmed_at: at = 0 } = record
  return [{
    id: `${subject}:settled`,
    legs: { confirmed: -commission, withdrawable: commission },
    facts: { amount, bps, agent },
    records: [[subject, text, JSON.stringify({
      ...record, state: 'settled', left: commission,
    } satisfies CommissionRecord)]],
    confirmed: [[subject, null]],
    ...(commission > 0 && { lots: [[subject, at] as const] }),
  }]
}
