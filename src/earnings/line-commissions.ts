/** What orders bring: by the account's books; lines of platforms else by its present terms. */
import type { OrderLine } from '../../adapters/index.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import { mallSubject, readJson, type Commission } from './records.ts'
import { bpsAt, commissionOf } from './terms.ts'

export interface LineInMode {
  readonly line: OrderLine
  readonly mode: Mode
}

/** Where a commission is, and what stands there. */
interface Found {
  readonly key: string
  readonly record: Commission | undefined
}

/** What a commission is about, in the books of a mode. */
export interface SubjectInMode {
  readonly subject: string
  readonly mode: Mode
}

/** In the order of the subjects; undefined of those that the books do not have (yet). */
export async function readCommissions(
  ledger: RedisClient, account: string, subjects: readonly SubjectInMode[],
): Promise<(Commission | undefined)[]> {
  if (subjects.length === 0) return []
  const places = subjects.map(({ subject, mode }) =>
    [keys.records(account, mode), subject] as const)
  const texts = await runMany(ledger, places.map((place) => ['hget', ...place] as const)) as
    (string | null)[]
  const found = await lastRounds(ledger,
    places.map(([key], index) => ({ key, record: recordOf(texts[index]) })))
  return found.map(({ record }) => record)
}

/**
 * Fen, in the order of the lines: 0 of what was taken back. The books follow a line within a
 * second or two; a line that they do not have yet has what it would bring now.
 */
export async function lineCommissions(
  ledger: RedisClient, account: string, lines: readonly LineInMode[],
): Promise<number[]> {
  if (lines.length === 0) return []
  const [terms, records] = await Promise.all([
    ledger.hget(keys.account(account), 'terms'),
    readCommissions(ledger, account, lines.map(({ line: { source, line_id: id }, mode }) =>
      ({ subject: mallSubject(source, id), mode }))),
  ])
  return lines.map(({ line: { status, amount, paid_at: paidAt } }, index) => {
    const record = records[index]
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
