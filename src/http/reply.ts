/** A reply as what is sent: lines of the head, checked, and the body as one buffer or a stream. */
import { STATUS_CODES } from 'node:http'
import type { HeaderList, HttpReply } from '../contract/http.ts'

/** Tokens of RFC 9110, without the fields that the native server writes itself. */
const NAME = /^(?!(?:connection|content-length|date|transfer-encoding)$)[\w!#$%&'*+.^`|~-]+$/i
const FORBIDDEN = /[^\t\x20-\x7e]/
const EACH_FORBIDDEN = new RegExp(FORBIDDEN, 'g')

/** From this size on, what the client has not taken yet is waited for instead of copied. */
export const STREAMED_BYTES_MIN = 32_768

const STATUS_LINES = new Map(
  Object.entries(STATUS_CODES).filter(([status]) => Number(status) >= 200)
    .map(([status, text]) => [Number(status), `${status} ${text}`]),
)

function statusLine(status: number): string {
  const line = STATUS_LINES.get(status)
  if (line === undefined) throw new RangeError('This is not a status that can be answered.')
  return line
}

/** Statuses whose answers have no body. */
const isBodiless = (status: number): boolean => status === 204 || status === 304

/** Of lists that cannot change: few, and sent again and again. */
const knownLines = new WeakMap<HeaderList, string>()

/** Each line with its CR LF before it, to be put behind another one. */
export function headerLines(headers: HeaderList): string {
  const known = knownLines.get(headers)
  if (known !== undefined) return known
  const lines = makeLines(headers)
  if (Object.isFrozen(headers)) knownLines.set(headers, lines)
  return lines
}

function makeLines(headers: HeaderList): string {
  let lines = ''
  for (const [name, value] of headers) {
    if (!NAME.test(name)) continue
    const safe = FORBIDDEN.test(value) ? value.replace(EACH_FORBIDDEN, '?') : value
    lines += `\r\n${name}: ${safe}`
  }
  return lines
}

type ReplyBody = NonNullable<HttpReply['body']>

export interface RenderedReply {
  readonly status: number
  readonly statusLine: string
  /** The value of X-Request-Id, and behind it every other line: written in one call. */
  readonly lines: string
  readonly body: ReplyBody
  /** Length of the body. */
  readonly bytes: number
  readonly isBodiless: boolean
  readonly stream: AsyncIterable<string> | undefined
  readonly isEndless: boolean
}

const ALWAYS = '\r\nX-Content-Type-Options: nosniff'

/** Throws when a handler returned what is no reply. */
export function render(reply: HttpReply, requestId: string, corsLines: string): RenderedReply {
  const { status, headers, body = '', stream, isEndless = false } = reply
  return {
    status,
    statusLine: statusLine(status),
    lines: requestId + ALWAYS + corsLines + (headers === undefined ? '' : headerLines(headers)),
    body,
    bytes: bytesOf(body),
    isBodiless: isBodiless(status),
    stream,
    isEndless,
  }
}

/** Where even making the error's answer failed. */
export const LAST_RESORT: HttpReply = {
  status: 500,
  headers: [['Content-Type', 'application/json; charset=utf-8']],
  body: '{"schema":"v1","code":50000,"msg":"The service failed unexpectedly.","data":null,'
    + '"agent_ref":null}',
}

function bytesOf(body: ReplyBody): number {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.byteLength(body)
  let bytes = 0
  for (const chunk of body) bytes += chunk.length
  return bytes
}

/** A body as one buffer. */
export function wholeBody(body: ReplyBody = ''): Buffer {
  if (typeof body === 'string') return Buffer.from(body)
  return Buffer.isBuffer(body) ? body : Buffer.concat(body)
}

/** One for all small bodies: uWebSockets has copied it when the call that sends it returns. */
const SCRATCH = Buffer.allocUnsafe(STREAMED_BYTES_MIN)

/** The same of a body under STREAMED_BYTES_MIN, to be sent before the next call reuses it. */
export function borrowedBody(body: ReplyBody, bytes: number): Buffer | string {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  let at = 0
  for (const chunk of body) {
    SCRATCH.set(chunk, at)
    at += chunk.length
  }
  return SCRATCH.subarray(0, bytes)
}

export interface Outlet {
  /** False when the client has not taken everything yet: `onWritable` is called when it has. */
  write(chunk: string): boolean
  onWritable(listener: () => void): void
  /** Aborted when the client disconnects or the server drains. */
  readonly signal: AbortSignal
}

/**
 * Sends chunks as they come, no faster than the client takes them. Resolves with the bytes that
 * were sent, at the end of the chunks or once it was aborted.
 */
export async function streamBody(chunks: AsyncIterable<string>, outlet: Outlet): Promise<number> {
  const { signal } = outlet
  let bytes = 0
  let resume = (): void => {}
  outlet.onWritable(() => resume())
  signal.addEventListener('abort', () => resume())
  for await (const chunk of chunks) {
    if (signal.aborted) break
    if (chunk === '') continue
    bytes += Buffer.byteLength(chunk)
    if (outlet.write(chunk)) continue
    await new Promise<void>((resolve) => { resume = resolve })
    if (signal.aborted) break
  }
  return bytes
}
