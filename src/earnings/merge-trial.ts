/** Everything that a trial key earned goes to the account that its binding code was entered in. */
import { Refusal } from '../contract/errors.ts'
import { MODES } from '../contract/money.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import {
  mergedInto, postEntries, readRecords, untilFresh, type EarningsStore, type Legs, type Posting,
} from './books.ts'
import { dayKeyOf, isSubject, readJson, type CommissionRecord } from './records.ts'

/** A batch is so many at once: far below what a script may take of the ledger's time. */
const BATCH = 200

interface MergeStore extends EarningsStore {
  readonly durable: Pick<Durable, 'run' | 'send' | 'read'>
}

/**
 * From its first step on nothing is posted to the trial any more. It may be cut off anywhere and
 * repeated; refuses with not_found what is no trial, or belongs to another account already.
 */
export async function mergeTrial(
  store: Omit<MergeStore, 'mode'>, trial: string, account: string,
): Promise<void> {
  const { ledger, durable } = store
  // Only a trial has never withdrawn: what others took of lots could not go along.
  const kind = await ledger.hget(keys.account(trial), 'kind')
  if (kind !== 'trial' || trial === account || await mergedInto(ledger, account) !== null) {
    throw new Refusal('not_found')
  }
  await durable.send('hsetnx', keys.account(trial), 'merged_into', account)
  if (await mergedInto(ledger, trial) !== account) throw new Refusal('not_found')
  for (const mode of MODES) await moveAll({ ...store, mode }, trial, account)
}

async function moveAll(store: EarningsStore, trial: string, account: string): Promise<void> {
  for (let cursor = '0'; ;) {
    const [next, found] = await store.ledger.hscan(
      keys.records(trial, store.mode), cursor, 'COUNT', BATCH)
    const subjects = found.filter((field, index) => index % 2 === 0 && isSubject(field))
    for (let from = 0; from < subjects.length; from += BATCH) {
      await moveSubjects(store, trial, account, subjects.slice(from, from + BATCH))
    }
    cursor = next
    if (cursor === '0') return
  }
}

/**
 * First they arrive, then they leave: cut off in between, the trial still names them, nothing can
 * be done with them there, and the next attempt finds them arrived.
 */
export async function moveSubjects(
  store: EarningsStore, trial: string, account: string, subjects: readonly string[],
): Promise<void> {
  await untilFresh(async () => {
    const texts = await readRecords(store, trial, subjects)
    const standing = subjects.flatMap((subject, index) => {
      const text = texts[index] ?? null
      if (text === null) return []
      const record = readJson<CommissionRecord>(text)
      return record.state === 'moved' ? [] : [{ subject, text, record }]
    })
    if (standing.length === 0) return true
    const { codes } = await postEntries(store, account,
      standing.map((one) => arrival(one, trial)))
    // `stale`: an earlier attempt, or another node's, had it arrive.
    if (!codes || codes.includes('short')) throw new Error('a merged account takes nothing in')
    const left = await postEntries(store, trial,
      standing.map((one) => departure(one, account)), account)
    return left.codes?.every((code) => code === 'posted' || code === 'known') ? true : undefined
  })
}

interface Moving {
  readonly subject: string
  readonly text: string
  readonly record: CommissionRecord
}

/** What it is worth while it is on its way, by the book that it stands in. */
function legsOf({ state, commission, takes = {} }: CommissionRecord, sign: 1 | -1): Legs {
  if (Object.keys(takes).length > 0) throw new Error('a trial cannot have withdrawn')
  const fen = sign * commission
  switch (state) {
    case 'pending': return { platform: -fen, pending: fen }
    case 'confirmed': return { platform: -fen, confirmed: fen }
    case 'settled': return { platform: -fen, withdrawable: fen }
    default: return {}
  }
}

function arrival({ subject, text, record }: Moving, trial: string): Posting {
  const at = record.confirmed_at ?? 0
  return {
    id: `merge:${trial}:${subject}`,
    legs: legsOf(record, 1),
    facts: { subject, amount: record.amount, bps: record.bps, from: trial },
    records: [[subject, null, text]],
    ...(record.state === 'confirmed' && { confirmed: [[subject, at] as const] }),
    ...(record.left && { lots: [[subject, at] as const] }),
    ...(record.state !== 'reversed' && { tally: {
      ...dayKeyOf(subject, record),
      orders: 1, amount: record.amount, commission: record.commission,
    } }),
  }
}

function departure({ subject, text, record }: Moving, account: string): Posting {
  return {
    id: `merge:${account}:${subject}`,
    legs: legsOf(record, -1),
    facts: { subject, amount: record.amount, bps: record.bps, to: account },
    records: [[subject, text, JSON.stringify({
      ...record, state: 'moved', to: account, left: 0,
    } satisfies CommissionRecord)]],
    confirmed: [[subject, null]],
    lots: [[subject, null]],
  }
}
