/** What must be true of earnings: by themselves, and beside the orders that they come from. */
import type { OrderLine } from '../../adapters/index.ts'
import { AT_REST, auditAccount, EARNINGS_INVARIANTS, type OnCommission } from '../earnings/audit.ts'
import { readRecord, type EarningsReader } from '../earnings/books.ts'
import {
  lineOf, orderOfSubject, orderSubject, readJson, type CommissionRecord,
} from '../earnings/records.ts'
import { earnedOf } from '../earnings/commission.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import { modeOf, MODES } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, scans } from '../redis/keys.ts'
import { scanNames } from '../redis/scan.ts'
import { runMany, type KeyCommand } from '../redis/send.ts'
import { isPast, type PartitionView, type StoredOrder } from './partition.ts'
import type { VerifyTally, Violation } from './report.ts'

export const EARNED_INVARIANTS = {
  earned: 'Once the worker has passed an order, its commission is of its amount and its state.',
  source: 'A commission is of an order, or of a platform\'s line, that there is, or taken back.',
} as const

/** By name, for a list of what is checked. */
export const EARNINGS_CHECKED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(EARNINGS_INVARIANTS).map(([name, says]) =>
    [`earnings_${name}`, says])),
  ...EARNED_INVARIANTS,
}

const TRIES_MAX = 5

/** Books that never rest are counted as `moving accounts`, and their entries alone are judged. */
export async function checkEarnings(ledger: RedisClient, tally: VerifyTally): Promise<void> {
  for (const mode of MODES) {
    for await (const accounts of scanNames(ledger, scans.earners[mode])) {
      for (const account of accounts) await checkAccount({ ledger, mode }, account, tally)
    }
  }
}

async function checkAccount(
  reader: EarningsReader, account: string, tally: VerifyTally,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const strays: Violation[] = []
    const { violations, entries, hasMoved } =
      await auditAccount(reader, account, strayed(reader, account, strays))
    if (hasMoved && tried < TRIES_MAX) continue
    tally.count('accounts with earnings')
    tally.count('earnings entries', entries)
    if (hasMoved) tally.count('moving accounts')
    tally.add(violations.filter(({ invariant }) => !hasMoved || !AT_REST.has(invariant))
      .map(({ invariant, detail }) =>
        ({ invariant: `earnings_${invariant}`, subject: account, detail })))
    tally.add(strays)
    return
  }
}

/** Lines keep the time of their last change, so a commission of the same time must agree. */
function strayed(
  { ledger, mode }: EarningsReader, account: string, strays: Violation[],
): OnCommission {
  return async (commissions) => {
    const replies = await runMany(ledger, commissions.map(([subject]): KeyCommand => {
      const name = orderOfSubject(subject)
      const of = lineOf(name)
      return of ? ['hmget', keys.mallOrder(of.source, of.line), 'data', 'mode']
        : ['hmget', keys.order(partitionOfOrder(name) ?? 0, name), 'amount', 'mode']
    }))
    for (const [index, [subject, record]] of commissions.entries()) {
      const [found = null, itsMode] = replies[index] as (string | null)[]
      const isOver = record.state === 'reversed' || record.state === 'moved'
      const detail = found === null ? isOver ? undefined : 'is no order'
        : modeOf(itsMode) === mode ? lineDetail(record, found) : `is of ${modeOf(itsMode)}`
      if (detail !== undefined) {
        strays.push({ invariant: 'source', subject: account, detail: `${subject} ${detail}` })
      }
    }
  }
}

function lineDetail({ version, amount, state, next }: CommissionRecord, data: string) {
  if (version === undefined || next !== undefined || state === 'moved') return undefined
  const line = JSON.parse(data) as OrderLine
  if (line.updated_at !== version) return undefined
  const isReversed = line.status === 'invalid'
  if (isReversed !== (state === 'reversed')) return `is ${state}, its line is ${line.status}`
  return isReversed || line.amount === amount ? undefined : `is of ${amount}, not ${line.amount}`
}

/** `view` was read before the orders: what it says was done is done. */
export async function earnedViolations(
  ledger: RedisClient, orders: readonly StoredOrder[], view: PartitionView,
): Promise<Violation[]> {
  const aside = new Set(view.aside.map(({ event }) => event.orderNo))
  const passed = orders.filter(({ orderNo, events }) =>
    isPast(view, events.at(-1)?.at ?? 0) && !aside.has(orderNo))
  const records = await commissionsOf(ledger, passed)
  return passed.flatMap((order, index) => {
    const detail = mismatch(order, records[index])
    return detail === undefined ? []
      : [{ invariant: 'earned', subject: order.orderNo, detail }]
  })
}

/** Of a merged trial's order, the one that has arrived, or the one that is still on its way. */
async function commissionsOf(
  ledger: RedisClient, orders: readonly StoredOrder[],
): Promise<(CommissionRecord | undefined)[]> {
  const own = await runMany(ledger, orders.flatMap(({ account, orderNo, mode }): KeyCommand[] => [
    ['hget', keys.account(account), 'merged_into'],
    ['hget', keys.records(account, mode), orderSubject(orderNo)],
  ])) as (string | null)[]
  const targets = orders.map(({ account }, index) => own[index * 2] ?? account)
  const arrived = await runMany(ledger, orders.map(({ orderNo, mode }, index): KeyCommand =>
    ['hget', keys.records(targets[index] ?? '', mode), orderSubject(orderNo)])) as (string | null)[]
  return await Promise.all(orders.map(async ({ account, mode }, index) => {
    const holder = arrived[index] === null ? account : targets[index] ?? account
    const text = arrived[index] ?? own[index * 2 + 1] ?? null
    return text === null ? undefined : await lastRound({ ledger, mode }, holder, readJson(text))
  }))
}

async function lastRound(
  reader: EarningsReader, account: string, record: CommissionRecord,
): Promise<CommissionRecord> {
  if (record.next === undefined) return record
  const text = await readRecord(reader, account, record.next)
  return text === null ? record : await lastRound(reader, account, readJson(text))
}

function mismatch(order: StoredOrder, record: CommissionRecord | undefined): string | undefined {
  const { state, amount } = earnedOf({ ...order, given: { account: order.account } } as never)
  if (!record) return state === 'none' ? undefined : `has no commission, and should be ${state}`
  const is = record.state === 'settled' ? 'confirmed' : record.state
  // Taken back, since the order was not paid after all.
  if (is === 'reversed' && state === 'none') return undefined
  if (is !== state) return `its commission is ${is}, and should be ${state}`
  return state === 'reversed' || record.amount === amount ? undefined
    : `its commission is of ${record.amount}`
}
