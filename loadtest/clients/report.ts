/** What a program said of the client it used, and the table that a run ends with. */
import { type ErrorName, ERRORS } from '../../src/contract/errors.ts'
import { operations } from '../../src/operations/index.ts'

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
  const textOf = (cell: Cell | undefined): string => {
    if (cell === undefined) return '–'
    return cell.isRight ? cell.text : `**NO**: ${cell.text}`
  }
  return [
    lineOf([kind, 'version', ...columns]),
    `|${'---|'.repeat(columns.length + 2)}`,
    ...rows.map(({ name, version, cells }) =>
      lineOf([name, version, ...columns.map((column) => textOf(cells[column]))])),
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

/** What each program does besides ordering. */
const READS = ['get_goods_detail', 'cps_smart_search', 'cps_compare', 'get_order_status']
const REFUSALS = ['idempotency_mismatch', 'key_invalid'] as const satisfies readonly ErrorName[]

/** A cell of the table, and whether it is as it must be. */
interface Cell {
  readonly text: string
  readonly isRight: boolean
}

/** By column; what was not reached is left out. */
export type Cells = Readonly<Record<string, Cell>>

const TOOLS = operations.filter(({ tool }) => tool !== false).length

const yes = (text = 'yes'): Cell => ({ text, isRight: true })
const no = (text: string): Cell => ({ text, isRight: false })

/** Of lines such as `order AM…`, `again AM… true`, `refusal key_invalid Check the key …`. */
interface Observation {
  /** What follows a word, in the order of the lines. */
  all(word: string): readonly string[]
  first(word: string): string
}

export function observe(output: string): Observation {
  const lines = output.split('\n').map((line) => line.trim())
  const all = (word: string): string[] => lines.filter((line) => line.startsWith(`${word} `))
    .map((line) => line.slice(word.length + 1))
  return { all, first: (word) => all(word)[0] ?? '' }
}

/** Of a generated client. `isKnown`: whether the node has an order of its number. */
export const judgeGenerated = (said: Observation, isKnown: boolean): Cells => ({
  reads: judgeReads(said), ...judgeOrder(said, isKnown), refusals: judgeRefusals(said),
})

/** Of an MCP client. */
export const judgeMcp = (said: Observation, isKnown: boolean, wordsFor401?: string): Cells => ({
  tools: judgeTools(said), ...judgeOrder(said, isKnown),
  refusals: judgeRefusals(said, wordsFor401),
  besides: judgeBesides(said),
})

function judgeReads(said: Observation): Cell {
  const read = new Set(said.all('read').filter((line) => /^\w+ \S/.test(line))
    .map((line) => line.split(' ')[0]))
  const missing = READS.filter((name) => !read.has(name))
  return missing.length === 0 ? yes(`${READS.length} of ${READS.length}`)
    : no(`not ${missing.join(', ')}`)
}

/** A program that orders several times says `order` and `again` as often. */
function judgeOrder(said: Observation, isKnown: boolean): Cells {
  const orders = said.all('order')
  const repeated = said.all('again')
  const isOnce = orders.length > 0 && orders.length === repeated.length
    && orders.every((orderNo, at) =>
      repeated[at]?.toLowerCase() === `${orderNo} true`.toLowerCase())
  return {
    order: isKnown && orders.length > 0 ? yes() : no('no order'),
    duplicate: isOnce ? yes() : no('not the same order, said to be one'),
  }
}

/** Each refusal with its name and its hint, as the client gives them to its user. */
function judgeRefusals(said: Observation, wordsFor401?: string): Cell {
  const refusals = said.all('refusal')
  const wanted = new Map<string, string>(REFUSALS.map((name) => [name, ERRORS[name].hint]))
  if (wordsFor401 !== undefined) wanted.set('key_invalid', wordsFor401)
  const missing = [...wanted].flatMap(([name, text]) =>
    (refusals.some((line) => line.startsWith(`${name} `) && line.includes(text)) ? [] : [name]))
  if (missing.length > 0) return no(`${missing.join(', ')} not readable`)
  return yes(wordsFor401 === undefined ? 'yes' : `yes; a wrong key is "${wordsFor401}"`)
}

function judgeTools(said: Observation): Cell {
  const tools = said.first('tools')
  return tools === String(TOOLS) ? yes(tools) : no(`${tools || 'none'} of ${TOOLS}`)
}

/** What a program checked besides: each `besides` a success, each `problem` a failure. */
function judgeBesides(said: Observation): Cell {
  const problems = said.all('problem')
  return problems.length > 0 ? no(problems.slice(0, 3).join('; '))
    : yes(said.all('besides').join('; ') || '–')
}
