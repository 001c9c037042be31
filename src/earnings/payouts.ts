/** The file by which the operator pays a month's withdrawals. */
import { isoTime } from '../contract/time.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Mode } from '../contract/money.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { redisTimeMs, scoredOf } from '../redis/replies.ts'
import { scanNames } from '../redis/scan.ts'
import { post, readRecord, readRecords, untilFresh, type Place } from './books.ts'
import { csvLine } from './csv.ts'
import { accountsOf, LISTS, noteAccount, noteAgain } from './listed-accounts.ts'
import { fill } from './lots.ts'
import { boundsOf, monthOf } from './month.ts'
import { createPayeeSeal, maskPayee, type Payee } from './payee.ts'
import {
  OPEN, readJson, withdrawalField, type Withdrawal,
} from './records.ts'

export interface PayoutPlace extends Place {
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
  place: PayoutPlace, month: string, end: number,
): Promise<{ readonly csv: string, readonly count: number, readonly fen: number }> {
  const { mode, secrets } = place
  const { open: openSeal } = createPayeeSeal(secrets)
  const lines = new Map<string, string>()
  let fen = 0
  const seen = new Set<string>()
  const open = place.accounts ? [] : await openMonths(place)
  const walked = place.accounts ? [place.accounts]
    : accountsOf(place, 'withdrawals', new Set([...open, month]))
  for await (const accounts of walked) {
    for (const account of accounts) {
      if (seen.has(account)) continue
      seen.add(account)
      for await (const [id, record, at] of payoutsOf(place, account, month, end)) {
        if (lines.has(id)) continue
        fen += record.amount
        lines.set(id, csvLine([id, account, record.amount, (record.amount / 100).toFixed(2),
          ...payeeCells(mode, openSeal(record.payee, id)), isoTime(at),
          mode === 'live' ? mode : PRETENDED]))
      }
    }
  }
  await closeMonths(place, open)
  const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  return { csv: [csvLine(COLUMNS), ...sorted].join(''), count: lines.size, fen }
}

/** Months that may have a withdrawal that is in no file yet. */
async function openMonths(place: PayoutPlace): Promise<string[]> {
  const { ledger, mode } = place
  if (await ledger.exists(LISTS.withdrawals.noted(mode)) === 0) await noteAllWithdrawals(place)
  return await ledger.smembers(LISTS.withdrawals.months(mode))
}

/** Leaves out of later exports the months of which all that was asked for is in a file. */
async function closeMonths(place: PayoutPlace, months: readonly string[]): Promise<void> {
  const { ledger, mode } = place
  const now = await redisTimeMs(ledger)
  for (const month of months) {
    const { end } = boundsOf(month) ?? { end: 0 }
    // What nodes with other clocks noted in it is posted by then.
    if (now < end + KEPT_MS || await isWaited(place, month)) continue
    await ledger.srem(LISTS.withdrawals.months(mode), month)
  }
}

/** Whether an account of the month has a withdrawal that is in no file yet. */
async function isWaited(place: PayoutPlace, month: string): Promise<boolean> {
  for await (const accounts of accountsOf(place, 'withdrawals', [month])) {
    for (const account of accounts) {
      const [open] = (await readRecord(place, account, OPEN))?.split(' ') ?? []
      const text = open === undefined ? null
        : await readRecord(place, account, withdrawalField(open))
      if (readJson<Partial<Withdrawal>>(text ?? '{}').state === 'requested') return true
    }
  }
  return false
}

/**
 * Notes every account with withdrawals by their months and by those of the files that they are in;
 * looks at every key of the ledger once.
 */
export async function noteAllWithdrawals(place: Place): Promise<void> {
  const { ledger, mode } = place
  for await (const accounts of scanNames(ledger, scans.withdrawals[mode])) {
    for (const account of accounts) {
      const flat = await ledger.zrange(keys.withdrawals(account, mode), '0', '-1', 'WITHSCORES')
      const asked = scoredOf(flat)
      const texts = await readRecords(place, account,
        asked.map(({ member }) => withdrawalField(member)))
      const months = new Set(asked.flatMap(({ score }, index) => {
        const { exported } = readJson<Partial<Withdrawal>>(texts[index] ?? '{}')
        return [monthOf(score), ...exported === undefined ? [] : [exported]]
      }))
      for (const month of months) await noteAgain(place, 'withdrawals', account, month)
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
  place: PayoutPlace, account: string, month: string, end: number,
): AsyncGenerator<[id: string, record: Withdrawal, requestedAt: number]> {
  for (let from = 0; ; from += BATCH) {
    const flat = await place.ledger.zrangebyscore(keys.withdrawals(account, place.mode), '-inf',
      end === Infinity ? '+inf' : `(${end}`, 'WITHSCORES', 'LIMIT', from, BATCH)
    const ids = flat.filter((_, index) => index % 2 === 0)
    const texts = await readRecords(place, account, ids.map(withdrawalField))
    for (const [index, id] of ids.entries()) {
      const read = readJson<Withdrawal>(texts[index] ?? '{}')
      // Its day comes after the month: the next month's file has it.
      if ((read.payable_from ?? 0) >= end) continue
      const record = read.state === 'requested' ? await take(place, account, id, month) : read
      if (record?.exported === month) yield [id, record, Number(flat[index * 2 + 1])]
    }
    if (ids.length < BATCH) return
  }
}

/** Puts it into the month's file, once all its lots are named. */
async function take(
  place: Place, account: string, id: string, month: string,
): Promise<Withdrawal | undefined> {
  const field = withdrawalField(id)
  return await untilFresh(async () => {
    await fill(place, account, field)
    const text = await readRecord(place, account, field)
    const record = readJson<Withdrawal>(text ?? '{}')
    if (record.state !== 'requested') return record
    if (record.missing !== 0) throw new Error(`${id} has no lots for all of its fen`)
    await noteAccount(place, 'withdrawals', account, month)
    const after: Withdrawal = { ...record, state: 'exported', exported: month }
    const { codes } = await post(place, account, [{
      id: `${field}:exported`,
      facts: { withdrawal: id, amount: record.amount, month },
      records: [[field, text, JSON.stringify(after)]],
    }])
    return codes?.[0] === 'posted' ? after : undefined
  })
}
