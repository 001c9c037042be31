/** A reply's status line and header lines as text, checked so that no value can end its line. */
import { STATUS_CODES } from 'node:http'
import type { HeaderList } from './types.ts'

/** Tokens of RFC 9110, without the fields that the native server writes itself. */
const NAME = /^(?!(?:connection|content-length|date|transfer-encoding)$)[\w!#$%&'*+.^`|~-]+$/i
const FORBIDDEN = /[^\t\x20-\x7e]/
const EACH_FORBIDDEN = new RegExp(FORBIDDEN, 'g')

const STATUS_LINES = new Map(
  Object.entries(STATUS_CODES).filter(([status]) => Number(status) >= 200)
    .map(([status, text]) => [Number(status), `${status} ${text}`]),
)

export function statusLine(status: number): string {
  const line = STATUS_LINES.get(status)
  if (line === undefined) throw new RangeError('This is not a status that can be answered.')
  return line
}

/** Answers that by definition end with their headers. */
export const isBodiless = (status: number): boolean => status === 204 || status === 304

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
