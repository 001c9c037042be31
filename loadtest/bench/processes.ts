/** Processes that the bench starts: forked with a channel, watched, ended. */
import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { withDeadline } from '../../src/contract/time.ts'
import { cacheDir } from '../../src/config.ts'

const READY_MS_MAX = 60_000
const ENDING_MS_MAX = 15_000
/** Of the Linux kernel's user interface, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100

export interface Server {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

export interface ForkOptions {
  readonly file: string
  readonly args?: readonly string[]
  /** The whole environment: nothing of the caller's shell changes what is measured. */
  readonly env?: Readonly<Record<string, string>>
  readonly execArgv?: readonly string[]
}

/** A script under this Node; TypeScript where its name says so. */
export function forkScript({ file, args = [], env = {}, execArgv = [] }: ForkOptions) {
  return fork(file, [...args], {
    execArgv: [...file.endsWith('.ts') ? ['--import', 'tsx'] : [], ...execArgv],
    env: { XDG_CACHE_HOME: dirname(cacheDir()), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
}

/** Says something to a child and waits for its answer. */
export async function askChild<T>(
  child: ChildProcess, message: object, ms = READY_MS_MAX,
): Promise<T> {
  const ended = once(child, 'exit').then(() => { throw new Error('A process of the bench ended.') })
  ended.catch(() => undefined)
  const answered = once(child, 'message') as Promise<[T]>
  answered.catch(() => undefined)
  child.send(message)
  const [answer] = await withDeadline(Promise.race([answered, ended]), ms,
    () => new Error('A process of the bench does not answer.'))
  return answer
}

/** By its channel's end, which every script of the bench takes as its own end. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  try {
    await withDeadline(ended, ENDING_MS_MAX, () => new Error('late'))
  } catch {
    child.kill('SIGKILL')
  }
}

/** CPU time that a process has used; undefined where there is no /proc. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold spaces; fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return undefined
  }
}

/** Memory that is in use now; undefined where there is no /proc. */
export function residentMb(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    return Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/** Runs a program to its end, which comes by force when it takes too long; its output. */
export async function runProgram(command: readonly string[], ms: number): Promise<string> {
  const [program = '', ...args] = command
  const { stdout } = await promisify(execFile)(program, args, {
    timeout: ms, killSignal: 'SIGKILL', maxBuffer: 1 << 24,
  })
  return stdout
}
