/** Clicks, orders and commission of an account's agents by day, source and agent. */
import { Type } from 'typebox'
import { agentsOf } from '../../accounts/agent-records.ts'
import { readClickDays } from '../../affiliate/links.ts'
import { Refusal } from '../../contract/errors.ts'
import { CLOSED, Fen, Optional, Text } from '../../contract/fields.ts'
import type { Mode } from '../../contract/money.ts'
import { nowMs } from '../../contract/time.ts'
import { type DayRow, readDays } from '../../earnings/days.ts'
import { dayOf } from '../../earnings/month.ts'
import { defineOperation } from '../../operations/define.ts'
import type { RedisClient } from '../../redis/connect.ts'
import { AgentId, Day } from './fields.ts'

const DAY_MS = 86_400_000
const SHOWN_DAYS = 30
const DAYS_MAX = 92

const Count = Type.Integer({ minimum: 0 })

export const getActivity = defineOperation({
  name: 'get_activity',
  title: 'Clicks, orders and commission by day',
  description: 'One row for each day, source and agent with anything in it. `orders` are paid '
    + 'ones, `reversed` is commission taken back; amounts in fen. Without dates the last '
    + `${SHOWN_DAYS} days.`,
  access: 'owner',
  effect: 'read',
  route: 'GET /activity',
  input: Type.Object({
    from: Optional(Day('First day')), to: Optional(Day('Last day')),
  }, CLOSED),
  output: Type.Object({
    from: Day('First day'),
    to: Day('Last day'),
    rows: Type.Array(Type.Object({
      day: Day('Day'),
      source: Text(20, '`own`, or the platform'),
      agent: Type.Union([AgentId, Type.Literal('-')]),
      clicks: Count,
      orders: Count,
      amount: Type.Integer({ description: 'Of the paid orders, in fen, with later corrections' }),
      commission: Fen('In fen'),
      reversed: Fen('In fen'),
    }, CLOSED)),
  }, CLOSED),
  fails: [],
  example: { from: '2026-11-01', to: '2026-11-30' },
  async handle(given, { caller, services }) {
    const to = given.to ?? dayOf(nowMs())
    const from = given.from ?? dayOf(Date.parse(`${to}T00:00+08:00`) - (SHOWN_DAYS - 1) * DAY_MS)
    assertSpan(from, to)
    const { ledger, earnings: { mode } } = services
    return { from, to, rows: await readActivity(ledger, caller.account, mode, from, to) }
  },
})

function assertSpan(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days >= 1 && days <= DAYS_MAX) return
  throw new Refusal('invalid_request', {
    fields: [{ path: 'from', problem: `must be before to, by at most ${DAYS_MAX} days` }],
  })
}

interface ActivityRow extends DayRow {
  readonly clicks: number
}

/** From one day to another, inclusive; oldest first. */
async function readActivity(
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
