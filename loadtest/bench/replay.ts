/** Replays recorded Redis commands from a process of its own, and what redis-benchmark prints. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { askChild, endChild, forkScript, pin } from './processes.ts'
import { BenchFailure, type Run } from './rounds.ts'

export interface ReplayOrders {
  readonly port: number
  readonly username: string
  readonly password: string
  readonly connections: number
  readonly seconds: number
  /** Commands as they are sent, one behind the other. */
  readonly file: string
  /** Begins the first value of every right answer, which is a list. */
  readonly expected: Buffer
  /** Whether commands may be sent again when all have been sent. */
  readonly repeats: boolean
}

export interface ReplayResult {
  readonly answers: number
  readonly wrong: number
  readonly elapsedMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const SCRIPT = fileURLToPath(new URL('replay-process.ts', import.meta.url))
const EXTRA_MS = 60_000

export type Words = readonly (string | number | Buffer)[]

export function writeCommands(path: string, commands: Iterable<Words>): void {
  const file = openSync(path, 'w', 0o600)
  try {
    for (const words of commands) writeSync(file, encodeCommand(words))
  } finally {
    closeSync(file)
  }
}

interface ReplayPlan {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly file: string
  readonly expected: string
  readonly repeats?: boolean
  readonly cores: string | undefined
}

export async function runReplay(plan: ReplayPlan): Promise<Run> {
  const { url, connections, seconds, file, expected, repeats = false, cores } = plan
  const { port, username, password } = new URL(url)
  const child = forkScript({ file: SCRIPT })
  if (cores !== undefined) pin(child.pid as number, cores)
  try {
    const result = await askChild<ReplayResult>(child, {
      port: Number(port), username: username || 'default', password, connections, seconds, file,
      expected: Buffer.from(expected), repeats,
    }, seconds * 1000 + EXTRA_MS)
    return runOf(result, seconds)
  } finally {
    await endChild(child)
  }
}

export function runOf({ answers, wrong, elapsedMs, p50Ms, p99Ms }: ReplayResult, seconds: number) {
  if (answers === 0) throw new BenchFailure('no answer came')
  if (wrong > 0) throw new BenchFailure(`${wrong} of ${answers} answers were not the expected ones`)
  // Commands that ran out early are fewer answers in less time: still a rate, if of half a run.
  if (elapsedMs < seconds * 500) throw new BenchFailure('ran out of fresh commands')
  return { rate: answers / (elapsedMs / 1000), p50Ms, p99Ms }
}

export function encodeCommand(words: readonly (string | number | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${words.length}\r\n`)]
  for (const word of words) {
    const bytes = Buffer.isBuffer(word) ? word : Buffer.from(String(word))
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, CRLF)
  }
  return Buffer.concat(parts)
}

const CRLF = Buffer.from('\r\n')
const [ARRAY, BULK, NEWLINE, MINUS, ZERO] = [0x2a, 0x24, 0x0a, 0x2d, 0x30]

/** Where the value that begins at `from` ends; −1 while bytes of it are missing. */
export function valueEnd(bytes: Buffer, from: number): number {
  let at = from
  // Values still to be passed: an array adds its members.
  for (let open = 1; open > 0; open -= 1) {
    const line = bytes.indexOf(NEWLINE, at)
    if (line < 0) return -1
    const type = bytes[at]
    const count = type === ARRAY || type === BULK ? numberAt(bytes, at + 1) : 0
    at = line + 1
    if (type === ARRAY) open += Math.max(count, 0)
    // Minus one stands for a value that is missing, and has no line of its own.
    if (type === BULK && count >= 0) at += count + 2
    if (at > bytes.length) return -1
  }
  return at
}

/** The number of a line. */
function numberAt(bytes: Buffer, from: number): number {
  if (bytes[from] === MINUS) return -1
  let number = 0
  for (let at = from; ; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return number
    number = number * 10 + digit
  }
}

/** How many values the list has is the script's matter; what its first one says is not. */
export function isExpected(reply: Buffer, expected: Buffer): boolean {
  const from = reply.indexOf(NEWLINE) + 1
  return reply[0] === ARRAY && reply.subarray(from, from + expected.length).equals(expected)
}

export function readRedisBenchmark(output: string): Run {
  const rows = output.split('\n').filter((line) => line.startsWith('"'))
  const [head = [], values = []] = rows.slice(-2).map((row) => row.trim().slice(1, -1).split('","'))
  const value = (name: string): number => {
    // A command may hold quotes and commas, but it stands first: columns are counted from the end.
    const fromEnd = head.length - head.indexOf(name)
    return head.includes(name) ? Number(values.at(-fromEnd)) : NaN
  }
  const run = { rate: value('rps'), p50Ms: value('p50_latency_ms'), p99Ms: value('p99_latency_ms') }
  if (!Number.isFinite(run.rate)) throw new BenchFailure('redis-benchmark printed no rate')
  return run
}
