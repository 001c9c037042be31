/** The parent's side of a replay. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BenchFailure, type Run } from '../contender.ts'
import { pin } from '../cores.ts'
import { askChild, endChild, forkScript } from '../processes.ts'
import { encodeCommand } from './resp.ts'

export interface ReplayOrders {
  readonly port: number
  readonly username: string
  readonly password: string
  readonly connections: number
  readonly seconds: number
  /** Commands as they are sent, one behind the other. */
  readonly file: string
  /** How every right answer begins. */
  readonly expected: Buffer
}

export interface ReplayResult {
  readonly answers: number
  readonly wrong: number
  readonly elapsedMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const SCRIPT = fileURLToPath(new URL('process.ts', import.meta.url))
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

export interface ReplayPlan {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly file: string
  readonly expected: string
  readonly cores: string | undefined
}

export async function runReplay(plan: ReplayPlan): Promise<Run> {
  const { url, connections, seconds, file, expected, cores } = plan
  const { port, username, password } = new URL(url)
  const child = forkScript({ file: SCRIPT })
  if (cores !== undefined) pin(child.pid as number, cores)
  try {
    const result = await askChild<ReplayResult>(child, {
      port: Number(port), username: username || 'default', password, connections, seconds, file,
      expected: Buffer.from(expected),
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
