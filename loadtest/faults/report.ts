/** What runs have shown, for a terminal and as a table for documents. */
import type { KeptOrder } from './compare.ts'
import type { Model } from './model.ts'
import type { Receiver } from './receivers.ts'
import type { RunResult } from './run.ts'

const SHOWN = 20

type Counts = Record<string, number>

export function actionsOf({ purchases }: Model): Counts {
  const sum = (of: (purchase: Model['purchases'][number]) => number): number =>
    purchases.reduce((total, purchase) => total + of(purchase), 0)
  return {
    'out of stock': sum(({ refusals }) => refusals.length),
    paid: sum(({ pay }) => Math.min(pay.done, 1)),
    cancelled: sum(({ cancel }) => Math.min(cancel.done, 1)),
    'after-sales': sum(({ aftersales }) =>
      new Set(aftersales.flatMap(({ ids }) => [...ids])).size),
    'after-sales refused': sum(({ aftersales }) =>
      aftersales.reduce((total, { action }) => total + action.refused, 0)),
  }
}

export function endsOf(orders: readonly KeptOrder[]): Counts {
  const counts: Counts = {}
  for (const { events } of orders) {
    const names = events.slice(1).map(({ event }) => event).join(' ')
    counts[names] = (counts[names] ?? 0) + 1
  }
  return counts
}

export function deliveriesOf(receivers: readonly Pick<Receiver, 'arrivals'>[]): Counts {
  const arrivals = receivers.flatMap((one) => one.arrivals)
  const taken = arrivals.filter(({ isTaken }) => isTaken)
  const events = receivers.reduce((sum, one) =>
    sum + new Set(one.arrivals.map(({ id }) => id)).size, 0)
  return {
    events, attempts: arrivals.length, 'not taken': arrivals.length - taken.length,
    'taken again': taken.length - receivers.reduce((sum, one) => sum
      + new Set(one.arrivals.filter(({ isTaken }) => isTaken).map(({ id }) => id)).size, 0),
  }
}

const countsText = (counts: Readonly<Counts>): string =>
  Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(', ')

export function runLines(result: RunResult): string {
  const { seed, kind, applied, attempts, acknowledged, unknown, late, violations } = result
  const counts = new Map<string, number>()
  for (const { name } of applied) counts.set(name, (counts.get(name) ?? 0) + 1)
  const faults = [...counts].map(([name, times]) => `${name} ×${times}`).join(', ')
  const head = `seed ${seed} on ${kind}: ${acknowledged} orders acknowledged, `
    + `${attempts} attempts, ${unknown} unknown outcomes (${late} late), `
    + `${violations.length} violations; ${result.orders} orders kept`
    + (kind === 'cluster' ? `, ${result.stepsBack} reads that showed less than before` : '')
  const wrong = violations.slice(0, SHOWN)
    .map(({ rule, subject, detail }) => `  VIOLATION ${rule}: ${subject}: ${detail.slice(0, 600)}`)
  return [head, `  faults: ${faults}`, `  acknowledged: ${countsText(result.actions)}`,
    `  delivered: ${countsText(result.deliveries)}; a node's memory at most ${result.peakMb} MB`,
    `  ended: ${countsText(result.ends)}`, `  verify looked at: ${countsText(result.verified)}`,
    ...wrong,
    ...(violations.length > 0 ? [`  kept in ${result.folder}`] : [])].join('\n')
}

export function faultTable(results: readonly RunResult[]): string {
  const names = [...new Set(results.flatMap(({ kind, applied }) =>
    applied.map(({ name }) => `${name}|${kind}`)))].toSorted()
  const rows = names.map((key) => {
    const [name, kind] = key.split('|')
    const runs = results.filter((result) => result.kind === kind
      && result.applied.some((one) => one.name === name))
    const applied = runs.flatMap((run) => run.applied.filter((one) => one.name === name))
    const acknowledged = applied.reduce((sum, one) => sum + one.acknowledged, 0)
    const violations = runs.reduce((sum, run) => sum + run.violations.length, 0)
    return [name, kind, runs.length, applied.length, acknowledged, violations]
  })
  const total = (of: (result: RunResult) => number): number =>
    results.reduce((sum, result) => sum + of(result), 0)
  return [
    '| fault | ledger | runs | times | orders acknowledged meanwhile | violations in these runs |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    `| all | | ${results.length} | ${total(({ applied }) => applied.length)} `
      + `| ${total(({ acknowledged }) => acknowledged)} `
      + `| ${total(({ violations }) => violations.length)} |`,
  ].join('\n')
}
