/** The way of every fen: from an order to a payout, and from a payout back to its orders. */
import { isoTime } from '../clock.ts'
import type { RedisClient } from '../redis/connect.ts'
import { readWith } from '../redis/slots.ts'
import { findEntry, mergedInto, readRecord, type Entry } from './books.ts'
import {
  debtOf, lineOf, nextRound, orderOf, orderSubject, partOf, readJson, withdrawalField,
  type Commission, type Take, type Taker, type Withdrawal,
} from './records.ts'
import { earnedByLine, earnedByOrder } from './sources.ts'
import { accountOfWithdrawal } from './withdrawals.ts'

export type TraceLine =
  | { readonly what: 'order', readonly order: string, readonly account: string,
      readonly amount: number, readonly state: string }
  | { readonly what: 'entry', readonly account: string, readonly id: string, readonly at: string,
      readonly legs: Entry['legs'], readonly bps?: number }
  | { readonly what: 'lot', readonly subject: string, readonly state: string,
      readonly commission: number, readonly left: number, readonly month: string | null }
  | { readonly what: 'take', readonly taker: string, readonly subject: string,
      readonly order: string, readonly fen: number }
  | { readonly what: 'withdrawal', readonly withdrawal: string, readonly account: string,
      readonly amount: number, readonly state: string, readonly payout_month: string | null }
  | { readonly what: 'debt', readonly subject: string, readonly amount: number,
      readonly missing: number }

type Lines = AsyncGenerator<TraceLine>

/** By an order number, a platform's line (`mall_b:1234`) or a withdrawal's id. */
export async function* trace(ledger: RedisClient, name: string): Lines {
  if (accountOfWithdrawal(name) !== undefined) {
    yield* traceWithdrawal(ledger, name, true)
    return
  }
  const of = lineOf(name)
  const earned = of ? await earnedByLine(readWith(ledger), of.source, of.line)
    : await earnedByOrder(readWith(ledger), name)
  if (!earned) return
  const { account, amount, state } = earned
  yield { what: 'order', order: name, account, amount, state }
  const subject = of ? name : orderSubject(name)
  const other = await mergedInto(ledger, account)
  if (other !== null) yield* entriesOf(ledger, account, subject, [`merge:${other}:${subject}`])
  yield* traceSubject(ledger, other ?? account, subject, other === null ? [] : [account])
}

async function* traceSubject(
  ledger: RedisClient, account: string, subject: string, from: readonly string[],
): Lines {
  yield* entriesOf(ledger, account, subject, from.map((trial) => `merge:${trial}:${subject}`))
  const text = await readRecord(ledger, account, subject)
  if (text === null) return
  const { state, commission, left = 0, month = null, takes = {}, next } =
    readJson<Commission>(text)
  yield { what: 'lot', subject, state, commission, left, month }
  for (const [taker, fen] of Object.entries(takes)) {
    yield { what: 'take', taker, subject, order: orderOf(subject), fen }
    if (taker.startsWith('withdrawal:')) {
      yield* traceWithdrawal(ledger, taker.slice('withdrawal:'.length), false)
    }
  }
  yield* traceDebt(ledger, account, subject)
  if (next !== undefined) yield* traceSubject(ledger, account, nextRound(subject), from)
}

/** Who paid for what was taken back after it was paid out. */
async function* traceDebt(ledger: RedisClient, account: string, subject: string): Lines {
  const taker = debtOf(subject)
  const text = await readRecord(ledger, account, taker)
  if (text === null) return
  const { amount, missing, parts } = readJson<Taker>(text)
  yield { what: 'debt', subject, amount, missing }
  yield* takesOf(ledger, account, taker, parts)
}

async function* traceWithdrawal(ledger: RedisClient, id: string, isWhole: boolean): Lines {
  const account = accountOfWithdrawal(id) ?? ''
  const field = withdrawalField(id)
  const text = await readRecord(ledger, account, field)
  if (text === null) return
  const { amount, state, exported = null, parts } = readJson<Withdrawal>(text)
  yield { what: 'withdrawal', withdrawal: id, account, amount, state, payout_month: exported }
  for (const kind of ['requested', 'exported', 'paid', 'returning', 'failed']) {
    yield* entryLine(ledger, account, `${field}:${kind}`)
  }
  if (!isWhole) return
  for await (const line of takesOf(ledger, account, field, parts)) {
    yield line
    if (line.what === 'take') yield* traceDebt(ledger, account, line.subject)
  }
}

async function* takesOf(
  ledger: RedisClient, account: string, taker: string, parts: number,
): Lines {
  for (let part = 0; part < parts; part += 1) {
    const text = await readRecord(ledger, account, partOf(taker, part))
    for (const [subject, fen] of readJson<Take[]>(text ?? '[]')) {
      yield { what: 'take', taker, subject, order: orderOf(subject), fen }
    }
  }
}

async function* entriesOf(
  ledger: RedisClient, account: string, subject: string, more: readonly string[],
): Lines {
  const ids = [`${subject}:pending`, `${subject}:confirmed`, ...more,
    `${subject}:settled`, `${subject}:reversed`, `${subject}:void`]
  for (const id of ids) yield* entryLine(ledger, account, id)
}

async function* entryLine(ledger: RedisClient, account: string, id: string): Lines {
  const entry = await findEntry(ledger, account, id)
  if (!entry) return
  const bps = entry.facts['bps']
  yield {
    what: 'entry', account, id, at: isoTime(entry.at), legs: entry.legs,
    ...(typeof bps === 'number' && { bps }),
  }
}
