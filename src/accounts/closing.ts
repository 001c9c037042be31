/**
 * Closing an account: never while a withdrawal is under way, nor silently with money in it, nor by
 * an owner who owes.
 */
import { Refusal } from '../contract/errors.ts'
import type { Mode } from '../contract/money.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

export interface ClosingOptions {
  /** Gives up what is left in the books. */
  readonly forfeit?: boolean
  /** Gives up what is owed: the operator's decision. */
  readonly writeOff?: boolean
}

type Reply =
  ['done' | 'none' | 'open'] | ['money', ...fen: [number, number, number]] | ['debt', number]

const accountClose = defineScript('account-close',
  ['account', 'login', 'balances', 'records', 'live_balances', 'live_records'],
  ['state', 'forfeit', 'write_off', 'mode'], (reply: Reply) => reply)

/**
 * The first step decides, together with the books: a withdrawal that comes at the same time is
 * either under way before it, or refused after it. False when there is no such account; refuses
 * with withdrawal_refused, and says why: open_withdrawal, money_left or debt with their fen.
 * `mode` is the service's: once it is live, pretended money keeps nobody.
 */
export async function closeAccount(
  run: Durable['run'], account: string, mode: Mode, state: 'closing' | 'deleted',
  { forfeit = false, writeOff = false }: ClosingOptions = {},
): Promise<boolean> {
  const [code, ...left] = await run(accountClose, {
    account: keys.account(account), login: keys.login(account),
    balances: keys.balances(account, 'sandbox'), records: keys.records(account, 'sandbox'),
    live_balances: keys.balances(account, 'live'), live_records: keys.records(account, 'live'),
  }, { state, forfeit: forfeit ? 1 : 0, write_off: writeOff ? 1 : 0, mode })
  if (code === 'open') {
    throw new Refusal('withdrawal_refused', {
      why: 'open_withdrawal',
      hint: 'A withdrawal is under way: close the account when it is paid, or has failed.',
    })
  }
  if (code === 'money') {
    const [pending, confirmed, withdrawable] = left
    throw new Refusal('withdrawal_refused', {
      why: 'money_left', pending, confirmed, withdrawable,
      hint: 'There is money in the account: withdraw it, or close the account with forfeit, '
        + 'which gives it up.',
    })
  }
  if (code === 'debt') {
    throw new Refusal('withdrawal_refused', {
      why: 'debt', owed: left[0],
      hint: 'Orders that were paid out were refunded later: new commissions pay that back, or '
        + 'ask the operator to close the account.',
    })
  }
  return code === 'done'
}
