import { isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'

// A CommonJS package whose types claim a default export that ESM does not see.
const canonicalize = createRequire(import.meta.url)('canonicalize') as
  (value: unknown) => string | undefined

/** JSON that is ready to send: the hot path splices stored bytes and never parses them. */
export class JsonText {
  readonly bytes: Buffer
  private escaped: Buffer | undefined

  constructor(bytes: Buffer | string) {
    this.bytes = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  }

  /** The same JSON as a JSON string, with its quotes: made once, for what is answered often. */
  get asString(): Buffer {
    return this.escaped ??= jsonString(this.bytes)
  }

  toJSON(): unknown {
    return JSON.parse(this.bytes.toString())
  }
}

/**
 * UTF-8 bytes pass as Latin-1 characters, which need no escape above ASCII: that saves decoding
 * and encoding, and is as fast as a loop over the bytes.
 */
const jsonString = (json: Buffer): Buffer =>
  Buffer.from(JSON.stringify(json.toString('latin1')), 'latin1')

export const jsonBytes = (value: unknown): Buffer =>
  value instanceof JsonText ? value.bytes : Buffer.from(JSON.stringify(value))

/** RFC 8785 canonical form: equal values have equal text. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('This value has no JSON form.')
  return text
}

const BYTE_ORDER_MARK = '\ufeff'

/** Parses UTF-8 JSON; throws on broken UTF-8, which Buffer.toString would hide. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new TypeError('This text is not UTF-8.')
  const text = bytes.toString()
  return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
}
