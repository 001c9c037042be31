/** Log lines on their way: as a person reads them on a terminal, and gathered for programs. */
import { isoTime, nowMs } from './contract/time.ts'

/** The part of a SonicBoom that is used here. */
interface Stream {
  write(text: string): unknown
  flush(done: () => void): void
  flushSync(): void
  on(event: 'drop', listener: (text: string) => void): unknown
}

interface StreamOptions { readonly minLength: number, readonly maxLength: number }

/** Held before they are handed over: one write of the system for some 60 lines. */
const HELD_LENGTH = 16_384
const FLUSH_MS = 500
/** Handed over and not yet taken by whoever reads standard output; what comes then is dropped. */
const WAITING_BYTES_MAX = 8_388_608

/** Gathers lines, writes them every half second at the latest, and never waits for their reader. */
export class LineBuffer {
  private held = ''
  private droppedBytes = 0
  private readonly stream: Stream

  constructor(open: (options: StreamOptions) => Stream) {
    this.stream = open({ minLength: 1, maxLength: WAITING_BYTES_MAX })
    this.stream.on('drop', (text) => { this.droppedBytes += Buffer.byteLength(text) })
    setInterval(() => { this.handOver() }, FLUSH_MS).unref()
  }

  write(line: string): void {
    this.held += line
    if (this.held.length >= HELD_LENGTH) this.handOver()
  }

  /** Also of what its reader is slow to take: who must not wait for ever sets a deadline. */
  async drained(): Promise<void> {
    this.handOver()
    await new Promise<void>((done) => { this.stream.flush(() => done()) })
  }

  /** For an end that waits for nothing: a write under way may come behind it. */
  flushNow(): void {
    this.handOver()
    this.stream.flushSync()
  }

  private handOver(): void {
    if (this.held === '' && this.droppedBytes === 0) return
    const { held, droppedBytes } = this
    this.held = ''
    this.droppedBytes = 0
    const report = droppedBytes === 0 ? '' : droppedLine(droppedBytes)
    this.stream.write(held + report)
    // The report was dropped as well: the next one counts what it said.
    if (this.droppedBytes > 0) this.droppedBytes += droppedBytes - report.length
  }
}

const droppedLine = (bytes: number): string => `${JSON.stringify({
  level: 40, time: isoTime(nowMs()), pid: process.pid, bytes,
  msg: 'standard output is not read in time: lines were dropped',
})}\n`

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
