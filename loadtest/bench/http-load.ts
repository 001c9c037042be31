/**
 * Contenders that answer HTTP, under the load of wrk, the one generator that is cheap enough to
 * use up uWebSockets from one core.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onCores, runProgram, type Server } from './processes.ts'
import { BenchFailure, type Contender, type Run } from './rounds.ts'
import type { BenchTestbed } from './testbed.ts'

export interface HttpLoad {
  readonly name: string
  readonly server: Pick<Server, 'pid' | 'port'>
  /** The calls of one run; a function gives each run other ones, of which none is sent twice. */
  readonly calls: readonly HttpCall[] | ((seconds: number, round: number) => readonly HttpCall[])
  readonly isKeyed: boolean
  /** Whether it is a node of ours, whose Redis commands are worth counting. */
  readonly usesRedis?: boolean
  /** Throws where an answer is not the right one; all that repeat are looked at, else some. */
  readonly accept: (answer: Answer) => void
}

/** A round of sessions of the shop at least. */
const SAMPLE = 12
const AT_ONCE = 32
/** What tier t2 grants each key. */
const KEY_RATE = 2000
/** How much faster a run may be than the one before it; more where it cannot be repeated. */
const MARGIN = 1.5
const MARGIN_FRESH = 6
const KEYS_MIN = 2

export function httpLoad(testbed: BenchTestbed, load: HttpLoad): Contender {
  const { name, server, calls, accept, usesRedis = server.pid === testbed.node.pid } = load
  const { apiKeys } = testbed
  const file = join(testbed.folder, `${name.replaceAll(/\W+/g, '-')}.requests`)
  const isFresh = typeof calls === 'function'
  let keys = apiKeys.length
  let unkeyed: readonly HttpCall[] = []

  const keyed = (list: readonly HttpCall[]): readonly HttpCall[] =>
    load.isKeyed ? withKeys(list, apiKeys.slice(0, keys)) : list

  async function attempt(seconds: number): Promise<Run> {
    writeCalls(file, keyed(unkeyed))
    const before = await testbed.commandsRun()
    const run = await runWrk({
      port: server.port, file, seconds, connections: testbed.connections,
      cores: testbed.placement?.client, repeats: !isFresh,
    })
    const commands = (await testbed.commandsRun() - before) / (run.rate * seconds)
    return usesRedis ? { ...run, commands } : run
  }

  return {
    name,
    pid: server.pid,
    async check() {
      // Calls that come again have been answered before: that is what they are timed for.
      const count = !isFresh && usesRedis ? calls.length : SAMPLE
      const asked = keyed((isFresh ? calls(0, 0) : calls).slice(0, count)).slice(0, count)
      for (let from = 0; from < asked.length; from += AT_ONCE) {
        const answers = await Promise.all(asked.slice(from, from + AT_ONCE)
          .map((call) => send(server.port, call)))
        try {
          answers.forEach(accept)
        } catch (error) {
          throw new BenchFailure(`wrong answer: ${(error as Error).message}`)
        }
      }
    },
    async prepare(seconds, round) {
      unkeyed = isFresh ? calls(seconds, round) : calls
    },
    async run(seconds) {
      const run = await attempt(seconds).catch(async (error: Error) => {
        if (!(error instanceof BenchFailure) || keys === apiKeys.length || isFresh) throw error
        // Perhaps it was faster than these keys may call: once more with all of them.
        keys = apiKeys.length
        return await attempt(seconds)
      })
      // As few as its rate allows: each is then as busy as its tier permits, as in earnest.
      const wanted = Math.ceil(run.rate * (isFresh ? MARGIN_FRESH : MARGIN) / KEY_RATE)
      keys = Math.min(Math.max(wanted, KEYS_MIN), apiKeys.length)
      return run
    },
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

export function acceptStatus(status: number) {
  return (answer: Answer): void => {
    if (answer.status !== status) throw new Error(`status ${answer.status}`)
  }
}

/** A page of goods; `count` items at least. */
export function acceptPage(count: number) {
  return (answer: Answer): void => {
    acceptStatus(200)(answer)
    const items = (JSON.parse(answer.text) as { data: { items: unknown[] } }).data.items.length
    if (items < count) throw new Error(`${items} items`)
  }
}

export function acceptDetail(answer: Answer): void {
  acceptStatus(200)(answer)
  const { data } = JSON.parse(answer.text) as { data: { agent_desc?: string } }
  if (!data.agent_desc) throw new Error('no detail')
}

/** A tool's result that is no error. */
export function acceptTool(answer: Answer): void {
  acceptStatus(200)(answer)
  const { result } = JSON.parse(answer.text) as {
    result?: { isError?: boolean, structuredContent?: object }
  }
  if (!result?.structuredContent || result.isError) throw new Error('no tool result')
}

/** A page of UCP. */
export function acceptProducts(answer: Answer): void {
  acceptStatus(200)(answer)
  const { products } = JSON.parse(answer.text) as { products?: unknown[] }
  if (!products?.length) throw new Error('no products')
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'OPTIONS'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Stands in no request. */
const SEPARATOR = '\u001e'

export function encodeCall({ method, path, headers = {}, body }: HttpCall): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

function writeCalls(path: string, calls: Iterable<HttpCall>): number {
  const encoded = Array.from(calls, encodeCall)
  writeFileSync(path, encoded.join(SEPARATOR), { mode: 0o600 })
  return encoded.length
}

/** Each call with the next of the keys: no key's rate is the limit, and each is checked. */
export function withKeys(calls: readonly HttpCall[], apiKeys: readonly string[]): HttpCall[] {
  // Fewer calls than keys are repeated until every key has had each of them.
  const count = calls.length >= apiKeys.length ? calls.length : calls.length * apiKeys.length
  return Array.from({ length: count }, (_, at) => {
    const call = calls[at % calls.length] as HttpCall
    const authorization = `Bearer ${apiKeys[at % apiKeys.length]}`
    return { ...call, headers: { Authorization: authorization, ...call.headers } }
  })
}

const SEND_MS = 10_000

export async function send(
  port: number, call: HttpCall, ms = SEND_MS,
): Promise<{ status: number, text: string }> {
  const { method, path, headers = {}, body } = call
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(ms),
  })
  return { status: response.status, text: await response.text() }
}

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url))
/** For starting, reading the requests and ending. */
const EXTRA_MS = 30_000

interface WrkPlan {
  readonly port: number
  readonly file: string
  readonly seconds: number
  readonly connections: number
  readonly cores: string | undefined
  /** Whether a request may be sent again when all have been sent. */
  readonly repeats: boolean
}

async function runWrk(plan: WrkPlan): Promise<Run> {
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
