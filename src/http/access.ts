/** What is written to the log about a request. No bodies, keys, paths or query strings. */
import { isoTime, nowMs } from '../contract/time.ts'
import type { LineWriter, Logger } from '../log.ts'
import { measures } from '../measures.ts'

export type AccessLog = Pick<Logger, 'error' | 'isLevelEnabled'> & Pick<LineWriter, 'writeLine'>

export interface AccessLine {
  readonly request_id: string
  readonly method: string
  /** The pattern, never the path: paths name orders. */
  readonly route: string
  /** 499 where the client disconnected before its answer. */
  readonly status: number
  readonly ms: number
  readonly bytes: number
  readonly address: string
  /** Lines of its kind (successes or refusals) that were left out since the last one. */
  readonly suppressed?: number
}

/** Status for log and metrics only: the client disconnected. */
export const CLIENT_GONE = 499
export const MCP_PATH = '/mcp'

type Notes = Readonly<Record<string, unknown>> | undefined

/** The routes of both faces, also under the console; notes name the operation instead. */
export function countRequest(route: string, status: number, ms: number, notes: Notes): void {
  const outcome = status === CLIENT_GONE ? 'client_gone'
    : notes?.['error'] ?? (status < 400 ? 'ok' : 'refused')
  measures.requests.record(route.endsWith(MCP_PATH) ? 'mcp' : 'rest',
    notes?.['operation'] as string, outcome as string, ms / 1000)
}

const INFO = 30
/** Longer than every registered method. */
const METHOD_LENGTH_MAX = 16
/** What handlers note of a call that a line tells; anything else they note is for metrics. */
const NOTED = ['operation', 'rpc', 'agent', 'order_no', 'payment', 'error'] as const
const NOTE_LENGTH_MAX = 100

/**
 * One text for the line's fixed fields: as an object it would be searched for secrets, which none
 * of these can be, and take ten times as long.
 */
export function accessText(line: AccessLine, notes: Notes): string {
  const { request_id, method, route, status, ms, bytes, address, suppressed } = line
  return `${headAt(nowMs())}${notedText(notes)}"request_id":${quoted(request_id)},`
    + `"method":${quoted(method.slice(0, METHOD_LENGTH_MAX))},`
    + `"route":${quoted(route)},"status":${status},"ms":${Math.round(ms * 100) / 100},`
    + `"bytes":${bytes},"address":${quoted(address)},`
    + `${suppressed === undefined ? '' : `"suppressed":${suppressed},`}"msg":"request"}\n`
}

let head = { ms: 0, text: '' }

/** Of level, time and process: the same for all lines of a millisecond. */
function headAt(ms: number): string {
  if (head.ms !== ms) {
    head = { ms, text: `{"level":${INFO},"time":"${isoTime(ms)}","pid":${process.pid},` }
  }
  return head.text
}

function notedText(notes: Notes): string {
  let text = ''
  if (!notes) return text
  for (const name of NOTED) {
    const value = notes[name]
    if (typeof value === 'string') text += `"${name}":${quoted(value.slice(0, NOTE_LENGTH_MAX))},`
  }
  return text
}

const quoted = (text: string): string => JSON.stringify(text)

const SECOND_MS = 1000
/** More than passes between an answer and its line. */
const MOMENT_MS = 50
/** One line of so many beyond the lines of a second. */
const ONE_OF = 100

/** Counts of written and omitted lines for one kind of answers. */
interface Tally { endsMs: number, written: number, suppressed: number }

/**
 * Which requests get a line: every failure of ours, and in each second the first `perSecond`
 * successes and the first `perSecond` refusals (which whoever floods a node gets), after them one
 * of 100. Metrics count all of them.
 */
export class AccessSampler {
  private readonly perSecond: number
  private readonly succeeded: Tally = { endsMs: 0, written: 0, suppressed: 0 }
  private readonly refused: Tally = { endsMs: 0, written: 0, suppressed: 0 }

  constructor(perSecond: number) {
    this.perSecond = perSecond
  }

  /** Whether `take` may say that a line is written, now or a moment later. */
  mayTake(status: number, nowMs: number): boolean {
    if (status >= 500) return true
    const tally = status < 400 ? this.succeeded : this.refused
    return nowMs + MOMENT_MS >= tally.endsMs || tally.written < this.perSecond
      || tally.suppressed + 1 >= ONE_OF
  }

  /** How many of its kind were left out since the last line; undefined: this one is, too. */
  take(status: number, nowMs: number): number | undefined {
    if (status >= 500) return 0
    const tally = status < 400 ? this.succeeded : this.refused
    if (nowMs >= tally.endsMs) {
      tally.endsMs = nowMs + SECOND_MS
      tally.written = 0
    }
    if (tally.written >= this.perSecond && tally.suppressed + 1 < ONE_OF) {
      tally.suppressed += 1
      return undefined
    }
    const { suppressed } = tally
    tally.written += 1
    tally.suppressed = 0
    return suppressed
  }
}

export interface ErrorFacts {
  readonly name: string
  readonly code?: unknown
  readonly message?: string
  readonly frames?: readonly string[]
}

const MESSAGE_LENGTH_MAX = 300
const FRAMES_MAX = 12

/**
 * An unexpected error, without what it may carry: clients hang the whole command on it, and a
 * JSON parser quotes its input. The stack's first lines repeat the message, so only frames stay.
 */
export function describeError(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code } = error as { code?: unknown }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    ...(error.name !== 'SyntaxError' && { message: error.message.slice(0, MESSAGE_LENGTH_MAX) }),
    ...(frames && { frames: frames.slice(0, FRAMES_MAX).map((line) => line.trim()) }),
  }
}
