/** The table of a run, and what is said of it at the end. */
import type { Cells, Verdict } from './observation.ts'

export interface Row {
  readonly name: string
  readonly version: string
  readonly cells: Cells
  /** What the machine lacks. */
  readonly notRun?: string
  /** Why a step failed. */
  readonly failure?: string
}

export const hasFailed = ({ cells, failure }: Row): boolean =>
  failure !== undefined || Object.values(cells).some(({ isRight }) => !isRight)

/** Never what was not run. */
export const hasPassed = (row: Row): boolean => row.notRun === undefined && !hasFailed(row)

export function tableOf(kind: string, columns: readonly string[], rows: readonly Row[]): string {
  const lineOf = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const cellOf = (verdict: Verdict | undefined): string => {
    if (verdict === undefined) return '–'
    return verdict.isRight ? verdict.text : `**NO**: ${verdict.text}`
  }
  return [
    lineOf([kind, 'version', ...columns]),
    `|${'---|'.repeat(columns.length + 2)}`,
    ...rows.map(({ name, version, cells }) =>
      lineOf([name, version, ...columns.map((column) => cellOf(cells[column]))])),
  ].join('\n')
}

/** Failures and what was not run, one a line, and the count. */
export function summaryOf(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ name, notRun, failure }) => [
    ...notRun === undefined ? [] : [`${name}: not run: ${notRun}`],
    ...failure === undefined ? [] : [`${name}: failed: ${failure}`],
  ])
  const missing = rows.filter(({ notRun }) => notRun !== undefined).length
  const count = `${rows.filter(hasPassed).length} passed, ${rows.filter(hasFailed).length} failed, `
    + `${missing} not run`
  return [...lines, count].join('\n')
}
