/** Contenders that answer HTTP, under the load of wrk. */
import { join } from 'node:path'
import { BenchFailure, type Contender, type Run } from './contender.ts'
import type { Server } from './processes.ts'
import { send, withKeys, writeCalls, type HttpCall } from './requests.ts'
import type { Stand } from './stand.ts'
import { runWrk } from './wrk.ts'

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

const SAMPLE = 5
const AT_ONCE = 32
/** What tier t2 grants each key. */
const KEY_RATE = 2000
/** How much faster a run may be than the one before it; more where it cannot be repeated. */
const MARGIN = 1.5
const MARGIN_FRESH = 3
const KEYS_MIN = 2

export function httpLoad(stand: Stand, load: HttpLoad): Contender {
  const { name, server, calls, accept, usesRedis = server.pid === stand.node.pid } = load
  const { apiKeys } = stand
  const file = join(stand.folder, `${name.replaceAll(/\W+/g, '-')}.requests`)
  const isFresh = typeof calls === 'function'
  let keys = apiKeys.length
  let unkeyed: readonly HttpCall[] = []

  const keyed = (list: readonly HttpCall[]): readonly HttpCall[] =>
    load.isKeyed ? withKeys(list, apiKeys.slice(0, keys)) : list

  async function attempt(seconds: number): Promise<Run> {
    writeCalls(file, keyed(unkeyed))
    const before = await stand.commandsRun()
    const run = await runWrk({
      port: server.port, file, seconds, connections: stand.connections,
      cores: stand.placement?.client, repeats: !isFresh,
    })
    const commands = (await stand.commandsRun() - before) / (run.rate * seconds)
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
