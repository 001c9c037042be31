/** A file of JSON lines, a bounded piece at a time. */
import { parseJson } from '../json.ts'

/** One line of a file, whatever its format: what it says, or why it says nothing. */
export interface FileLine {
  /** As a text editor counts, from 1. */
  readonly number: number
  readonly value?: unknown
  readonly reason?: string
  /** Bytes of the file that were read so far. */
  readonly bytesRead: number
}

export const LINE_BYTES_MAX = 64 * 1024

const NEWLINE = 0x0a
const BOM = Buffer.from('\ufeff')

export async function* readNdjson(file: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  let number = 0
  let bytesRead = 0
  for await (const { bytes, isTooLong, length } of splitLines(file)) {
    number += 1
    bytesRead += length
    if (isTooLong) yield { number, bytesRead, reason: `is longer than ${LINE_BYTES_MAX} bytes` }
    else if (!isBlank(bytes)) yield { number, bytesRead, ...parsed(bytes) }
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

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09)

interface Line {
  readonly bytes: Buffer
  readonly isTooLong: boolean
  readonly length: number
}

/** Lines without their ends; of one that is too long nothing is kept. */
async function* splitLines(file: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let held: Buffer[] = []
  let length = 0
  let isFirst = true

  const line = (end: number): Line => {
    const isTooLong = length > LINE_BYTES_MAX
    let bytes = isTooLong ? Buffer.alloc(0) : Buffer.concat(held)
    if (isFirst && bytes.subarray(0, BOM.length).equals(BOM)) bytes = bytes.subarray(BOM.length)
    if (bytes.at(-1) === 0x0d) bytes = bytes.subarray(0, -1)
    const done = { bytes, isTooLong, length: length + end }
    isFirst = false
    held = []
    length = 0
    return done
  }

  for await (const chunk of file) {
    let start = 0
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, start)
      const part = chunk.subarray(start, newline < 0 ? chunk.length : newline)
      length += part.length
      if (length <= LINE_BYTES_MAX) held.push(part)
      else held = []
      if (newline < 0) break
      yield line(1)
      start = newline + 1
    }
  }
  if (length > 0) yield line(0)
}
