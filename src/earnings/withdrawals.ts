/** Withdrawals: one open at a time, never more than there is, and each fen of a named order. */
import { isoTime } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import { canonicalJson } from '../contract/json.ts'
import type { Mode } from '../contract/money.ts'
import { claim, keepClaim, type Attempt } from '../idempotency/claims.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import {
  post, readBalances, readRecord, readRecords, untilFresh, type Place, type Posting,
  type ReadPlace,
} from './books.ts'
import { fill, giveBack, payDebts } from './lots.ts'
import { checkPayee, createPayeeSeal, maskPayee, type Payee } from './payee.ts'
import {
  OPEN, openText, readJson, withdrawalField, type Withdrawal, type WithdrawalState,
} from './records.ts'

/** Fen: CNY 10. */
export const WITHDRAWAL_MIN = 1000

export interface WithdrawalPlace extends Place {
  readonly durable: Pick<Durable, 'run' | 'send' | 'read'>
  readonly secrets: Secrets
}

export interface WithdrawalRequest {
  /** A UUID, lower case and bare. */
  readonly idempotency_key: string
  /** Fen. */
  readonly amount: number
  readonly payee: Payee
  /** When it may be paid, ms; not part of the comparison with an earlier attempt. */
  readonly payable_from?: number
}

export interface WithdrawalView {
  readonly withdrawal_id: string
  readonly mode: Mode
  readonly amount: number
  readonly status: WithdrawalState
  readonly payee_masked: object
  readonly requested_at: string
  /** In no payout file of a month that ended before it. */
  readonly payable_from: string | null
  /** The month whose payout file it is in. */
  readonly payout_month: string | null
}

/** It names its account and its mode: whoever has the id finds the record without a look-up. */
const ID = /^wd_(live_)?[0-9A-Z]{16}_(.{1,64})$/
const OPERATION = {
  sandbox: 'withdrawal', live: 'withdrawal-live',
} as const satisfies Record<Mode, string>
const PREFIX = { sandbox: 'wd_', live: 'wd_live_' } as const satisfies Record<Mode, string>

/** Undefined where it is no id of a withdrawal. */
export function withdrawalOf(id: string): { account: string, mode: Mode } | undefined {
  const [, live, account] = ID.exec(id) ?? []
  return account === undefined ? undefined : { account, mode: live ? 'live' : 'sandbox' }
}

/** The same attempt has another id in each mode. */
export const withdrawalId = (
  secrets: Secrets, account: string, mode: Mode, key: string,
): string => `${PREFIX[mode]}${secrets.id(OPERATION[mode], account, key)}_${account}`

/** The account of an id in the books of this mode. */
const accountIn = ({ mode }: Pick<Place, 'mode'>, id: string): string | undefined => {
  const of = withdrawalOf(id)
  return of?.mode === mode ? of.account : undefined
}

/**
 * The same key gives the same withdrawal, whatever has become of it. Refuses with
 * withdrawal_refused, and says why: minimum, balance, open_withdrawal, trial or closed.
 */
export async function requestWithdrawal(
  place: WithdrawalPlace, account: string, request: WithdrawalRequest,
): Promise<WithdrawalView & { duplicate: boolean }> {
  const { durable, secrets, mode } = place
  const { amount, idempotency_key: key } = request
  if (!Number.isSafeInteger(amount) || amount < WITHDRAWAL_MIN) {
    throw new Refusal('withdrawal_refused', { why: 'minimum', minimum: WITHDRAWAL_MIN })
  }
  const payee = checkPayee(request.payee)
  const attempt: Attempt = { agent: account, operation: OPERATION[mode], key }
  // Keyed: a plain hash of a card number could be guessed back.
  const fingerprint = secrets.keyedHash('withdrawal', canonicalJson({ amount, payee }))
  const id = await claim(durable, attempt, {
    fingerprint, id: withdrawalId(secrets, account, mode, key),
  })
  const field = withdrawalField(id)
  const isNew = await readRecord(place, account, field) === null
    && await open(place, account, id, { ...request, payee })
  await fill(place, account, field)
  await keepClaim(durable, attempt)
  const view = await readWithdrawal(place, id)
  if (!view) throw new Refusal('unavailable')
  return { ...view, duplicate: !isNew }
}

