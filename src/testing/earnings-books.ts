/** An account with earnings, for tests: orders are what the test says. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { auditAccount } from '../earnings/audit.ts'
import { readBalances, type EarningsStore } from '../earnings/books.ts'
import { reconcileCommission, type Earned } from '../earnings/commission.ts'
import type { Payee } from '../earnings/withdrawals.ts'
import { settleAccount } from '../earnings/lots.ts'
import { createSecrets } from '../secrets/derive.ts'
import type { Durable } from '../redis/durable.ts'

export const SECRETS = createSecrets('a-secret-that-only-earnings-tests-use')
export const CARD: Payee = { kind: 'bank_card', card: '4111 1111 1111 1111', holder: '王小明' }
/** China's November begins at 16:00 UTC of the day before. */
export const OCTOBER_END = Date.UTC(2026, 9, 31, 16)

export function openBooks(
  place: EarningsStore & { readonly durable: Durable }, account = `ac_${randomUUID()}`,
) {
  const earn = (subject: string, given: Omit<Earned, 'account' | 'mode'>): Promise<void> =>
    reconcileCommission(place, subject, async () => ({ account, mode: place.mode, ...given }))
  return {
    ...place, account, secrets: SECRETS, earn,
    balances: () => readBalances(place, account),
    /** Orders of these commissions at 5 %, settled; their subjects. */
    async settled(...commissions: number[]): Promise<string[]> {
      const subjects = commissions.map(() => `mall_b:${randomUUID()}`)
      await Promise.all(subjects.map((subject, index) => earn(subject, {
        amount: (commissions[index] ?? 0) * 20, state: 'confirmed', version: 1,
        confirmedAt: OCTOBER_END - 1000 + index,
      })))
      await settleAccount(place, account, OCTOBER_END)
      return subjects
    },
    reverse: (subject: string): Promise<void> =>
      earn(subject, { amount: 0, state: 'reversed', version: 2 }),
    async audit(): Promise<void> {
      expect((await auditAccount(place, account)).violations).toEqual([])
    },
  }
}
