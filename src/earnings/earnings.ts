/** Earnings as the interface of a node works with them. */
import type { Secrets } from '../secrets/derive.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { readBalances, type Balances } from './books.ts'
import { mergeTrial } from './merge-trial.ts'
import { statementSheet } from './statement.ts'
import { bpsAt } from './records.ts'
import {
  makeWithdrawal, markWithdrawal, readWithdrawal, readWithdrawals, withdrawalOf,
  type WithdrawalRequest, type WithdrawalStore, type WithdrawalView,
} from './withdrawals.ts'
import { Refusal } from '../contract/errors.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { monthOf } from './month.ts'
import { exportPayouts } from './payouts.ts'
import { settleAccount } from './lots.ts'

/** Of the mode that the service runs in. */
export interface Earnings {
  readonly mode: Mode
  /** Fen by book; `withdrawable` may be below zero: what was paid out and then taken back. */
  balances(account: string): Promise<Balances>
  /** Of commissions from now on, in basis points. */
  rate(account: string): Promise<number>
  /** Refuses with withdrawal_refused, invalid_request or idempotency_mismatch. */
  withdraw(account: string, request: WithdrawalRequest):
    Promise<WithdrawalView & { duplicate: boolean }>
  /** False when it is not the account's, or in a payout file already. */
  cancel(account: string, id: string): Promise<boolean>
  withdrawal(id: string): Promise<WithdrawalView | undefined>
  withdrawals(account: string, count: number): Promise<WithdrawalView[]>
  /** CSV for spreadsheets, in pieces; it breaks off when the signal is aborted. */
  statement(
    account: string, bounds: { start: number, end: number }, signal?: AbortSignal,
  ): AsyncGenerator<string>
  /** Of the sandbox alone: settles now what was earned so far. */
  endSandboxMonth(account: string): Promise<{ entries: number, fen: number }>
  /** Of the sandbox alone: pays a withdrawal, or lets it fail. */
  moveSandboxWithdrawal(account: string, id: string, move: WithdrawalMove): Promise<WithdrawalView>
  /** Everything that a trial earned, and will earn, goes to the account; may be repeated. */
  merge(trialAccount: string, account: string): Promise<void>
}

export function createEarnings(
  store: {
    ledger: RedisClient, durable: Pick<Durable, 'run' | 'send' | 'read'>, secrets: Secrets,
    mode: Mode,
  },
  /** Called when a call has posted to an account's books; never rejects. */
  onPosted: (account: string) => Promise<void> = async () => {},
): Earnings {
  const { ledger, mode } = store
  const say = async <T>(account: string, posting: Promise<T>): Promise<T> => {
    const result = await posting
    await onPosted(account)
    return result
  }
  return {
    mode,
    balances: (account) => readBalances(store, account),
    rate: async (account) => bpsAt(await ledger.hget(keys.account(account), 'terms')),
    withdraw: (account, request) => say(account, makeWithdrawal(store, account, request)),
    async cancel(account, id) {
      if (withdrawalOf(id)?.account !== account) return false
      const outcome =
        await say(account, markWithdrawal(store, id, 'failed', { isCancel: true }))
      return outcome === 'marked' || outcome === 'done'
    },
    withdrawal: (id) => readWithdrawal(store, id),
    withdrawals: (account, count) => readWithdrawals(store, account, count),
    statement: (account, bounds, signal) =>
      statementSheet(store, account, bounds, signal),
    endSandboxMonth: (account) => say(account, endSandboxMonth(store, account)),
    moveSandboxWithdrawal: (account, id, move) =>
      say(account, moveSandboxWithdrawal(store, account, id, move)),
    merge: (trialAccount, account) => mergeTrial(store, trialAccount, account),
  }
}

/** What an integrator can have done with a withdrawal. */
export const WITHDRAWAL_MOVES = ['pay', 'fail'] as const
export type WithdrawalMove = (typeof WITHDRAWAL_MOVES)[number]

/** Settles what the account has earned so far. Refuses with not_configured on real money. */
export async function endSandboxMonth(
  store: WithdrawalStore, account: string,
): Promise<{ entries: number, fen: number }> {
  assertSandbox(store)
  const { entries, fen } = await settleAccount(store, account, await redisTimeMs(store.ledger) + 1)
  return { entries, fen }
}

/**
 * Puts an account's withdrawal into the present month's file and pays it, or lets it fail. Refuses
 * with not_configured on real money, not_found, and withdrawal_refused with why: decided.
 */
export async function moveSandboxWithdrawal(
  store: WithdrawalStore, account: string, id: string, move: WithdrawalMove,
): Promise<WithdrawalView> {
  assertSandbox(store)
  if (withdrawalOf(id)?.account !== account) throw new Refusal('not_found')
  if (move === 'pay') {
    const month = monthOf(await redisTimeMs(store.ledger))
    await exportPayouts({ ...store, accounts: [account] }, month, Infinity)
  }
  const outcome = await markWithdrawal(store, id, move === 'pay' ? 'paid' : 'failed')
  if (outcome === 'refused') {
    throw new Refusal('withdrawal_refused', {
      why: 'decided', hint: 'It was paid, or has failed, before: read it again.',
    })
  }
  const view = await readWithdrawal(store, id)
  if (!view || outcome === 'missing') throw new Refusal('not_found')
  return view
}

function assertSandbox({ mode }: Pick<WithdrawalStore, 'mode'>): void {
  if (mode !== 'sandbox') throw new Refusal('not_configured')
}
