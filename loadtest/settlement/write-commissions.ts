/** A ledger full of confirmed commissions, written past the scripts: a million would take hours. */
import { monthOf } from '../../src/earnings/month.ts'
import { type CommissionRecord, BPS, commissionOf } from '../../src/earnings/records.ts'
import type { RedisClient } from '../../src/redis/connect.ts'
import { ledger as keys } from '../../src/redis/keys.ts'

const BATCH = 500

/** As the scripts would have left it: an audit finds nothing. Returns the fen of all accounts. */
export async function writeCommissions(
  ledger: RedisClient, accounts: readonly string[], each: number, at: number,
): Promise<number> {
  let fen = 0
  for (const account of accounts) {
    let sum = 0
    for (let from = 0; from < each; from += BATCH) {
      sum += await writeBatch(ledger, account, { from, to: Math.min(each, from + BATCH), at })
    }
    await ledger.hset(keys.balances(account, 'sandbox'),
      { platform: -sum, pending: 0, confirmed: sum })
    await ledger.hset(keys.posted(account, 'sandbox'), 'calls', 1)
    fen += sum
  }
  return fen
}

async function writeBatch(
  ledger: RedisClient, account: string, { from, to, at }: { from: number, to: number, at: number },
): Promise<number> {
  const pipeline = ledger.pipeline()
  const records: string[] = []
  const posted: string[] = []
  const confirmed: (string | number)[] = []
  let sum = 0
  for (let index = from; index < to; index += 1) {
    const subject = `order:${account}-${index}`
    const amount = 1500 + (index * 7919) % 20_000
    const commission = commissionOf(amount, BPS)
    const facts = JSON.stringify({ amount, bps: BPS })
    sum += commission
    for (const [kind, legs] of [
      ['pending', `platform:${-commission} pending:${commission}`],
      ['confirmed', `pending:${-commission} confirmed:${commission}`],
    ] as const) {
      const place = `${at}-${index * 2 + (kind === 'pending' ? 1 : 2)}`
      pipeline.xadd(keys.entries(account, 'sandbox'), place,
        'id', `${subject}:${kind}`, 'at', at, 'legs', legs, 'facts', facts)
      posted.push(`${subject}:${kind}`, place)
    }
    records.push(subject, JSON.stringify({
      state: 'confirmed', amount, bps: BPS, commission, confirmed_at: at - index,
      month: monthOf(at - index),
    } satisfies CommissionRecord))
    confirmed.push(at - index, subject)
  }
  pipeline.hset(keys.posted(account, 'sandbox'), ...posted)
  pipeline.hset(keys.records(account, 'sandbox'), ...records)
  pipeline.zadd(keys.confirmed(account, 'sandbox'), ...confirmed)
  await pipeline.exec()
  return sum
}
