/** The file by which the operator pays a month's withdrawals. */
import { isoTime } from '../clock.ts'
import type { Secrets } from '../ids.ts'
import type { Mode } from '../money.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { post, readRecord, readRecords, untilFresh, type Place } from './books.ts'
import { csvLine } from './csv.ts'
import { fill } from './lots.ts'
import { createPayeeSeal, maskPayee, type Payee } from './payee.ts'
import { readJson, withdrawalField, type Withdrawal } from './records.ts'

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

/**
 * All that was asked for, and payable, until the month's end and is in no earlier file, as CSV.
 * It marks them, so that the same month gives the same file; it must be over. Real payees are in
 * clear; those of the sandbox stay masked and each of its lines says so: nobody can pay it.
 */
export async function exportPayouts(
  place: PayoutPlace, month: string, end: number,
): Promise<{ readonly csv: string, readonly count: number, readonly fen: number }> {
  const { ledger, mode, secrets } = place
  const { open } = createPayeeSeal(secrets)
  const lines = new Map<string, string>()
  let fen = 0
  const walked = place.accounts ? [place.accounts] : scanNames(ledger, scans.withdrawals[mode])
  for await (const accounts of walked) {
    for (const account of accounts) {
      for await (const [id, record, at] of payoutsOf(place, account, month, end)) {
        if (lines.has(id)) continue
        fen += record.amount
        lines.set(id, csvLine([id, account, record.amount, (record.amount / 100).toFixed(2),
          ...payeeCells(mode, open(record.payee, id)), isoTime(at),
          mode === 'live' ? mode : PRETENDED]))
      }
    }
  }
  const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  return { csv: [csvLine(COLUMNS), ...sorted].join(''), count: lines.size, fen }
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
    const after: Withdrawal = { ...record, state: 'exported', exported: month }
    const { codes } = await post(place, account, [{
      id: `${field}:exported`,
      facts: { withdrawal: id, amount: record.amount, month },
      records: [[field, text, JSON.stringify(after)]],
    }])
    return codes?.[0] === 'posted' ? after : undefined
  })
}
