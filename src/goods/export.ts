/** Writes the catalogue in the format that an import takes, with the stock of this moment. */
import type { Writable } from 'node:stream'
import { once } from 'node:events'
import type { RedisClient } from '../redis/connect.ts'
import { CSV_COLUMNS } from './csv.ts'
import type { Format } from './import.ts'
import { ledgerLines } from './ledger-lines.ts'
import type { CatalogueLine } from './line.ts'

/** Returns the number of items; the caller ends `out`. */
export async function exportCatalogue(
  ledger: RedisClient, out: Writable, format: Format = 'ndjson',
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
