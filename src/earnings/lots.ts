/**
 * Settled commissions are lots, and every fen that leaves is taken from the oldest of them, by
 * name. At every moment: what is left of all lots = withdrawable + what takers still miss.
 */
import { ledger as keys } from '../redis/keys.ts'
import {
  post, readRecord, readRecords, untilFresh, type IndexChange, type Place, type Posting,
  type RecordChange,
} from './books.ts'
import {
  debtOf, OPEN, openText, partOf, readJson, withdrawalField, type Commission, type Take,
  type Taker, type Withdrawal,
} from './records.ts'

/** Lots of one script call. */
const BATCH = 200

/** Takes until the taker misses nothing, or no lot is left; in batches, to be repeated. */
export async function fill(place: Place, account: string, taker: string): Promise<void> {
  for (;;) {
    const isOver = await untilFresh(() => fillOnce(place, account, taker))
    if (isOver === 'over') return
  }
}

async function fillOnce(
  place: Place, account: string, taker: string,
): Promise<'over' | 'more' | undefined> {
  const { ledger } = place
  const text = await readRecord(place, account, taker)
  const before = text === null ? undefined : readJson<Taker>(text)
  if (!before || before.missing <= 0) return 'over'
  const subjects = await ledger.zrange(keys.lots(account, place.mode), '0', String(BATCH - 1))
  if (subjects.length === 0) return 'over'
  const texts = await readRecords(place, account, subjects)
  const takes: Take[] = []
  const records: RecordChange[] = []
  const emptied: IndexChange[] = []
  let { missing } = before
  for (const [index, subject] of subjects.entries()) {
    if (missing === 0) break
    const lotText = texts[index] ?? '{}'
    const lot = readJson<Commission>(lotText)
    const { left = 0, takes: taken = {} } = lot
    const fen = Math.min(left, missing)
    if (fen === 0) return undefined
    missing -= fen
    takes.push([subject, fen])
    records.push([subject, lotText, JSON.stringify({
      ...lot, left: left - fen, takes: { ...taken, [taker]: (taken[taker] ?? 0) + fen },
    } satisfies Commission)])
    if (left === fen) emptied.push([subject, null])
  }
  const after: Taker = { ...before, missing, parts: before.parts + 1 }
  const { codes } = await post(place, account, [{
    id: `${taker}:lots:${before.parts}`,
    facts: { lots: takes.length, fen: before.missing - missing },
    records: [
      [taker, text, JSON.stringify(after)],
      [partOf(taker, before.parts), null, JSON.stringify(takes)],
      ...records,
      ...(missing === 0 ? openFilled(taker) : []),
    ],
    lots: emptied,
    ...(missing === 0 && { debts: debtPaid(taker) }),
  }])
  return codes?.[0] === 'posted' ? missing === 0 ? 'over' : 'more' : undefined
}

function openFilled(taker: string): RecordChange[] {
  const id = /^withdrawal:(.*)$/.exec(taker)?.[1]
  return id === undefined ? [] : [[OPEN, openText(id, true), openText(id, false)]]
}

const debtPaid = (taker: string): IndexChange[] =>
  (taker.startsWith('debt:') ? [[taker.slice('debt:'.length), null]] : [])

/** A platform takes back many orders at once: one of them pays for all. */
const underWay = new WeakMap<object, Map<string, Promise<void>>>()

/**
 * Debts take the oldest lots first; what finds none waits for the next settlement. So does a debt
 * that comes in the moment in which others have just been paid.
 */
export async function payDebts(place: Place, account: string): Promise<void> {
  const ofPlace = underWay.get(place.durable) ?? new Map<string, Promise<void>>()
  underWay.set(place.durable, ofPlace)
  const books = keys.debts(account, place.mode)
  const paying = ofPlace.get(books)
    ?? payAll(place, account).finally(() => ofPlace.delete(books))
  ofPlace.set(books, paying)
  await paying
}

async function payAll(place: Place, account: string): Promise<void> {
  const { ledger } = place
  for (;;) {
    const [subject] = await ledger.zrange(keys.debts(account, place.mode), '0', '0')
    if (subject === undefined || await ledger.zcard(keys.lots(account, place.mode)) === 0) return
    // An open withdrawal's lots are its own.
    await finishOpen(place, account)
    await fill(place, account, debtOf(subject))
  }
}

/** Completes what a cut-off request began: its withdrawal names all its lots afterwards. */
export async function finishOpen(place: Place, account: string): Promise<void> {
  const open = await readRecord(place, account, OPEN)
  const [id, state] = open?.split(' ') ?? []
  if (id !== undefined && state === 'filling') await fill(place, account, withdrawalField(id))
}

/** Gives a failed withdrawal's lots back, the last part first; in batches, to be repeated. */
export async function giveBack(place: Place, account: string, id: string): Promise<void> {
  for (;;) {
    const isOver = await untilFresh(() => giveBackOnce(place, account, id))
    if (isOver === 'over') return
  }
}

async function giveBackOnce(
  place: Place, account: string, id: string,
): Promise<'over' | 'more' | undefined> {
  const taker = withdrawalField(id)
  const text = await readRecord(place, account, taker)
  const before = readJson<Withdrawal>(text ?? '{}')
  if (before.state !== 'returning') return 'over'
  const { parts, returned = 0, missing } = before
  if (returned === parts) {
    const { codes } = await post(place, account, [{
      id: `${taker}:failed`,
      facts: { amount: before.amount },
      records: [[taker, text, JSON.stringify({ ...before, state: 'failed' } satisfies Withdrawal)],
        [OPEN, openText(id, false), null]],
    }])
    return codes?.[0] === 'posted' ? 'over' : undefined
  }
  const part = parts - returned - 1
  const takes = readJson<Take[]>(await readRecord(place, account, partOf(taker, part)) ?? '[]')
  const texts = await readRecords(place, account, takes.map(([subject]) => subject))
  const fen = takes.reduce((sum, [, one]) => sum + one, 0)
  const after: Withdrawal = { ...before, returned: returned + 1, missing: missing + fen }
  const { codes } = await post(place, account, [backPosting({
    id: `${taker}:back:${part}`, taker, takes, texts, fen,
    change: [taker, text, JSON.stringify(after)],
  })])
  return codes?.[0] === 'posted' ? 'more' : undefined
}

function backPosting({ id, taker, takes, texts, fen, change }: {
  id: string, taker: string, takes: readonly Take[], texts: readonly (string | null)[],
  fen: number, change: RecordChange,
}): Posting {
  const lots: IndexChange[] = []
  const records = takes.map(([subject, one], index): RecordChange => {
    const text = texts[index] ?? '{}'
    const lot = readJson<Commission>(text)
    const rest = (lot.takes?.[taker] ?? 0) - one
    const { [taker]: _, ...others } = lot.takes ?? {}
    lots.push([subject, lot.confirmed_at ?? 0])
    return [subject, text, JSON.stringify({
      ...lot, left: (lot.left ?? 0) + one,
      takes: rest > 0 ? { ...others, [taker]: rest } : others,
    } satisfies Commission)]
  })
  return { id, facts: { lots: takes.length, fen }, records: [change, ...records], lots }
}
