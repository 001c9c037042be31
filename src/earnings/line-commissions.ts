/** What lines of a platform's orders bring: by the account's books, else by its present terms. */
import type { OrderLine } from '../../adapters/index.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { readRecords } from './books.ts'
import { mallSubject, readJson, type Commission } from './records.ts'
import { bpsAt, commissionOf } from './terms.ts'

/**
 * Fen, in the order of the lines: 0 of what was taken back. The books follow a line within a
 * second or two; a line that they do not have yet has what it would bring now.
 */
export async function lineCommissions(
  ledger: RedisClient, account: string, lines: readonly OrderLine[],
): Promise<number[]> {
  if (lines.length === 0) return []
  const subjects = lines.map(({ source, line_id: id }) => mallSubject(source, id))
  const [terms, texts] = await runMany(ledger, [
    ['hget', keys.account(account), 'terms'], ['hmget', keys.records(account), ...subjects],
  ]) as [string | null, (string | null)[]]
  const records = await lastRounds(ledger, account, texts.map(recordOf))
  return lines.map(({ status, amount, paid_at: paidAt }, index) => {
    const record = records[index]
    if (status === 'invalid' || record?.state === 'reversed') return 0
    return record?.commission ?? commissionOf(amount, bpsAt(terms, paidAt ?? undefined))
  })
}

const recordOf = (text: string | null | undefined): Commission | undefined =>
  (text ? readJson<Commission>(text) : undefined)

/** A line that changed its amount or came back goes on in another record; few ever do. */
async function lastRounds(
  ledger: RedisClient, account: string, records: readonly (Commission | undefined)[],
): Promise<readonly (Commission | undefined)[]> {
  const further = records.flatMap((record) => record?.next ?? [])
  if (further.length === 0) return records
  const found = (await readRecords(ledger, account, further)).map(recordOf)
  const next = new Map(further.map((subject, index) => [subject, found[index]]))
  return await lastRounds(ledger, account, records.map((record) =>
    (record?.next === undefined ? record : next.get(record.next))))
}
