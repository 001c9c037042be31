/** Limits on what comes before the body, and what in it makes a request's end ambiguous. */
import { Refusal } from '../errors.ts'

export const HEADERS_MAX = 64
export const HEADER_BYTES_MAX = 8192
/** Path and query together. */
export const TARGET_BYTES_MAX = 4096
/** Beyond this the native server answers 431 by itself, before any of our code runs. */
export const NATIVE_HEAD_BYTES_MAX = 16_384

const DECIMAL = /^\d{1,15}$/

/** The lines of a head, gathered in one pass. Repeated ones are joined, as RFC 9110 has it. */
export class Head {
  // No prototype: a header may be called __proto__.
  readonly fields: Record<string, string> = Object.create(null) as Record<string, string>
  private count = 0
  private bytes = 0

  add(name: string, value: string): void {
    this.count++
    this.bytes += name.length + value.length
    const earlier = this.fields[name]
    this.fields[name] = earlier === undefined ? value : `${earlier}, ${value}`
  }

  get isTooLarge(): boolean {
    return this.count > HEADERS_MAX || this.bytes > HEADER_BYTES_MAX
  }

  /**
   * False when two readers could disagree on where the body ends: that is how one request is
   * smuggled inside another. A joined Content-Length is no number, a joined coding not `chunked`.
   */
  get isFramedClearly(): boolean {
    const length = this.fields['content-length']
    const coding = this.fields['transfer-encoding']
    if (length === undefined) return coding === undefined || coding.toLowerCase() === 'chunked'
    return coding === undefined && DECIMAL.test(length)
  }

  get isChunked(): boolean {
    return this.fields['transfer-encoding'] !== undefined
  }

  /** Bytes of body announced; 0 where none is, or where it comes in chunks. */
  get contentLength(): number {
    return Number(this.fields['content-length'] ?? 0)
  }
}

export const unclearFraming = (): Refusal => new Refusal('invalid_request', {
  hint: 'Send one Content-Length, or Transfer-Encoding: chunked, and never both.',
})

export const targetTooLong = (): Refusal => new Refusal('invalid_request', {
  hint: `Send an address of at most ${TARGET_BYTES_MAX} bytes, or use a POST operation.`,
})
