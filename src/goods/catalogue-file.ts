/**
 * A catalogue file, read into lines and written from the ledger. One line at a time is in memory,
 * and no more of it than a bound; one that is broken takes no other with it.
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { parseJson } from '../contract/json.ts'
import { KnownFailure } from '../failure.ts'
import type { RedisClient } from '../redis/connect.ts'
import { CatalogueLine } from './line.ts'
import { ledgerLines } from './store.ts'

export type CatalogueFormat = 'ndjson' | 'csv'

/** One line of a file, whatever its format: what it says, or why it says nothing. */
export interface FileLine {
  /** Where it begins, as a text editor counts, from 1. */
  readonly number: number
  readonly value?: unknown
  readonly reason?: string
  /** Bytes of the file that were read so far. */
  readonly bytesRead: number
}

/** The file as a whole is not what it should be. */
export class FileProblem extends KnownFailure {}

const LINE_BYTES_MAX = 64 * 1024

export async function* readNdjson(file: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  for await (const { bytes, isTooLong, ...place } of splitLines(file, { quotes: false })) {
    if (isTooLong) yield { ...place, reason: `is longer than ${LINE_BYTES_MAX} bytes` }
    else if (!isBlank(bytes)) yield { ...place, ...parsed(bytes) }
  }
}

function parsed(bytes: Buffer): { value: unknown } | { reason: string } {
  try {
    return { value: parseJson(bytes) }
  } catch (error) {
    // The decoder and the parser throw different errors; their texts quote the line.
    return { reason: error instanceof TypeError ? 'is not UTF-8' : 'is not JSON' }
  }
}

interface FieldSchema {
  readonly type?: string
}

const PROPERTIES = CatalogueLine.properties as Record<string, FieldSchema>
const CSV_COLUMNS = Object.keys(PROPERTIES)
const REQUIRED = CatalogueLine.required as readonly string[]

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Columns are named as the fields; nested ones hold JSON text. */
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

interface RawLine {
  readonly number: number
  readonly bytesRead: number
  /** Without its end. Empty where it is too long. */
  readonly bytes: Buffer
  readonly isTooLong: boolean
}

const NEWLINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const BOM = Buffer.from('\ufeff')

/**
 * With `quotes`, a line goes on where it ends inside them, as CSV does. A quote that is never
 * closed would take the rest of the file; so the next line after the bound is a line again.
 */
async function* splitLines(
  file: AsyncIterable<Buffer>, { quotes }: { quotes: boolean },
): AsyncGenerator<RawLine> {
  let held: Buffer[] = []
  let length = 0
  let inQuotes = false
  let number = 1
  let newlines = 0
  let bytesRead = 0

  const line = (): RawLine => {
    const isTooLong = length > LINE_BYTES_MAX
    const done = { number, bytesRead, bytes: isTooLong ? Buffer.alloc(0) : Buffer.concat(held),
      isTooLong }
    held = []
    length = 0
    inQuotes = false
    number += newlines
    newlines = 0
    return done
  }

  for await (const chunk of withoutBom(file)) {
    let start = 0
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, start)
      const part = chunk.subarray(start, newline < 0 ? chunk.length : newline)
      if (quotes && countQuotes(part) % 2 === 1) inQuotes = !inQuotes
      const end = newline < 0 ? 0 : 1
      bytesRead += part.length + end
      newlines += end
      const goesOn = end === 0 || (inQuotes && length + part.length <= LINE_BYTES_MAX)
      length += part.length + (goesOn ? end : 0)
      if (length > LINE_BYTES_MAX) held = []
      else held.push(goesOn ? chunk.subarray(start, start + part.length + end) : part)
      if (!goesOn) yield line()
      if (newline < 0) break
      start = newline + 1
    }
  }
  if (length > 0) yield line()
}

const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === RETURN)

async function* withoutBom(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of file) {
    yield isFirst && chunk.subarray(0, BOM.length).equals(BOM) ? chunk.subarray(BOM.length) : chunk
    isFirst = false
  }
}

function countQuotes(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) count += 1
  return count
}

/**
 * Writes the catalogue in the format that an import takes, with the stock of this moment. Returns
 * the number of items; the caller ends `out`.
 */
export async function exportCatalogue(
  ledger: RedisClient, out: Writable, format: CatalogueFormat = 'ndjson',
): Promise<number> {
  const textOf = format === 'csv' ? csvLine : (line: CatalogueLine) => `${JSON.stringify(line)}\n`
  let items = 0
  if (format === 'csv') await write(out, `${CSV_COLUMNS.join(',')}\n`)
  for await (const lines of ledgerLines(ledger)) {
    await write(out, lines.map(textOf).join(''))
    items += lines.length
  }
  return items
}

/** Waits for a slow reader, so that memory stays bounded. */
async function write(out: Writable, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain')
}

function csvLine(line: CatalogueLine): string {
  const values = line as Record<string, unknown>
  return `${CSV_COLUMNS.map((name) => cell(values[name])).join(',')}\n`
}

function cell(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
