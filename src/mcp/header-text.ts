/** Text in a header that mirrors the body: as it is, or in Base64 where a header cannot hold it. */
import { trimmed } from './eras.ts'

const PLAIN = /^[\t\x20-\x7e]*$/
const ENCODED = /^=\?base64\?(.*)\?=$/

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined where the header is missing or holds what no client may send. */
export function headerText(value: string | undefined): string | undefined {
  const text = trimmed(value)
  if (text === undefined || !PLAIN.test(text)) return undefined
  const [, encoded] = ENCODED.exec(text) ?? []
  if (encoded === undefined) return text
  const bytes = Buffer.from(encoded, 'base64')
  // Node skips what is not Base64: two spellings of one value would be two values to a proxy.
  if (bytes.toString('base64') !== encoded) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
