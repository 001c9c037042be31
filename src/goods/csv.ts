/** A CSV file as lines: columns are named as the fields, nested ones hold JSON text. */
import { parse } from 'csv-parse/sync'
import { KnownFailure } from '../failure.ts'
import { CatalogueLine } from './line.ts'
import { isBlank, LINE_BYTES_MAX, splitLines, withoutReturn, type FileLine } from './lines.ts'

interface FieldSchema {
  readonly type?: string
}

const PROPERTIES = CatalogueLine.properties as Record<string, FieldSchema>
export const CSV_COLUMNS = Object.keys(PROPERTIES)
const REQUIRED = CatalogueLine.required as readonly string[]

/** The file as a whole is not what it should be. */
export class FileProblem extends KnownFailure {}

const decoder = new TextDecoder('utf-8', { fatal: true })

export async function* readCsv(file: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  let columns: readonly string[] | undefined
  for await (const { bytes, isTooLong, ...place } of splitLines(file, { quotes: true })) {
    if (!isTooLong && isBlank(bytes)) continue
    const read = isTooLong
      ? { reason: `is longer than ${LINE_BYTES_MAX} bytes, or has a quote that is not closed` }
      : cellsOf(withoutReturn(bytes))
    if (!columns) columns = header(read)
    else if ('reason' in read) yield { ...place, reason: read.reason }
    else yield { ...place, ...lineOf(columns, read.cells) }
  }
  if (!columns) throw new FileProblem('The file is empty.')
}

type Cells = { readonly cells: readonly string[] } | { readonly reason: string }

/** One record at a time, because one that is broken must not take the next ones with it. */
function cellsOf(bytes: Buffer): Cells {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return { reason: 'is not UTF-8' }
  }
  try {
    return { cells: (parse(text, { relax_column_count: true }) as string[][])[0] ?? [] }
  } catch {
    return { reason: 'has a quote where none may be, or one that is not closed' }
  }
}

function header(read: Cells): string[] {
  if ('reason' in read) throw new FileProblem(`The first line ${read.reason}.`)
  const columns = read.cells.map((cell) => cell.trim())
  const unknown = columns.filter((name) => !Object.hasOwn(PROPERTIES, name))
  const missing = REQUIRED.filter((name) => !columns.includes(name))
  const problems = [
    ...(unknown.length > 0 ? [`has ${unknown.length} columns that are not known`] : []),
    ...(missing.length > 0 ? [`lacks ${missing.join(', ')}`] : []),
    ...(new Set(columns).size < columns.length ? ['names a column twice'] : []),
  ]
  if (problems.length > 0) throw new FileProblem(`The first line ${problems.join(' and ')}.`)
  return columns
}

function lineOf(
  columns: readonly string[], cells: readonly string[],
): { value: unknown } | { reason: string } {
  if (cells.length !== columns.length) {
    return { reason: `has ${cells.length} cells instead of ${columns.length}` }
  }
  const value: Record<string, unknown> = {}
  for (const [index, name] of columns.entries()) {
    const text = cells[index] ?? ''
    // An empty cell is a field that is not there.
    if (text === '') continue
    const cell = cellValue(PROPERTIES[name]?.type, text)
    if (cell === undefined) return { reason: `${name} is not JSON` }
    value[name] = cell
  }
  return { value }
}

/** What does not look like its type stays text, and is refused by the check of the line. */
function cellValue(type: string | undefined, text: string): unknown {
  if (type === 'integer' || type === 'number') {
    return /^-?\d{1,15}(\.\d{1,10})?$/.test(text.trim()) ? Number(text) : text
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'array' || type === 'object') {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
  return text
}
