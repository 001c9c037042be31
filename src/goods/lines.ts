/** A file cut into lines. One at a time is in memory, and no more of it than a bound. */

/** One line of a file, whatever its format: what it says, or why it says nothing. */
export interface FileLine {
  /** Where it begins, as a text editor counts, from 1. */
  readonly number: number
  readonly value?: unknown
  readonly reason?: string
  /** Bytes of the file that were read so far. */
  readonly bytesRead: number
}

export interface RawLine {
  readonly number: number
  readonly bytesRead: number
  /** Without its end. Empty where it is too long. */
  readonly bytes: Buffer
  readonly isTooLong: boolean
}

export const LINE_BYTES_MAX = 64 * 1024

const NEWLINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const BOM = Buffer.from('\ufeff')

/**
 * With `quotes`, a line goes on where it ends inside them, as CSV does. A quote that is never
 * closed would take the rest of the file; so the next line after the bound is a line again.
 */
export async function* splitLines(
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

export const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes

export const isBlank = (bytes: Buffer): boolean =>
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
