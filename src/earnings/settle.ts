/** Settlement: what was earned until a month's end becomes withdrawable, as lots. */
import { ledger as keys } from '../redis/keys.ts'
import { mergedInto, post, readRecords, type Place, type Posting } from './books.ts'
import { accountsOf, LISTS, noteAllEarners } from './listed-accounts.ts'
import { payDebts } from './lots.ts'
import { readJson, type Commission } from './records.ts'

export interface Settled {
  readonly account: string
  /** Commissions, and their fen. */
  readonly entries: number
  readonly fen: number
}

/** Of one script call: orders wait behind it, so it takes a few milliseconds at most. */
const BATCH = 100
const ACCOUNTS_AT_ONCE = 8
/** Batches in a row in which others were faster. */
const VAIN_MAX = 50

/**
 * Each account as it is done, for `end` in ms. What came late for an earlier month is settled with
 * this one. It looks at the accounts that are noted as earners; may be cut off anywhere, and
 * repeated: what was settled is settled once.
 */
export async function* settle(place: Place, end: number): AsyncGenerator<Settled> {
  const { ledger, mode } = place
  const { months, noted } = LISTS.earners
  if (await ledger.exists(noted(mode)) === 0) await noteAllEarners(place)
  const listed = accountsOf(place, 'earners', await ledger.smembers(months(mode)))
  for await (const accounts of listed) {
    for (let from = 0; from < accounts.length; from += ACCOUNTS_AT_ONCE) {
      const part = accounts.slice(from, from + ACCOUNTS_AT_ONCE)
      const done = await Promise.all(part.map((account) => settleAccount(place, account, end)))
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
  place: Place, account: string, end: number, batchesMax = Infinity,
): Promise<Settled & { readonly hasMore: boolean }> {
  let entries = 0
  let fen = 0
  let hasMore = false
  for (let vain = 0, batches = 0; vain < VAIN_MAX; batches += 1) {
    const subjects = await place.ledger.zrangebyscore(
      keys.confirmed(account, place.mode), '-inf', `(${end}`, 'LIMIT', 0, BATCH)
    hasMore = subjects.length > 0 && batches >= batchesMax
    if (subjects.length === 0 || hasMore) break
    const texts = await readRecords(place, account, subjects)
    const postings = subjects.flatMap((subject, index) =>
      settlement(subject, texts[index] ?? null))
    const { codes } = await post(place, account, postings)
    if (!codes) break
    const done = postings.filter((_, index) => codes[index] === 'posted')
    entries += done.length
    fen += done.reduce((sum, { legs }) => sum + (legs?.withdrawable ?? 0), 0)
    vain = done.length > 0 ? 0 : vain + 1
  }
  // What was cut off between a lot and the debts that it pays is made good here.
  if (await mergedInto(place.ledger, account) === null) await payDebts(place, account)
  return { account, entries, fen, hasMore }
}

function settlement(subject: string, text: string | null): Posting[] {
  const record = readJson<Commission>(text ?? '{}')
  // Another was faster: it is out of the set by now.
  if (record.state !== 'confirmed') return []
  const { commission, amount, bps, confirmed_at: at = 0 } = record
  return [{
    id: `${subject}:settled`,
    legs: { confirmed: -commission, withdrawable: commission },
    facts: { amount, bps },
    records: [[subject, text, JSON.stringify({
      ...record, state: 'settled', left: commission,
    } satisfies Commission)]],
    confirmed: [[subject, null]],
    ...(commission > 0 && { lots: [[subject, at] as const] }),
  }]
}
