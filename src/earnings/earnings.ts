/** Earnings as the interface of a node works with them. */
import type { Secrets } from '../secrets/derive.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { readBalances, type Balances } from './books.ts'
import { merge } from './merge.ts'
import { endSandboxMonth, moveSandboxWithdrawal, type WithdrawalMove } from './sandbox.ts'
import { statementSheet } from './statement.ts'
import { bpsAt } from './terms.ts'
import {
  listWithdrawals, markWithdrawal, readWithdrawal, requestWithdrawal, withdrawalOf,
  type WithdrawalRequest, type WithdrawalView,
} from './withdrawals.ts'

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
  place: {
    ledger: RedisClient, durable: Pick<Durable, 'run' | 'send' | 'read'>, secrets: Secrets,
    mode: Mode,
  },
): Earnings {
  const { ledger, mode } = place
  return {
    mode,
    balances: (account) => readBalances(place, account),
    rate: async (account) => bpsAt(await ledger.hget(keys.account(account), 'terms')),
    withdraw: (account, request) => requestWithdrawal(place, account, request),
    async cancel(account, id) {
      if (withdrawalOf(id)?.account !== account) return false
      const outcome = await markWithdrawal(place, id, 'failed', { isCancel: true })
      return outcome === 'marked' || outcome === 'done'
    },
    withdrawal: (id) => readWithdrawal(place, id),
    withdrawals: (account, count) => listWithdrawals(place, account, count),
    statement: (account, bounds, signal) =>
      statementSheet(place, account, bounds, signal),
    endSandboxMonth: (account) => endSandboxMonth(place, account),
    moveSandboxWithdrawal: (account, id, move) => moveSandboxWithdrawal(place, account, id, move),
    merge: (trialAccount, account) => merge(place, trialAccount, account),
  }
}
