/** Load by wrk, the one generator that is cheap enough to wear out uWebSockets from one core. */
import { fileURLToPath } from 'node:url'
import { BenchFailure, type Run } from './contender.ts'
import { onCores } from './cores.ts'
import { runProgram } from './processes.ts'

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url))
/** For starting, reading the requests and ending. */
const EXTRA_MS = 30_000

export interface WrkPlan {
  readonly port: number
  readonly file: string
  readonly seconds: number
  readonly connections: number
  readonly cores: string | undefined
  /** Whether a request may be sent again when all have been sent. */
  readonly repeats: boolean
}

export async function runWrk(plan: WrkPlan): Promise<Run> {
  const { port, file, seconds, connections, cores } = plan
  const output = await runProgram(onCores(cores, [
    'wrk', '-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '5s',
    '-s', SCRIPT, `http://127.0.0.1:${port}`, '--', file,
  ]), seconds * 1000 + EXTRA_MS)
  return readWrk(output, plan.repeats)
}

interface WrkResult {
  readonly requests: number
  /** Microseconds, as are the latencies. */
  readonly us: number
  readonly bytes: number
  /** Answers with a status of 400 or more. */
  readonly status: number
  readonly socket: number
  readonly wraps: number
  readonly p50: number
  readonly p99: number
}

/** The script's last line; a run with errors, or one that repeated what it may not, fails. */
export function readWrk(output: string, repeats: boolean): Run {
  const line = /^RESULT (\{.*\})$/m.exec(output)?.[1]
  if (line === undefined) throw new BenchFailure('wrk printed no result')
  const result = JSON.parse(line) as WrkResult
  if (result.status + result.socket > 0) {
    const { status, socket, requests } = result
    const share = (100 * (status + socket) / Math.max(requests, 1)).toFixed(2)
    throw new BenchFailure(`${share} % errors (${status} by status, ${socket} by socket)`)
  }
  if (result.requests === 0) throw new BenchFailure('no answer came')
  if (result.wraps > 0 && !repeats) throw new BenchFailure('ran out of fresh requests')
  return {
    rate: result.requests / (result.us / 1e6), p50Ms: result.p50 / 1000, p99Ms: result.p99 / 1000,
  }
}
