/** Balances, withdrawals and payouts of an account. */
import { Type } from 'typebox'
import { isoTime, nowMs } from '../../contract/time.ts'
import { monthBounds, monthOf } from '../../earnings/month.ts'
import { checkPayee, maskPayee, WITHDRAWAL_MIN } from '../../earnings/withdrawals.ts'
import { WITHDRAWAL_MOVES } from '../../earnings/earnings.ts'
import { MODES } from '../../contract/money.ts'
import { Refusal } from '../../contract/errors.ts'
import { canonicalJson } from '../../contract/json.ts'
import { defineOperation } from '../../operations/define.ts'
import {
  CLOSED, Fen, IdempotencyKey, like, Nullable, OneOf, Optional, Text, Time,
} from '../../contract/fields.ts'
import { ledger as keys } from '../../redis/keys.ts'
import { Done, Month, NoInput, Password } from './fields.ts'

const WithdrawalId = like(
  Type.String({ pattern: '^wd_[0-9A-Za-z_-]{8,100}$', description: 'Id of a withdrawal' }),
  'wd_0123456789ABCDEF_ac_0123456789ABCDEF')
const SHOWN_MAX = 100

const BooksMode =
  OneOf(MODES, '`sandbox` is pretended money, which nobody is paid; `live` is real')

const Withdrawal = Type.Object({
  withdrawal_id: Text(100),
  mode: BooksMode,
  amount: Fen('In fen'),
  status: OneOf(['requested', 'exported', 'paid', 'returning', 'failed']),
  payee_masked: Type.Record(Type.String(), Type.String()),
  requested_at: Time,
  payable_from: Nullable(Time),
  payout_month: Nullable(Month),
}, CLOSED)

const Balances = Type.Object({
  pending: Fen('Of paid orders that are not completed'),
  confirmed: Fen('Of completed orders, until their month is settled'),
  withdrawable: Type.Integer({ description: 'Below zero: paid out, and taken back later' }),
  reserved: Fen('In the open withdrawal'),
  paid: Fen('Paid out so far'),
}, { ...CLOSED, description: 'In fen' })

export const getEarnings = defineOperation({
  name: 'get_earnings',
  title: 'Earnings',
  description: 'Balances in fen, the rate of new commissions in basis points, and when the next '
    + 'settlement is.',
  access: 'owner',
  effect: 'read',
  route: 'GET /earnings',
  input: NoInput,
  output: Type.Object({
    mode: BooksMode,
    balances: Balances,
    rate_bps: Type.Integer({ minimum: 0, maximum: 10_000 }),
    withdrawal_minimum: Fen('In fen'),
    settles_at: Time,
    since: Nullable({ ...Time, description: 'When the account was made' }),
  }, CLOSED),
  fails: [],
  example: {},
  async handle(_, { caller: { account }, services: { earnings, ledger } }) {
    const [{ platform: _counter, ...balances }, rate_bps, since] = await Promise.all([
      earnings.balances(account), earnings.rate(account),
      ledger.hget(keys.account(account), 'created_at'),
    ])
    const settlesAt = monthBounds(monthOf(nowMs()))?.end ?? 0
    return {
      mode: earnings.mode, balances, rate_bps, withdrawal_minimum: WITHDRAWAL_MIN,
      settles_at: isoTime(settlesAt), since,
    }
  },
})

export const listWithdrawals = defineOperation({
  name: 'list_withdrawals',
  title: 'Withdrawals',
  description: `The last ${SHOWN_MAX}, newest first. Payees are masked.`,
  access: 'owner',
  effect: 'read',
  route: 'GET /withdrawals',
  input: NoInput,
  output: Type.Object({ withdrawals: Type.Array(Withdrawal) }, CLOSED),
  fails: [],
  example: {},
  async handle(_, { caller, services }) {
    return { withdrawals: await services.earnings.withdrawals(caller.account, SHOWN_MAX) as never }
  },
})

const Holder = Text(40, 'Whom the account belongs to', 2)
const Payee = Type.Union([
  Type.Object({
    kind: Type.Literal('payment_app'),
    account: Text(64, 'Phone number or e-mail address of the payment app\'s account', 4),
    holder: Holder,
  }, CLOSED),
  Type.Object({
    kind: Type.Literal('bank_card'),
    card: Text(32, 'Number of the card, with or without spaces', 12),
    holder: Holder,
  }, CLOSED),
])

