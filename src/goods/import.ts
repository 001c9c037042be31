/** Takes a catalogue file in: every line is written whole or refused; neither stops the rest. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { checkLine, type CatalogueLine } from './line.ts'
import {
  FileProblem, readCsv, readNdjson, type FileLine, type CatalogueFormat,
} from './catalogue-file.ts'
import { ensureIndexes } from './shelf-index.ts'
import { foreseeLines, prepareLedger, storeLines, type Stored } from './store.ts'
import { changeCatalogue, type Stores } from './version.ts'

export interface RefusedLine {
  readonly number: number
  readonly reason: string
}

export interface ImportReport {
  readonly lines: number
  /** Products that the catalogue did not have. */
  readonly added: number
  readonly updated: number
  readonly delisted: number
  readonly refused: number
  /** The first of the refused lines. */
  readonly refusedLines: readonly RefusedLine[]
}

export interface ImportOptions {
  /** Checks every line and writes none. */
  readonly dryRun?: boolean
  /** Ends it before the next batch. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (progress: ImportReport & { bytesRead: number, bytes: number }) => void
}

/** Lines that are written together. */
const BATCH_LINES = 500
const REFUSED_LINES_MAX = 100

export async function importFile(
  stores: Stores, path: string, options: ImportOptions & { format?: CatalogueFormat } = {},
): Promise<ImportReport> {
  const format = options.format ?? formatOf(path)
  const { size } = await stat(path)
  if (size === 0) throw new FileProblem('The file is empty.')
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  const lines = format === 'csv' ? readCsv(file) : readNdjson(file)
  return await importLines(stores, lines, options, size)
}

function formatOf(path: string): CatalogueFormat {
  if (/\.csv$/i.test(path)) return 'csv'
  if (/\.(ndjson|jsonl|json)$/i.test(path)) return 'ndjson'
  throw new FileProblem('Name the format: the file name ends neither with .csv nor with .ndjson.')
}

/** Lines that were made here, as the sandbox catalogue's. */
export async function importCatalogue(
  stores: Stores, lines: Iterable<CatalogueLine>, options: ImportOptions = {},
): Promise<ImportReport> {
  return await importLines(stores, numbered(lines), options, 0)
}

async function* numbered(lines: Iterable<CatalogueLine>): AsyncGenerator<FileLine> {
  let number = 0
  for (const value of lines) yield { number: number += 1, value, bytesRead: 0 }
}

async function importLines(
  stores: Stores, lines: AsyncIterable<FileLine>, options: ImportOptions, bytes: number,
): Promise<ImportReport> {
  if (options.dryRun) {
    return await takeLines(lines, options, bytes, (batch) => foreseeLines(stores.ledger, batch))
  }
  await ensureIndexes(stores.shelf)
  await prepareLedger(stores.ledger)
  return await changeCatalogue(stores, (alive) =>
    takeLines(lines, options, bytes, async (batch) => {
      await alive()
      return await storeLines(stores, batch)
    }), options)
}

type Write = (batch: readonly CatalogueLine[]) => Promise<readonly Stored[]>

async function takeLines(
  lines: AsyncIterable<FileLine>, { onProgress }: ImportOptions, bytes: number, write: Write,
): Promise<ImportReport> {
  const report = {
    lines: 0, added: 0, updated: 0, delisted: 0, refused: 0, refusedLines: [] as RefusedLine[],
  }
  let batch: { number: number, line: CatalogueLine }[] = []
  let bytesRead = 0
  let writing = Promise.resolve()

  const refuse = (number: number, reason: string): void => {
    report.refused += 1
    if (report.refusedLines.length < REFUSED_LINES_MAX) report.refusedLines.push({ number, reason })
  }

  /** One batch is written while the next is read and checked. */
  async function flush(): Promise<void> {
    await writing
    const written = batch
    batch = []
    writing = settle(written)
    // It is awaited with the next batch; until then its failure must not end the process.
    writing.catch(() => {})
  }

  async function settle(written: typeof batch): Promise<void> {
    const results = await write(written.map(({ line }) => line))
    for (const [index, { number, line }] of written.entries()) {
      if (results[index] === 'no_stock') refuse(number, 'lacks stock, which a new own item needs')
      else if (line.delisted) report.delisted += 1
      else if (results[index] === 'known') report.updated += 1
      else report.added += 1
    }
    onProgress?.({ ...report, bytesRead, bytes })
  }

  for await (const { number, value, reason, ...read } of lines) {
    report.lines += 1
    bytesRead = read.bytesRead
    const checked = reason === undefined ? checkLine(value) : { reason }
    if (checked.reason !== undefined) refuse(number, checked.reason)
    else if ('line' in checked && checked.line) batch.push({ number, line: checked.line })
    if (batch.length === BATCH_LINES) await flush()
  }
  if (batch.length > 0) await flush()
  await writing
  return { ...report, refusedLines: report.refusedLines.toSorted((a, b) => a.number - b.number) }
}
