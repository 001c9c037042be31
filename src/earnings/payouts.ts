/** The file by which the operator pays a month's withdrawals. */
import { isoTime } from '../contract/time.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Mode } from '../contract/money.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { redisTimeMs, scoredOf } from '../redis/replies.ts'
import { scanNames } from '../redis/scan.ts'
import { postEntries, readRecord, readRecords, untilFresh, type EarningsStore } from './books.ts'
import { csvLine } from './statement.ts'
import { accountsOf, LISTS, noteAccount, noteAgain } from './listed-accounts.ts'
import { allocate } from './lots.ts'
import { monthBounds, monthOf } from './month.ts'
import { createPayeeSeal, maskPayee, type Payee } from './withdrawals.ts'
import { OPEN, readJson, withdrawalField, type WithdrawalRecord } from './records.ts'

interface PayoutStore extends EarningsStore {
  readonly secrets: Secrets
  /** These alone; all that there are without it. */
  readonly accounts?: readonly string[]
}

const COLUMNS = ['withdrawal_id', 'account', 'amount_fen', 'amount_cny', 'kind', 'payee', 'holder',
  'requested_at', 'mode'] as const
/** Stands in each line of a sandbox's file. */
const PRETENDED = 'SANDBOX: pretended money: do not pay'
const BATCH = 200
const KEPT_MS = 86_400_000

/**
 * All that was asked for, and payable, until the month's end and is in no earlier file, as CSV.
 * It marks them, so that the same month gives the same file; it must be over. Real payees are in
 * clear; those of the sandbox stay masked and each of its lines says so: nobody can pay it.
 */
export async function exportPayouts(
  store: PayoutStore, month: string, end: number,
): Promise<{ readonly csv: string, readonly count: number, readonly fen: number }> {
  const { mode, secrets } = store
  const { open: openSeal } = createPayeeSeal(secrets)
  const lines = new Map<string, string>()
  let fen = 0
  const seen = new Set<string>()
  const open = store.accounts ? [] : await openMonths(store)
  const walked = store.accounts ? [store.accounts]
    : accountsOf(store, 'withdrawals', new Set([...open, month]))
  for await (const accounts of walked) {
    for (const account of accounts) {
      if (seen.has(account)) continue
      seen.add(account)
      for await (const [id, record, at] of payoutsOf(store, account, month, end)) {
        if (lines.has(id)) continue
        fen += record.amount
        lines.set(id, csvLine([id, account, record.amount, (record.amount / 100).toFixed(2),
          ...payeeCells(mode, openSeal(record.payee, id)), isoTime(at),
          mode === 'live' ? mode : PRETENDED]))
      }
    }
  }
  await closeMonths(store, open)
  const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  return { csv: [csvLine(COLUMNS), ...sorted].join(''), count: lines.size, fen }
}

/** Months that may have a withdrawal that is in no file yet. */
async function openMonths(store: PayoutStore): Promise<string[]> {
  const { ledger, mode } = store
  if (await ledger.exists(LISTS.withdrawals.noted(mode)) === 0) await noteAllWithdrawals(store)
  return await ledger.smembers(LISTS.withdrawals.months(mode))
}

/** Leaves out of later exports the months of which all that was asked for is in a file. */
async function closeMonths(store: PayoutStore, months: readonly string[]): Promise<void> {
  const { ledger, mode } = store
  const now = await redisTimeMs(ledger)
  for (const month of months) {
    const { end } = monthBounds(month) ?? { end: 0 }
    // What nodes with other clocks noted in it is posted by then.
    if (now < end + KEPT_MS || await isWaited(store, month)) continue
    await ledger.srem(LISTS.withdrawals.months(mode), month)
  }
}

/** Whether an account of the month has a withdrawal that is in no file yet. */
async function isWaited(store: PayoutStore, month: string): Promise<boolean> {
  for await (const accounts of accountsOf(store, 'withdrawals', [month])) {
    for (const account of accounts) {
      const [open] = (await readRecord(store, account, OPEN))?.split(' ') ?? []
      const text = open === undefined ? null
        : await readRecord(store, account, withdrawalField(open))
      if (readJson<Partial<WithdrawalRecord>>(text ?? '{}').state === 'requested') return true
    }
  }
  return false
}

/**
 * Notes every account with withdrawals by their months and by those of the files that they are in;
 * looks at every key of the ledger once.
 */
export async function noteAllWithdrawals(store: EarningsStore): Promise<void> {
  const { ledger, mode } = store
  for await (const accounts of scanNames(ledger, scans.withdrawals[mode])) {
    for (const account of accounts) {
      const flat = await ledger.zrange(keys.withdrawals(account, mode), '0', '-1', 'WITHSCORES')
      const asked = scoredOf(flat)
      const texts = await readRecords(store, account,
        asked.map(({ member }) => withdrawalField(member)))
      const months = new Set(asked.flatMap(({ score }, index) => {
        const { exported } = readJson<Partial<WithdrawalRecord>>(texts[index] ?? '{}')
        return [monthOf(score), ...exported === undefined ? [] : [exported]]
      }))
      for (const month of months) await noteAgain(store, 'withdrawals', account, month)
    }
  }
  await ledger.set(keys.payoutsNoted(mode), '1')
}

function payeeCells(mode: Mode, payee: Payee): string[] {
  const shown: Record<string, string> = mode === 'live' ? { ...payee } : maskPayee(payee)
  return [payee.kind, shown[payee.kind === 'bank_card' ? 'card' : 'account'] ?? '',
    shown['holder'] ?? '']
}

async function* payoutsOf(
  store: PayoutStore, account: string, month: string, end: number,
): AsyncGenerator<[id: string, record: WithdrawalRecord, requestedAt: number]> {
  for (let from = 0; ; from += BATCH) {
    const flat = await store.ledger.zrangebyscore(keys.withdrawals(account, store.mode), '-inf',
      end === Infinity ? '+inf' : `(${end}`, 'WITHSCORES', 'LIMIT', from, BATCH)
    const ids = flat.filter((_, index) => index % 2 === 0)
    const texts = await readRecords(store, account, ids.map(withdrawalField))
    for (const [index, id] of ids.entries()) {
      const read = readJson<WithdrawalRecord>(texts[index] ?? '{}')
      // Its day comes after the month: the next month's file has it.
      if ((read.payable_from ?? 0) >= end) continue
      const record = read.state === 'requested' ? await take(store, account, id, month) : read
      if (record?.exported === month) yield [id, record, Number(flat[index * 2 + 1])]
    }
    if (ids.length < BATCH) return
  }
}

/** Puts it into the month's file, once all its lots are named. */
async function take(
  store: EarningsStore, account: string, id: string, month: string,
): Promise<WithdrawalRecord | undefined> {
  const field = withdrawalField(id)
  return await untilFresh(async () => {
    await allocate(store, account, field)
    const text = await readRecord(store, account, field)
    const record = readJson<WithdrawalRecord>(text ?? '{}')
    if (record.state !== 'requested') return record
    if (record.missing !== 0) throw new Error(`${id} has no lots for all of its fen`)
    await noteAccount(store, 'withdrawals', account, month)
    const after: WithdrawalRecord = { ...record, state: 'exported', exported: month }
    const { codes } = await postEntries(store, account, [{
      id: `${field}:exported`,
      facts: { withdrawal: id, amount: record.amount, month },
      records: [[field, text, JSON.stringify(after)]],
    }])
    return codes?.[0] === 'posted' ? after : undefined
  })
}
