/** A log line as a person reads it on a terminal; programs get JSON. */

const DIM = '\u001b[2m'
const PLAIN = '\u001b[0m'
const RED = '\u001b[31m'
const YELLOW = '\u001b[33m'
/** By pino's numbers: from 40 warnings, from 50 errors. */
const [WARN, ERROR] = [40, 50] as const
const SHOWN_ELSEWHERE = new Set([
  'level', 'time', 'pid', 'msg', 'method', 'route', 'status', 'ms', 'operation',
])
/** What a request's line says by itself where all is well. */
const LEFT_OUT = new Set(['bytes', 'address'])

type Line = Readonly<Record<string, unknown>>

/** `line` is what pino writes; what is no JSON stays as it is. */
export function readableLine(line: string): string {
  let facts: Line
  try {
    facts = JSON.parse(line) as Line
  } catch {
    return line
  }
  const { time, msg } = facts
  const clock = new Date(String(time)).toTimeString().slice(0, 8)
  const isRequest = msg === 'request'
  const text = isRequest ? requestText(facts) : String(msg)
  const rest = Object.entries(facts)
    .filter(([name, value]) => value !== null && !SHOWN_ELSEWHERE.has(name)
      && !(isRequest && LEFT_OUT.has(name)))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return `${DIM}${clock}${PLAIN} ${coloured(text, facts)}`
    + `${rest.length > 0 ? ` ${DIM}${rest.join(' ')}${PLAIN}` : ''}\n`
}

function requestText({ method, route, status, ms, operation }: Line): string {
  const what = operation === undefined ? '' : ` ${String(operation)}`
  return `${String(status)} ${String(method).padEnd(4)} ${String(route)}${what} ${String(ms)} ms`
}

function coloured(text: string, { level, status }: Line): string {
  const isBad = Number(level) >= ERROR || Number(status) >= 500
  const isOdd = Number(level) >= WARN || Number(status) >= 400
  return isBad ? `${RED}${text}${PLAIN}` : isOdd ? `${YELLOW}${text}${PLAIN}` : text
}
