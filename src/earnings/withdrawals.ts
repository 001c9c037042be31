/** Withdrawals: one open at a time, never more than there is, and each fen of a named order. */
import { isoTime } from '../contract/time.ts'
import { Refusal, type FieldProblem } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import { canonicalJson } from '../contract/json.ts'
import type { Mode } from '../contract/money.ts'
import { claim, keepClaim, type Attempt } from '../idempotency/claims.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import {
  postEntries, readBalances, readRecord, readRecords, untilFresh, type EarningsReader,
  type EarningsStore, type Posting,
} from './books.ts'
import { allocate, payDebts, release } from './lots.ts'
import {
  OPEN, openText, readJson, withdrawalField, type WithdrawalRecord, type WithdrawalState,
} from './records.ts'

/** Fen: CNY 10. */
export const WITHDRAWAL_MIN = 1000

export interface WithdrawalStore extends EarningsStore {
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
const accountIn = ({ mode }: Pick<EarningsStore, 'mode'>, id: string): string | undefined => {
  const of = withdrawalOf(id)
  return of?.mode === mode ? of.account : undefined
}

/**
 * The same key gives the same withdrawal, whatever has become of it. Refuses with
 * withdrawal_refused, and says why: minimum, balance, open_withdrawal, trial or closed.
 */
export async function makeWithdrawal(
  store: WithdrawalStore, account: string, request: WithdrawalRequest,
): Promise<WithdrawalView & { duplicate: boolean }> {
  const { durable, secrets, mode } = store
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
  const isNew = await readRecord(store, account, field) === null
    && await open(store, account, id, { ...request, payee })
  await allocate(store, account, field)
  await keepClaim(durable, attempt)
  const view = await readWithdrawal(store, id)
  if (!view) throw new Refusal('unavailable')
  return { ...view, duplicate: !isNew }
}

/** True when it was made by this call; the money is set aside in the same step. */
async function open(
  store: WithdrawalStore, account: string, id: string,
  { amount, payee, payable_from }: Omit<WithdrawalRequest, 'idempotency_key'>,
): Promise<boolean> {
  const { ledger, secrets } = store
  const kind = await ledger.hget(keys.account(account), 'kind')
  if (kind === 'trial') throw new Refusal('withdrawal_refused', { why: 'trial' })
  await payDebts(store, account)
  const field = withdrawalField(id)
  const record: WithdrawalRecord = {
    state: 'requested', amount, missing: amount, parts: 0,
    payee: createPayeeSeal(secrets).seal(payee, id), payee_masked: maskPayee(payee),
    ...(payable_from !== undefined && { payable_from }),
  }
  const result = await postEntries(store, account, [{
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
    const { withdrawable } = await readBalances(store, account)
    throw new Refusal('withdrawal_refused', { why: 'balance', withdrawable })
  }
  if (await readRecord(store, account, field) !== null) return false
  throw new Refusal('withdrawal_refused', { why: 'open_withdrawal' })
}

export async function readWithdrawal(
  store: EarningsReader, id: string,
): Promise<WithdrawalView | undefined> {
  const account = accountIn(store, id)
  if (account === undefined) return undefined
  const [text = null] = await readRecords(store, account, [withdrawalField(id)])
  const requested = await store.ledger.zscore(keys.withdrawals(account, store.mode), id)
  return text === null ? undefined : viewOf(id, readJson(text), Number(requested))
}

const viewOf = (id: string, record: WithdrawalRecord, requestedAt: number): WithdrawalView => ({
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
export async function readWithdrawals(
  store: EarningsReader, account: string, count: number,
): Promise<WithdrawalView[]> {
  const flat = await store.ledger.zrevrange(
    keys.withdrawals(account, store.mode), '0', String(count - 1), 'WITHSCORES')
  const ids = flat.filter((_, index) => index % 2 === 0)
  const texts = await readRecords(store, account, ids.map(withdrawalField))
  return ids.flatMap((id, index) => {
    const text = texts[index] ?? null
    return text === null ? [] : [viewOf(id, readJson(text), Number(flat[index * 2 + 1]))]
  })
}

/** `refused`: something else was decided already; `missing`: there is no such withdrawal. */
type MarkOutcome = 'marked' | 'done' | 'refused' | 'missing'

/**
 * What the operator's bank said, or that its owner cancelled it. Only what went out in a file can
 * be paid, and only what is in none can be cancelled.
 */
export async function markWithdrawal(
  store: EarningsStore, id: string, outcome: 'paid' | 'failed', { isCancel = false } = {},
): Promise<MarkOutcome> {
  const account = accountIn(store, id)
  if (account === undefined) return 'missing'
  const field = withdrawalField(id)
  const made = await untilFresh(async (): Promise<MarkOutcome | undefined> => {
    const text = await readRecord(store, account, field)
    if (text === null) return 'missing'
    const record = readJson<WithdrawalRecord>(text)
    if (record.state === outcome || (record.state === 'returning' && outcome === 'failed')) {
      await postEntries(store, account, [])
      return 'done'
    }
    const isOpen = record.state === 'requested' && outcome === 'failed'
    if (!isOpen && (record.state !== 'exported' || isCancel)) {
      return 'refused'
    }
    await allocate(store, account, field)
    const now = await readRecord(store, account, field)
    if (now !== text) return undefined
    if (record.missing !== 0) throw new Error(`${id} has no lots for all of its fen`)
    const { codes } = await postEntries(store, account,
      [outcome === 'paid' ? paid(id, text, record) : returning(id, text, record)])
    return codes?.[0] === 'posted' ? 'marked' : undefined
  })
  if (outcome === 'failed' && made !== 'refused' && made !== 'missing') {
    await release(store, account, id)
    await payDebts(store, account)
  }
  return made
}

const paid = (id: string, text: string, record: WithdrawalRecord): Posting => ({
  id: `${withdrawalField(id)}:paid`,
  legs: { reserved: -record.amount, paid: record.amount },
  facts: { withdrawal: id, amount: record.amount },
  records: [
    [withdrawalField(id), text,
      JSON.stringify({ ...record, state: 'paid' } satisfies WithdrawalRecord)],
    [OPEN, openText(id, false), null],
  ],
})

/** The money is back at once; its lots follow, and until then it is still the open one. */
const returning = (id: string, text: string, record: WithdrawalRecord): Posting => ({
  id: `${withdrawalField(id)}:returning`,
  legs: { reserved: -record.amount, withdrawable: record.amount },
  facts: { withdrawal: id, amount: record.amount },
  records: [[withdrawalField(id), text, JSON.stringify({
    ...record, state: 'returning', missing: -record.amount,
  } satisfies WithdrawalRecord)], [OPEN, openText(id, false), openText(id, false)]],
})

export type Payee =
  { readonly kind: 'payment_app', readonly account: string, readonly holder: string }
  | { readonly kind: 'bank_card', readonly card: string, readonly holder: string }

/** A phone number or an e-mail address; nothing that a spreadsheet takes for a formula. */
const APP_ACCOUNT = /^[0-9A-Za-z][0-9A-Za-z._%+@-]{3,63}$/
const HOLDER = /^\p{L}[\p{L}\p{M} .·'’-]{1,39}$/u
const CARD = /^\d{12,19}$/

/** All problems at once; a card's number may be written in groups. */
export function checkPayee(given: Payee): Payee {
  const fields: FieldProblem[] = []
  const holder = given.holder.normalize('NFC').trim()
  if (!HOLDER.test(holder)) {
    fields.push({ path: 'payee.holder', problem: 'must be a name of 2 to 40 letters' })
  }
  if (given.kind === 'payment_app') {
    const account = given.account.trim()
    if (!APP_ACCOUNT.test(account)) {
      fields.push({ path: 'payee.account', problem: 'must be a phone number or an e-mail address' })
    }
    if (fields.length === 0) return { kind: 'payment_app', account, holder }
  } else {
    const card = given.card.replaceAll(/[ -]/g, '')
    if (!CARD.test(card) || !passesLuhn(card)) {
      fields.push({ path: 'payee.card', problem: 'must be a card number of 12 to 19 digits' })
    }
    if (fields.length === 0) return { kind: 'bank_card', card, holder }
  }
  throw new Refusal('invalid_request', { fields })
}

/** ISO/IEC 7812: every second digit from the right is doubled. Card numbers begin above zero. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0 && !/^0+$/.test(digits)
}

/** Enough for its owner to recognise it. */
export function maskPayee(payee: Payee): Record<string, string> {
  const holder = `${[...payee.holder][0] ?? ''}*`
  if (payee.kind === 'bank_card') {
    return { kind: payee.kind, card: `**** ${payee.card.slice(-4)}`, holder }
  }
  const [name = '', host] = payee.account.split('@')
  const account = host === undefined ? `****${name.slice(-2)}` : `${name[0] ?? ''}***@${host}`
  return { kind: payee.kind, account, holder }
}

/** Bound to the withdrawal: an envelope moved to another one does not open. */
export function createPayeeSeal(secrets: Pick<Secrets, 'seal'>) {
  const { seal, open } = secrets.seal('payee')
  return {
    seal: (payee: Payee, withdrawal: string): string => seal(JSON.stringify(payee), withdrawal),
    open: (envelope: string, withdrawal: string): Payee =>
      JSON.parse(open(envelope, withdrawal)) as Payee,
  }
}
