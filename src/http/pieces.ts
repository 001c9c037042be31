/** Bodies in pieces, which are put together only on their way out. */
import type { HttpReply } from '../contract/http.ts'

type Body = NonNullable<HttpReply['body']>

/** From this size on, what the client has not taken yet is waited for instead of copied. */
export const STREAMED_BYTES_MIN = 32_768

export function bytesOf(body: Body): number {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.byteLength(body)
  let bytes = 0
  for (const piece of body) bytes += piece.length
  return bytes
}

/** A body in one piece. */
export function wholeBody(body: Body = ''): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  return Buffer.isBuffer(body) ? body : Buffer.concat(body)
}

/** One for all small bodies: uWebSockets has copied it when the call that sends it returns. */
const SCRATCH = Buffer.allocUnsafe(STREAMED_BYTES_MIN)

/** The same of a body under STREAMED_BYTES_MIN: to be sent before the next one is asked for. */
export function lentBody(body: Body, bytes: number): Buffer | string {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  let at = 0
  for (const piece of body) {
    SCRATCH.set(piece, at)
    at += piece.length
  }
  return SCRATCH.subarray(0, bytes)
}