export const requestWithdrawal = defineOperation({
  name: 'request_withdrawal',
  title: 'Request a withdrawal',
  description: 'From CNY 10, one at a time, once the address is confirmed. It goes out with the '
    + 'month\'s payout file. A payee that was not used before needs the password and waits until '
    + '`payable_from`. The same Idempotency-Key gives the same withdrawal.',
  access: 'owner',
  effect: 'create',
  route: 'POST /withdrawals',
  input: Type.Object({
    idempotency_key: IdempotencyKey,
    amount: like(Fen('In fen'), 1000),
    payee: Payee,
    password: Optional(Password),
  }, CLOSED),
  output: Type.Object({ ...Withdrawal.properties, duplicate: Type.Boolean() }, CLOSED),
  fails: ['withdrawal_refused', 'idempotency_mismatch'],
  example: {
    idempotency_key: '7f1f8e5e-3c1b-4a67-9d0e-5b8f2f8f6a10', amount: 1000,
    payee: { kind: 'payment_app', account: '13800001234', holder: '张三' },
    password: 'correct horse battery staple',
  },
  async handle({ idempotency_key, amount, payee: given, password }, { caller, services }) {
    const payee = checkPayee(given)
    const payable_from = await services.accounts.payableFrom(caller.account, {
      fingerprint: canonicalJson(payee), masked: Object.values(maskPayee(payee)).join(' '),
      ...(password !== undefined && { password }),
    }, caller.client.address)
    return await services.earnings.withdraw(caller.account, {
      idempotency_key, amount, payee, payable_from,
    }) as never
  },
})

export const cancelWithdrawal = defineOperation({
  name: 'cancel_withdrawal',
  title: 'Cancel a withdrawal',
  description: 'Until it is in a payout file. The money is withdrawable again.',
  access: 'owner',
  effect: 'update',
  route: 'DELETE /withdrawals/:withdrawal_id',
  input: Type.Object({ withdrawal_id: WithdrawalId }, CLOSED),
  output: Done,
  fails: ['not_found'],
  example: { withdrawal_id: 'wd_0123456789ABCDEF_ac_0123456789ABCDEF' },
  async handle({ withdrawal_id }, { caller, services }) {
    if (!await services.earnings.cancel(caller.account, withdrawal_id)) {
      throw new Refusal('not_found', {
        hint: 'It is in a payout file already, or not a withdrawal of this account.',
      })
    }
    return {}
  },
})

export const endSandboxMonthOperation = defineOperation({
  name: 'end_sandbox_month',
  title: 'End the month in the sandbox',
  description: 'Settles what was confirmed so far, as the end of a month does: it is withdrawable '
    + 'at once. Pretended money only.',
  access: 'owner',
  effect: 'update',
  route: 'POST /earnings/month-end',
  input: NoInput,
  output: Type.Object({
    entries: Type.Integer({ minimum: 0, description: 'Commissions that were settled' }),
    fen: Fen('Their sum, in fen'),
  }, CLOSED),
  fails: ['not_configured'],
  example: {},
  async handle(_, { caller, services }) {
    return await services.earnings.endSandboxMonth(caller.account)
  },
})

export const moveSandboxWithdrawalOperation = defineOperation({
  name: 'move_sandbox_withdrawal',
  title: 'Pay a withdrawal in the sandbox',
  description: 'Does what the operator and a bank would do: `pay` puts it into the month\'s payout '
    + 'file and pays it, `fail` gives its money back. Pretended money only.',
  access: 'owner',
  effect: 'update',
  route: 'POST /withdrawals/:withdrawal_id/moves',
  input: Type.Object({ withdrawal_id: Text(100), move: OneOf(WITHDRAWAL_MOVES) }, CLOSED),
  output: Withdrawal,
  fails: ['not_found', 'withdrawal_refused', 'not_configured'],
  example: { withdrawal_id: 'wd_5S0B3T7Q9D2KXW4M_ac_7f3k9q', move: 'pay' },
  async handle({ withdrawal_id, move }, { caller, services }) {
    return await services.earnings.moveSandboxWithdrawal(
      caller.account, withdrawal_id, move) as never
  },
})
