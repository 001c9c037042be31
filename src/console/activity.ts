/** What an account's agents brought: clicks, orders and commission by day, source and agent. */
import { agentsOf } from '../accounts/ownership.ts'
import { readClickDays } from '../affiliate/clicks.ts'
import { readDays, type DayRow } from '../earnings/days.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'

export interface ActivityRow extends DayRow {
  readonly clicks: number
}

/** From one day to another, both included; oldest first. */
export async function readActivity(
  ledger: RedisClient, account: string, mode: Mode, from: string, to: string,
): Promise<ActivityRow[]> {
  const agents = await agentsOf(ledger, account)
  const [days, ...clicks] = await Promise.all([
    readDays({ ledger, mode }, account, from, to),
    ...agents.map((agent) => readClickDays(ledger, agent, from, to)),
  ])
  const rows = new Map<string, ActivityRow>()
  const add = (row: ActivityRow): void => {
    const name = `${row.day} ${row.source} ${row.agent}`
    const known = rows.get(name)
    rows.set(name, known ? { ...known, clicks: known.clicks + row.clicks } : row)
  }
  for (const row of days) add({ ...row, clicks: 0 })
  for (const [index, agent] of agents.entries()) {
    for (const { day, source, clicks: count } of clicks[index] ?? []) {
      add({ ...NOTHING, day, source, agent, clicks: count })
    }
  }
  return [...rows.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)
}

const NOTHING = { orders: 0, amount: 0, commission: 0, reversed: 0 }
