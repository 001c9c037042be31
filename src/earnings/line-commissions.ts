/** What lines of a platform's orders bring: by the account's books, else by its present terms. */
import type { OrderLine } from '../../adapters/index.ts'
import type { Mode } from '../money.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { mallSubject, readJson, type Commission } from './records.ts'
import { bpsAt, commissionOf } from './terms.ts'

export interface LineInMode {
  readonly line: OrderLine
  readonly mode: Mode
}

/** Where a line's commission is, and what stands there. */
interface Found {
  readonly key: string
  readonly record: Commission | undefined
}

/**
 * Fen, in the order of the lines: 0 of what was taken back. The books follow a line within a
 * second or two; a line that they do not have yet has what it would bring now.
 */
export async function lineCommissions(
  ledger: RedisClient, account: string, lines: readonly LineInMode[],
): Promise<number[]> {
  if (lines.length === 0) return []
  const places = lines.map(({ line: { source, line_id: id }, mode }) =>
    [keys.records(account, mode), mallSubject(source, id)] as const)
  const [terms, ...texts] = await runMany(ledger, [
    ['hget', keys.account(account), 'terms'], ...places.map((place) => ['hget', ...place] as const),
  ]) as (string | null)[]
  const found = await lastRounds(ledger,
    places.map(([key], index) => ({ key, record: recordOf(texts[index]) })))
  return lines.map(({ line: { status, amount, paid_at: paidAt } }, index) => {
    const record = found[index]?.record
    if (status === 'invalid' || record?.state === 'reversed') return 0
    return record?.commission ?? commissionOf(amount, bpsAt(terms, paidAt ?? undefined))
  })
}

const recordOf = (text: string | null | undefined): Commission | undefined =>
  (text ? readJson<Commission>(text) : undefined)

/** A line that changed its amount or came back goes on in another record; few ever do. */
async function lastRounds(
  ledger: RedisClient, found: readonly Found[],
): Promise<readonly Found[]> {
  const further = found.filter(({ record }) => record?.next !== undefined)
  if (further.length === 0) return found
  const texts = await runMany(ledger, further.map(({ key, record }) =>
    ['hget', key, record?.next ?? ''] as const)) as (string | null)[]
  const next = new Map(further.map((one, index) =>
    [one, { key: one.key, record: recordOf(texts[index]) }]))
  return await lastRounds(ledger, found.map((one) => next.get(one) ?? one))
}
