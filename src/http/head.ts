/** Limits on what comes before the body, and what in it makes a request's end ambiguous. */
import { Refusal } from '../contract/errors.ts'

const HEADERS_MAX = 64
const HEADER_BYTES_MAX = 8192
/** Path and query together. */
export const TARGET_BYTES_MAX = 4096
/** Beyond this the native server answers 431 by itself, before any of our code runs. */
export const NATIVE_HEAD_BYTES_MAX = 16_384

export const CHUNKED = -1
export const UNCLEAR = -2
const DECIMAL = /^\d{1,15}$/

/** The lines of a head. A list: for so few, looking through it is cheaper than any hashing. */
export class Head {
  /** Name, value, name, value and so on; names in lower case. */
  private readonly lines: string[] = []
  private bytes = 0

  add(name: string, value: string): void {
    this.bytes += name.length + value.length
    this.lines.push(name, value)
  }

  /** Repeated lines are joined, as RFC 9110 has it. */
  get(name: string): string | undefined {
    const { lines } = this
    let value: string | undefined
    for (let at = 0; at < lines.length; at += 2) {
      if (lines[at] === name) {
        value = value === undefined ? lines[at + 1] : `${value}, ${lines[at + 1]}`
      }
    }
    return value
  }

  get isTooLarge(): boolean {
    return this.lines.length > 2 * HEADERS_MAX || this.bytes > HEADER_BYTES_MAX
  }

  /**
   * Bytes of body to come, CHUNKED where only their end will tell, UNCLEAR where two readers
   * could disagree on where the body ends: that is how one request is smuggled inside another.
   * A joined Content-Length is no number, a joined coding not `chunked`.
   */
  bodyLength(): number {
    const length = this.get('content-length')
    const coding = this.get('transfer-encoding')
    if (coding !== undefined) {
      return length === undefined && coding.toLowerCase() === 'chunked' ? CHUNKED : UNCLEAR
    }
    if (length === undefined) return 0
    return DECIMAL.test(length) ? Number(length) : UNCLEAR
  }
}

export const unclearFraming = (): Refusal => new Refusal('invalid_request', {
  hint: 'Send one Content-Length, or Transfer-Encoding: chunked, and never both.',
})

export const targetTooLong = (): Refusal => new Refusal('invalid_request', {
  hint: `Send an address of at most ${TARGET_BYTES_MAX} bytes, or use a POST operation.`,
})
