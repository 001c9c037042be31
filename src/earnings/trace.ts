/** The way of every fen: from an order to a payout, and from a payout back to its orders. */
import { isoTime } from '../contract/time.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import { readWith } from '../redis/send.ts'
import { findEntry, mergedInto, readRecord, type BookEntry, type EarningsReader } from './books.ts'
import {
  debtOf, lineOf, nextRound, orderOfSubject, orderSubject, readJson, takesField, withdrawalField,
  type Claimant, type CommissionRecord, type Take, type WithdrawalRecord,
} from './records.ts'
import { earnedByLine, earnedByOrder } from './commission.ts'
import { withdrawalOf } from './withdrawals.ts'

export type TraceLine =
  | { readonly what: 'order', readonly order: string, readonly account: string,
      readonly mode: Mode, readonly amount: number, readonly state: string }
  | { readonly what: 'entry', readonly account: string, readonly id: string, readonly at: string,
      readonly legs: BookEntry['legs'], readonly bps?: number }
  | { readonly what: 'lot', readonly subject: string, readonly state: string,
      readonly commission: number, readonly left: number, readonly month: string | null }
  | { readonly what: 'take', readonly taker: string, readonly subject: string,
      readonly order: string, readonly fen: number }
  | { readonly what: 'withdrawal', readonly withdrawal: string, readonly account: string,
      readonly mode: Mode, readonly amount: number, readonly state: string,
      readonly payout_month: string | null }
  | { readonly what: 'debt', readonly subject: string, readonly amount: number,
      readonly missing: number }

type Lines = AsyncGenerator<TraceLine>

/** By an order number, a platform's line (`mall_b:1234`) or a withdrawal's id. */
export async function* trace(ledger: RedisClient, name: string): Lines {
  const withdrawal = withdrawalOf(name)
  if (withdrawal) {
    yield* traceWithdrawal({ ledger, mode: withdrawal.mode }, name, true)
    return
  }
  const of = lineOf(name)
  const earned = of ? await earnedByLine(readWith(ledger), of.source, of.line)
    : await earnedByOrder(readWith(ledger), name)
  if (!earned) return
  const { account, mode, amount, state } = earned
  const store = { ledger, mode }
  yield { what: 'order', order: name, account, mode, amount, state }
  const subject = of ? name : orderSubject(name)
  const other = await mergedInto(ledger, account)
  if (other !== null) yield* entriesOf(store, account, subject, [`merge:${other}:${subject}`])
  yield* traceSubject(store, other ?? account, subject, other === null ? [] : [account])
}

async function* traceSubject(
  store: EarningsReader, account: string, subject: string, from: readonly string[],
): Lines {
  yield* entriesOf(store, account, subject, from.map((trial) => `merge:${trial}:${subject}`))
  const text = await readRecord(store, account, subject)
  if (text === null) return
  const { state, commission, left = 0, month = null, takes = {}, next } =
    readJson<CommissionRecord>(text)
  yield { what: 'lot', subject, state, commission, left, month }
  for (const [taker, fen] of Object.entries(takes)) {
    yield { what: 'take', taker, subject, order: orderOfSubject(subject), fen }
    if (taker.startsWith('withdrawal:')) {
      yield* traceWithdrawal(store, taker.slice('withdrawal:'.length), false)
    }
  }
  yield* traceDebt(store, account, subject)
  if (next !== undefined) yield* traceSubject(store, account, nextRound(subject), from)
}

/** Who paid for what was taken back after it was paid out. */
async function* traceDebt(store: EarningsReader, account: string, subject: string): Lines {
  const taker = debtOf(subject)
  const text = await readRecord(store, account, taker)
  if (text === null) return
  const { amount, missing, parts } = readJson<Claimant>(text)
  yield { what: 'debt', subject, amount, missing }
  yield* takesOf(store, account, taker, parts)
}

async function* traceWithdrawal(store: EarningsReader, id: string, isWhole: boolean): Lines {
  const account = withdrawalOf(id)?.account ?? ''
  const field = withdrawalField(id)
  const text = await readRecord(store, account, field)
  if (text === null) return
  const { amount, state, exported = null, parts } = readJson<WithdrawalRecord>(text)
  yield {
    what: 'withdrawal', withdrawal: id, account, mode: store.mode, amount, state,
    payout_month: exported,
  }
  for (const kind of ['requested', 'exported', 'paid', 'returning', 'failed']) {
    yield* entryLine(store, account, `${field}:${kind}`)
  }
  if (!isWhole) return
  for await (const line of takesOf(store, account, field, parts)) {
    yield line
    if (line.what === 'take') yield* traceDebt(store, account, line.subject)
  }
}

async function* takesOf(
  store: EarningsReader, account: string, taker: string, parts: number,
): Lines {
  for (let part = 0; part < parts; part += 1) {
    const text = await readRecord(store, account, takesField(taker, part))
    for (const [subject, fen] of readJson<Take[]>(text ?? '[]')) {
      yield { what: 'take', taker, subject, order: orderOfSubject(subject), fen }
    }
  }
}

async function* entriesOf(
  store: EarningsReader, account: string, subject: string, more: readonly string[],
): Lines {
  const ids = [`${subject}:pending`, `${subject}:confirmed`, ...more,
    `${subject}:settled`, `${subject}:reversed`, `${subject}:void`]
  for (const id of ids) yield* entryLine(store, account, id)
}

async function* entryLine(store: EarningsReader, account: string, id: string): Lines {
  const entry = await findEntry(store, account, id)
  if (!entry) return
  const bps = entry.facts['bps']
  yield {
    what: 'entry', account, id, at: isoTime(entry.at), legs: entry.legs,
    ...(typeof bps === 'number' && { bps }),
  }
}
