/** A file of JSON lines. */
import { parseJson } from '../contract/json.ts'
import { isBlank, LINE_BYTES_MAX, splitLines, type FileLine } from './lines.ts'

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
