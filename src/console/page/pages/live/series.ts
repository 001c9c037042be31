/** Rows of activity as the lines of a chart. */
import type { Activity, ActivityRow } from '../../types.ts'

export const METRICS = ['commission', 'orders', 'clicks'] as const
export type Metric = (typeof METRICS)[number]
export const GROUPS = ['all', 'source', 'agent'] as const
export type Group = (typeof GROUPS)[number]

export interface Line {
  readonly name: string
  /** One for each day. */
  readonly values: readonly number[]
}

export interface Series {
  /** "2026-11-21", oldest first, without gaps. */
  readonly days: readonly string[]
  readonly lines: readonly Line[]
}

const DAY_MS = 86_400_000
/** More lines than this cannot be told apart. */
const LINES_MAX = 6

export function seriesOf({ from, to, rows }: Activity, metric: Metric, group: Group): Series {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10))
  }
  const places = new Map(days.map((day, place) => [day, place]))
  const lines = new Map<string, number[]>()
  for (const row of rows) {
    const name = group === 'all' ? 'all' : row[group]
    const values = lines.get(name) ?? days.map(() => 0)
    const place = places.get(row.day)
    if (place !== undefined) values[place] = (values[place] ?? 0) + valueOf(row, metric)
    lines.set(name, values)
  }
  return {
    days,
    lines: [...lines].map(([name, values]) => ({ name, values }))
      .toSorted((one, other) => totalOf(other) - totalOf(one)).slice(0, LINES_MAX),
  }
}

const valueOf = (row: ActivityRow, metric: Metric): number =>
  (metric === 'commission' ? row.commission - row.reversed : row[metric])

export const totalOf = ({ values }: Line): number =>
  values.reduce((sum, value) => sum + value, 0)
