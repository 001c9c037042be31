/** What the end of a month and the operator's bank do, at an integrator's press in the sandbox. */
import { Refusal } from '../contract/errors.ts'
import { redisTimeMs } from '../redis/replies.ts'
import { monthOf } from './month.ts'
import { exportPayouts } from './payouts.ts'
import { settleAccount } from './settle.ts'
import {
  markWithdrawal, readWithdrawal, withdrawalOf, type WithdrawalPlace, type WithdrawalView,
} from './withdrawals.ts'

/** What an integrator can have done with a withdrawal. */
export const WITHDRAWAL_MOVES = ['pay', 'fail'] as const
export type WithdrawalMove = (typeof WITHDRAWAL_MOVES)[number]

/** Settles what the account has earned so far. Refuses with not_configured on real money. */
export async function endSandboxMonth(
  place: WithdrawalPlace, account: string,
): Promise<{ entries: number, fen: number }> {
  assertSandbox(place)
  const { entries, fen } = await settleAccount(place, account, await redisTimeMs(place.ledger) + 1)
  return { entries, fen }
}

/**
 * Puts an account's withdrawal into the present month's file and pays it, or lets it fail. Refuses
 * with not_configured on real money, not_found, and withdrawal_refused with why: decided.
 */
export async function moveSandboxWithdrawal(
  place: WithdrawalPlace, account: string, id: string, move: WithdrawalMove,
): Promise<WithdrawalView> {
  assertSandbox(place)
  if (withdrawalOf(id)?.account !== account) throw new Refusal('not_found')
  if (move === 'pay') {
    const month = monthOf(await redisTimeMs(place.ledger))
    await exportPayouts({ ...place, accounts: [account] }, month, Infinity)
  }
  const outcome = await markWithdrawal(place, id, move === 'pay' ? 'paid' : 'failed')
  if (outcome === 'refused') {
    throw new Refusal('withdrawal_refused', {
      why: 'decided', hint: 'It was paid, or has failed, before: read it again.',
    })
  }
  const view = await readWithdrawal(place, id)
  if (!view || outcome === 'missing') throw new Refusal('not_found')
  return view
}

function assertSandbox({ mode }: Pick<WithdrawalPlace, 'mode'>): void {
  if (mode !== 'sandbox') throw new Refusal('not_configured')
}
