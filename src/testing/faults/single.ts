/** The ledger as one Redis that can be killed, stopped, filled up and cut short. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync }
  from 'node:fs'
import { basename, join } from 'node:path'
import { hasEnded, isAlive } from '../../redis/process.ts'
import { startServer, stopServer, type RunningServer } from '../../redis/server.ts'
import { WHOLE_MS_MAX } from './fault.ts'
import { mountSmall, unmount } from './tools.ts'

export interface Single {
  readonly port: number
  readonly url: string
  readonly directory: string
  /** The present process. */
  server(): RunningServer
  isUp(): boolean
  kill(): Promise<void>
  /** Starts it on what the files hold, where it has ended. */
  restart(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** The file that takes the commands. */
  log(): string
  /** Cuts that file to what was synced of it; the bytes that went. */
  losePower(): number
  stop(): Promise<void>
}

export interface SinglePlan {
  readonly program: string
  readonly folder: string
  readonly port: number
  readonly password: string
  readonly settings: string
  /** Puts its files on a file system of this size. */
  readonly megabytes?: number | undefined
  /** The library that notes what was synced. */
  readonly synced?: string | undefined
}

const END_MS_MAX = 10_000

export async function startSingle(plan: SinglePlan): Promise<Single> {
  const { port, password, settings, folder } = plan
  const directory = join(folder, 'ledger')
  const notes = join(folder, 'synced')
  for (const path of [directory, notes]) mkdirSync(path, { recursive: true, mode: 0o700 })
  const isMounted = plan.megabytes !== undefined && mountSmall(directory, plan.megabytes)
  const program = plan.synced === undefined ? plan.program : wrapper(plan, folder, notes)
  const begin = (): Promise<RunningServer> =>
    startServer({ program, directory, port, password, settings, readyWithinMs: WHOLE_MS_MAX })
  let server = await begin()

  return {
    port,
    url: `redis://:${password}@127.0.0.1:${port}`,
    directory,
    server: () => server,
    isUp: () => isAlive(server),
    async kill() {
      if (!isAlive(server)) return
      process.kill(server.pid, 'SIGKILL')
      if (!await hasEnded(server, END_MS_MAX)) throw new Error('redis-server cannot be killed')
    },
    async restart() {
      if (!isAlive(server)) server = await begin()
    },
    signal(name) {
      if (isAlive(server)) process.kill(server.pid, name)
    },
    log: () => logIn(directory),
    losePower: () => cut(logIn(directory), notes),
    async stop() {
      if (isAlive(server)) process.kill(server.pid, 'SIGCONT')
      await stopServer(server, ['SHUTDOWN', 'NOSAVE'])
      if (isMounted) unmount(directory)
    },
  }
}

/** The newest of the files that a ledger in this directory appends to. */
export function logIn(directory: string): string {
  const files = join(directory, 'appendonlydir')
  return join(files, readdirSync(files).filter((name) => name.includes('.incr.'))
    .toSorted((one, other) => numberOf(one) - numberOf(other)).at(-1) ?? '')
}

const numberOf = (name: string): number => Number(/\.(\d+)\.incr/.exec(name)?.[1] ?? 0)

/** Only what is being written to can lose anything; without a note of it nothing would be shown. */
function cut(path: string, notes: string): number {
  const { size } = statSync(path)
  const synced = Math.min(size, Number(readFileSync(join(notes, basename(path)), 'utf8')))
  truncateSync(path, synced)
  return size - synced
}

/** exec keeps the process: its pid is that of redis-server. */
function wrapper(plan: SinglePlan, folder: string, notes: string): string {
  const path = join(folder, 'redis-server')
  rmSync(path, { force: true })
  writeFileSync(path, `#!/bin/sh
export LD_PRELOAD='${plan.synced}' SYNCED_DIR='${notes}'
exec '${plan.program}' "$@"
`, { mode: 0o700 })
  return path
}