/** True when it was made by this call; the money is set aside in the same step. */
async function open(
  place: WithdrawalPlace, account: string, id: string,
  { amount, payee, payable_from }: Omit<WithdrawalRequest, 'idempotency_key'>,
): Promise<boolean> {
  const { ledger, secrets } = place
  const kind = await ledger.hget(keys.account(account), 'kind')
  if (kind === 'trial') throw new Refusal('withdrawal_refused', { why: 'trial' })
  await payDebts(place, account)
  const field = withdrawalField(id)
  const record: Withdrawal = {
    state: 'requested', amount, missing: amount, parts: 0,
    payee: createPayeeSeal(secrets).seal(payee, id), payee_masked: maskPayee(payee),
    ...(payable_from !== undefined && { payable_from }),
  }
  const result = await post(place, account, [{
    id: `${field}:requested`,
    legs: { withdrawable: -amount, reserved: amount },
    facts: { withdrawal: id, amount },
    records: [[OPEN, null, openText(id, true)], [field, null, JSON.stringify(record)]],
    isSolvent: true,
    isOwned: true,
    withdrawal: id,
  }])
  const code = result.codes?.[0]
  if (code === 'posted') return true
  if (code === 'known') return false
  if (code === 'closed') throw new Refusal('withdrawal_refused', { why: 'closed' })
  if (code === 'short') {
    const { withdrawable } = await readBalances(place, account)
    throw new Refusal('withdrawal_refused', { why: 'balance', withdrawable })
  }
  if (await readRecord(place, account, field) !== null) return false
  throw new Refusal('withdrawal_refused', { why: 'open_withdrawal' })
}

export async function readWithdrawal(
  place: ReadPlace, id: string,
): Promise<WithdrawalView | undefined> {
  const account = accountIn(place, id)
  if (account === undefined) return undefined
  const [text = null] = await readRecords(place, account, [withdrawalField(id)])
  const requested = await place.ledger.zscore(keys.withdrawals(account, place.mode), id)
  return text === null ? undefined : viewOf(id, readJson(text), Number(requested))
}

const viewOf = (id: string, record: Withdrawal, requestedAt: number): WithdrawalView => ({
  withdrawal_id: id,
  mode: withdrawalOf(id)?.mode ?? 'sandbox',
  amount: record.amount,
  status: record.state,
  payee_masked: record.payee_masked,
  requested_at: isoTime(requestedAt),
  payable_from: record.payable_from === undefined ? null : isoTime(record.payable_from),
  payout_month: record.exported ?? null,
})

/** The latest first. */
export async function listWithdrawals(
  place: ReadPlace, account: string, count: number,
): Promise<WithdrawalView[]> {
  const flat = await place.ledger.zrevrange(
    keys.withdrawals(account, place.mode), '0', String(count - 1), 'WITHSCORES')
  const ids = flat.filter((_, index) => index % 2 === 0)
  const texts = await readRecords(place, account, ids.map(withdrawalField))
  return ids.flatMap((id, index) => {
    const text = texts[index] ?? null
    return text === null ? [] : [viewOf(id, readJson(text), Number(flat[index * 2 + 1]))]
  })
}

/** `refused`: something else was decided already; `missing`: there is no such withdrawal. */
export type MarkOutcome = 'marked' | 'done' | 'refused' | 'missing'

/**
 * What the operator's bank said, or that its owner cancelled it. Only what went out in a file can
 * be paid, and only what is in none can be cancelled.
 */
export async function markWithdrawal(
  place: Place, id: string, outcome: 'paid' | 'failed', { isCancel = false } = {},
): Promise<MarkOutcome> {
  const account = accountIn(place, id)
  if (account === undefined) return 'missing'
  const field = withdrawalField(id)
  const made = await untilFresh(async (): Promise<MarkOutcome | undefined> => {
    const text = await readRecord(place, account, field)
    if (text === null) return 'missing'
    const record = readJson<Withdrawal>(text)
    if (record.state === outcome || (record.state === 'returning' && outcome === 'failed')) {
      await post(place, account, [])
      return 'done'
    }
    const isOpen = record.state === 'requested' && outcome === 'failed'
    if (!isOpen && (record.state !== 'exported' || isCancel)) {
      return 'refused'
    }
    await fill(place, account, field)
    const now = await readRecord(place, account, field)
    if (now !== text) return undefined
    if (record.missing !== 0) throw new Error(`${id} has no lots for all of its fen`)
    const { codes } = await post(place, account,
      [outcome === 'paid' ? paid(id, text, record) : returning(id, text, record)])
    return codes?.[0] === 'posted' ? 'marked' : undefined
  })
  if (outcome === 'failed' && made !== 'refused' && made !== 'missing') {
    await giveBack(place, account, id)
    await payDebts(place, account)
  }
  return made
}

const paid = (id: string, text: string, record: Withdrawal): Posting => ({
  id: `${withdrawalField(id)}:paid`,
  legs: { reserved: -record.amount, paid: record.amount },
  facts: { withdrawal: id, amount: record.amount },
  records: [
    [withdrawalField(id), text, JSON.stringify({ ...record, state: 'paid' } satisfies Withdrawal)],
    [OPEN, openText(id, false), null],
  ],
})

/** The money is back at once; its lots follow, and until then it is still the open one. */
const returning = (id: string, text: string, record: Withdrawal): Posting => ({
  id: `${withdrawalField(id)}:returning`,
  legs: { reserved: -record.amount, withdrawable: record.amount },
  facts: { withdrawal: id, amount: record.amount },
  records: [[withdrawalField(id), text, JSON.stringify({
    ...record, state: 'returning', missing: -record.amount,
  } satisfies Withdrawal)], [OPEN, openText(id, false), openText(id, false)]],
})
