/** Closing an account: never while a withdrawal is under way, nor silently with money in it. */
import { Refusal } from '../errors.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

export interface ClosingOptions {
  /** Gives up what is left in the books. */
  readonly forfeit?: boolean
}

type Reply = ['done' | 'none' | 'open'] | ['money', ...fen: [number, number, number]]

const accountClose = defineScript('account-close', ['account', 'login', 'balances', 'records'],
  ['state', 'forfeit'], (reply: Reply) => reply)

/**
 * The first step decides, together with the books: a withdrawal that comes at the same time is
 * either under way before it, or refused after it. False when there is no such account; refuses
 * with withdrawal_refused, and says why: open_withdrawal, or money_left with its fen.
 */
export async function closeAccount(
  run: Durable['run'], account: string, state: 'closing' | 'deleted',
  { forfeit = false }: ClosingOptions = {},
): Promise<boolean> {
  const [code, ...left] = await run(accountClose, {
    account: keys.account(account), login: keys.login(account),
    balances: keys.balances(account), records: keys.records(account),
  }, { state, forfeit: forfeit ? 1 : 0 })
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
  return code === 'done'
}
