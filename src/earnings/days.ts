/**
 * What came to an account on each day, by source and agent: counted in the same step as the entry
 * is posted. Days are China's, like the months of settlements.
 */
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import type { EarningsReader } from './books.ts'
import { monthsBetween } from './month.ts'

const DAY_COUNTS = ['orders', 'amount', 'commission', 'reversed'] as const
type DayCount = (typeof DAY_COUNTS)[number]

/** The source of orders of our own; the others are named as their platforms. */
export const OWN = 'own'

/** Of what was posted; amounts in fen. */
export interface DayTally extends Partial<Record<DayCount, number>> {
  readonly source: string
  readonly agent: string
}

export interface DayRow extends Record<DayCount, number> {
  /** "2026-11-21" */
  readonly day: string
  readonly source: string
  readonly agent: string
}

/** Nobody's, where an entry was posted before agents were noted with it. */
export const UNKNOWN_AGENT = '-'

/** Fields of the month's hash, and what each gains. */
export const tallyFields = (
  { source, agent, ...counts }: DayTally, day: string,
): [field: string, gain: number][] => Object.entries(counts)
  .filter(([, gain]) => gain !== 0)
  .map(([count, gain]) => [`${day} ${source} ${agent} ${count}`, gain])

/** From one day to another, both included ("2026-11-01"); rows without anything are absent. */
export async function readDays(
  { ledger, mode }: EarningsReader, account: string, from: string, to: string,
): Promise<DayRow[]> {
  const found = await runMany(ledger, monthsBetween(from, to).map((month) =>
    ['hgetall', keys.earnedDays(account, month, mode)] as const))
  const rows = new Map<string, DayRow>()
  for (const hash of found) {
    for (const [field, value] of Object.entries(hash as Record<string, string>)) {
      const [day = '', source = '', agent = '', count] = field.split(' ')
      if (day < from || day > to) continue
      const name = `${day} ${source} ${agent}`
      const row = rows.get(name) ?? { day, source, agent, ...NOTHING }
      rows.set(name, { ...row, [count as DayCount]: Number(value) })
    }
  }
  return [...rows.values()]
}

const NOTHING: Record<DayCount, number> = { orders: 0, amount: 0, commission: 0, reversed: 0 }
