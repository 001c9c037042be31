import { isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'

// A CommonJS package whose types claim a default export that ESM does not see.
const canonicalize = createRequire(import.meta.url)('canonicalize') as
  (value: unknown) => string | undefined

/** JSON that is ready to send: the hot path splices stored bytes and never parses them. */
export class JsonText {
  /** As it is sent: several where callers share what stands between that which is their own. */
  readonly chunks: readonly [Buffer, ...Buffer[]]
  private whole: Buffer | undefined
  private text: Buffer | undefined

  constructor(json: Buffer | string | readonly [Buffer, ...Buffer[]]) {
    if (typeof json === 'string') this.chunks = [Buffer.from(json)]
    else this.chunks = Buffer.isBuffer(json) ? [json] : json
  }

  get bytes(): Buffer {
    return this.whole ??= this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks)
  }

  /** A text that says the same, as a JSON string with its quotes: made once. */
  twin(write: (json: Buffer) => string): Buffer {
    return this.text ??= Buffer.from(JSON.stringify(write(this.bytes)))
  }

  /**
   * Writes ASCII over other ASCII of the same length, wherever it stands, in the twin as well. Who
   * sends the bytes copies them before the event loop turns.
   */
  overwrite(from: string, to: string): void {
    if (from.length !== to.length) throw new RangeError('Another length would move what follows.')
    overwriteAll(this.bytes, from, to)
    if (this.text) overwriteAll(this.text, escaped(from), escaped(to))
  }

  toJSON(): unknown {
    return JSON.parse(this.bytes.toString())
  }
}

/** As it stands inside a JSON string. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

function overwriteAll(bytes: Buffer, from: string, to: string): void {
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + from.length)) {
    bytes.write(to, at, 'latin1')
  }
}

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
