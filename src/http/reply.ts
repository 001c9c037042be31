/** A reply as text that is ready to send, checked so that no value can end its line. */
import { STATUS_CODES } from 'node:http'
import { bytesOf } from './pieces.ts'
import type { HeaderList, HttpReply } from '../contract/http.ts'

/** Tokens of RFC 9110, without the fields that the native server writes itself. */
const NAME = /^(?!(?:connection|content-length|date|transfer-encoding)$)[\w!#$%&'*+.^`|~-]+$/i
const FORBIDDEN = /[^\t\x20-\x7e]/
const EACH_FORBIDDEN = new RegExp(FORBIDDEN, 'g')

const STATUS_LINES = new Map(
  Object.entries(STATUS_CODES).filter(([status]) => Number(status) >= 200)
    .map(([status, text]) => [Number(status), `${status} ${text}`]),
)

function statusLine(status: number): string {
  const line = STATUS_LINES.get(status)
  if (line === undefined) throw new RangeError('This is not a status that can be answered.')
  return line
}

/** Answers that by definition end with their headers. */
const isBodiless = (status: number): boolean => status === 204 || status === 304

/** Each line with its CR LF before it, to be put behind another one. */
export function headerLines(headers: HeaderList): string {
  let lines = ''
  for (const [name, value] of headers) {
    if (!NAME.test(name)) continue
    const safe = FORBIDDEN.test(value) ? value.replace(EACH_FORBIDDEN, '?') : value
    lines += `\r\n${name}: ${safe}`
  }
  return lines
}

export interface Rendered {
  readonly status: number
  readonly statusLine: string
  /** The value of X-Request-Id, and behind it every other line: written in one call. */
  readonly lines: string
  readonly body: Buffer | string | readonly Buffer[]
  /** Length of the body. */
  readonly bytes: number
  readonly isBodiless: boolean
  readonly stream: AsyncIterable<string> | undefined
  readonly isEndless: boolean
}

const ALWAYS = '\r\nX-Content-Type-Options: nosniff'

/** Throws when a handler returned what is no reply. */
export function render(reply: HttpReply, requestId: string, corsLines: string): Rendered {
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
