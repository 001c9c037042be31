import { pino, type DestinationStream, type Logger } from 'pino'
import { LineBuffer, readableLine } from './log-lines.ts'

export type { Logger }

/** Of a process that answers calls. */
export type NodeLog = Logger & LineWriter

export interface LineWriter {
  /** Writes a finished line, with its line break, where the logger writes its own. */
  writeLine(line: string): void
  /** Resolves when every line so far has been written. */
  drained(): Promise<void>
}

/** Names that never reach a log line, wherever they stand in a logged object. */
const SECRET_FIELDS = [
  'api_key', 'binding_code', 'receiver', 'authorization', 'x-api-key', 'password', 'secret',
  'token',
]

const REASONS_MAX = 20

export interface OutageLog {
  report(reason: string, facts?: object): void
  /** It works. */
  end(facts?: object): void
}

/** One line for each reason of a trouble and one for its end, however often it is reported. */
export function createOutageLog(
  log: Pick<Logger, 'warn'>, trouble: string, over: string,
): OutageLog {
  const reasons = new Set<string>()
  return {
    report(reason, facts) {
      if (reasons.has(reason)) return
      if (reasons.size === REASONS_MAX) reasons.clear()
      reasons.add(reason)
      log.warn({ ...facts, error: reason }, trouble)
    },
    end(facts = {}) {
      if (reasons.size > 0) log.warn(facts, over)
      reasons.clear()
    },
  }
}

/** Where one writes to a person's terminal. */
const terminal = {
  write(line: string): void { process.stdout.write(readableLine(line)) },
}

/**
 * Lines of JSON, and readable ones on a terminal. `isBuffered` gathers lines before it writes them,
 * at a fraction of the cost; a node that is killed loses the last half second of them.
 */
export function createLogger(
  level: string, { isBuffered = false, isTerminal = process.stdout.isTTY } = {},
): NodeLog {
  const output: DestinationStream & { drained?: () => Promise<void> } = isTerminal ? terminal
    : isBuffered ? bufferedOutput() : pino.destination({ dest: 1, sync: true })
  const log = pino({
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[hidden]',
    },
  }, output)
  return Object.assign(log, {
    writeLine: (line: string) => { output.write(line) },
    drained: async () => { await output.drained?.() },
  })
}

function bufferedOutput(): LineBuffer {
  const lines = new LineBuffer((options) => pino.destination({ ...options, dest: 1, sync: false }))
  process.once('exit', () => lines.flushNow())
  return lines
}
