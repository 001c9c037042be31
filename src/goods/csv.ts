/** A CSV file as lines: columns are named as the fields, nested ones hold JSON text. */
import { parse, type CsvError } from 'csv-parse'
import { Readable } from 'node:stream'
import { CatalogueLine } from './line.ts'
import { LINE_BYTES_MAX, type FileLine } from './ndjson.ts'

interface FieldSchema {
  readonly type?: string
}

const PROPERTIES = CatalogueLine.properties as Record<string, FieldSchema>
export const CSV_COLUMNS = Object.keys(PROPERTIES)
const REQUIRED = CatalogueLine.required as readonly string[]

/** The file as a whole is not what it should be. */
export class FileProblem extends Error {}

const decoder = new TextDecoder('utf-8', { fatal: true })

interface CsvRecord {
  readonly record: Buffer[]
  readonly info: { readonly lines: number, readonly bytes: number }
}

export async function* readCsv(file: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  let skipped: FileLine[] = []
  const parser = parse({
    bom: true,
    // Buffers: decoding would hide broken UTF-8 behind replacement characters.
    encoding: null,
    info: true,
    max_record_size: LINE_BYTES_MAX,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip(error) {
      skipped.push(skippedLine(error))
    },
  })
  const records = Readable.from(file).pipe(parser) as AsyncIterable<CsvRecord>
  let columns: readonly string[] | undefined
  try {
    for await (const { record, info } of records) {
      yield* skipped
      skipped = []
      if (!columns) columns = header(record)
      else yield { number: info.lines, bytesRead: info.bytes, ...lineOf(columns, record) }
    }
  } catch (error) {
    if (error instanceof FileProblem || !(error as CsvError).code?.startsWith('CSV_')) throw error
    yield* skipped
    yield skippedLine(error as CsvError)
    return
  }
  yield* skipped
  if (!columns) throw new FileProblem('The file is empty.')
}

const REASONS: Record<string, string> = {
  CSV_MAX_RECORD_SIZE: `is longer than ${LINE_BYTES_MAX} bytes`,
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is not closed',
}

function skippedLine(error: CsvError | undefined): FileLine {
  return {
    number: Number(error?.['lines'] ?? 0),
    bytesRead: Number(error?.['bytes'] ?? 0),
    reason: REASONS[error?.code ?? ''] ?? 'is not CSV',
  }
}

function header(record: readonly Buffer[]): string[] {
  const columns = record.map((cell) => cell.toString().trim())
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
  columns: readonly string[], record: readonly Buffer[],
): { value: unknown } | { reason: string } {
  if (record.length !== columns.length) {
    return { reason: `has ${record.length} cells instead of ${columns.length}` }
  }
  const value: Record<string, unknown> = {}
  for (const [index, name] of columns.entries()) {
    let text: string
    try {
      text = decoder.decode(record[index])
    } catch {
      return { reason: 'is not UTF-8' }
    }
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
