/** What an audit adds up. */
import type { Book } from './books.ts'

export interface Sums {
  entries: number
  readonly books: Record<Book, number>
  readonly states: { pending: number, confirmed: number }
  /** Commissions that wait for settlement, lots with something left, debts that are not paid. */
  waiting: number
  lots: number
  debts: number
  /** Of all lots; and what takers do not have yet. */
  left: number
  missing: number
  reserved: number
  paid: number
  /** Withdrawals that are neither paid nor failed. */
  open: number
  /** By taker: what lots say that it took, and what it says itself. */
  readonly takes: Map<string, number>
  readonly has: Map<string, number>
}

export const createSums = (): Sums => ({
  entries: 0,
  books: { platform: 0, pending: 0, confirmed: 0, withdrawable: 0, reserved: 0, paid: 0 },
  states: { pending: 0, confirmed: 0 },
  waiting: 0, lots: 0, debts: 0, left: 0, missing: 0, reserved: 0, paid: 0, open: 0,
  takes: new Map(),
  has: new Map(),
})
